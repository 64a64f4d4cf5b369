// Preferences: weights that belong to one request.
//
//   Preferences wish;
//   wish.blend = {{"time", 1}, {"length", 0.02}};         // seconds plus 0.02 per metre
//   wish.classes = {{"toll", kInfinity}, {"ferry", 2}};   // no tolls; ferries count twice
//   wish.circles = {{{9.52, 47.14}, 500, kInfinity}};     // not within 500 m of this point
//   const RequestRoute route = router.request({s, t}, wish);
//
// The weight of an arc is
//
//   w'(a) = (sum over metrics of share · w(a)) · (product of the factors that apply to a) +
//   extra(a)
//
// rounded up to a multiple of a tiny unit, so that sums are exact. Factors are at least 1, and an
// infinite factor closes the arc. The weights of a request are therefore never below its blend, and
// potentials that were fitted for the blend remain feasible (docs/design/CERTIFICATES.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/types.h"

namespace lodestar {

struct Preferences {
  // An unnamed factor is infinite: the arcs are closed.
  struct Share {
    std::string metric;
    double share = 1;  // at least 0, per unit of the metric: per second, per metre
  };
  struct Class {
    std::string name;
    double factor = kInfinity;
  };
  struct Way {
    std::int64_t id = 0;  // of OpenStreetMap
    double factor = kInfinity;
  };
  struct ArcWish {
    ArcIndex arc = 0;  // in the order of Graph::weights()
    double factor = kInfinity;
    double extra = 0;  // added, in units of the blend
  };
  // An arc is inside an area if its line touches it. Areas include their borders.
  struct Circle {
    Point centre;
    double radius = 0;  // metres, or units of the plane
    double factor = kInfinity;
  };
  struct Polygon {
    // The outer ring, then holes. A ring may repeat its first point at its end.
    std::vector<std::vector<Point>> rings;
    double factor = kInfinity;
  };
  struct Vehicle {
    double height = 0;  // metres; 0: no matter
    double width = 0;
    double weight = 0;  // tonnes
  };

  std::vector<Share> blend;  // empty: the graph's own weights
  std::vector<Class> classes;
  std::vector<Way> ways;
  std::vector<ArcWish> arcs;
  std::vector<Circle> circles;
  std::vector<Polygon> polygons;
  Vehicle vehicle;
  // Seconds after midnight: the cost is then the travel time of a departure at this time
  // (travel_times.h). Allows closures, but neither a blend nor finite factors.
  std::optional<double> depart;

  bool empty() const;
};

}  // namespace lodestar
