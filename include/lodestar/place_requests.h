// Routes between places with the weights of a request.
//
//   const Places places(file.graph, file.shape);
//   const auto routes = request_between(router, places, places.nearest(a), places.nearest(b),
//   wish); use(routes[0].route.legs, routes[0].totals);
//
// With a time of departure the parts of roads at both ends take what they take at that time.
#pragma once

#include <vector>

#include "lodestar/places.h"
#include "lodestar/preferences.h"
#include "lodestar/router.h"

namespace lodestar {

struct PlaceRequestRoute {
  PlaceRoute route;            // `route.found.cost` is in units of the graph's own weights
  std::vector<double> totals;  // as in RequestRoute
  bool potentials = false;     // as in RequestRoute
};

// The best route, and up to options.count - 1 alternatives between the junctions that it leaves
// first and reaches last. Without a path there is one route, which says so. The router must be one
// of the graph of `places`. Throws Error as Router::request does.
std::vector<PlaceRequestRoute> request_between(const Router& router, const Places& places,
                                               const Place& from, const Place& to,
                                               const Preferences& preferences,
                                               const AlternativeOptions& options = {.count = 1});

// Names and units of the totals: the metrics of the router, or one called "weight".
std::vector<Metric> total_metrics(const Router& router);

}  // namespace lodestar
