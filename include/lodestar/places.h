// Queries by coordinates: finds the nearest road of a point, and routes between points.
//
//   const Places places(file.graph, file.shape);      // once; thread-safe
//   const Place from = places.nearest({9.52, 47.14});
//   const PlaceRoute route = route_between(places, from, to, search);
//
// Works on any graph with coordinates, in degrees or in the plane. Arcs have the lines of the Shape
// if there is one, otherwise they are straight. Distances are measured in the tangent plane at the
// given point; within a kilometre the error is a few centimetres.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/itinerary.h"
#include "lodestar/metrics.h"
#include "lodestar/search.h"
#include "lodestar/shape.h"

namespace lodestar {

// A place on a road, for one direction of travel.
struct PlaceSide {
  NodeId tail = kNoNode;
  NodeId head = kNoNode;
  ArcIndex arc = 0;
  Weight weight = 0;
  double share = 0;  // position on the arc, as a fraction of its length
  double paid = 0;   // the fraction of its weight that is paid there; more than `share` where
                     // entering the arc has a cost of its own (Shape::arc_entry)
};

// A place at the end of its road lies on a junction: a route leaves it by every arc that leaves
// there, and reaches it by every arc that ends there. In degrees the last ten centimetres of a road
// belong to the junction, because coordinates are commonly written with six decimals.
struct Place {
  Point asked;
  Point at;             // the nearest point of a road
  double distance = 0;  // between them: metres, or the plane's units
  std::array<PlaceSide, 2> side = {};
  int sides = 0;  // 2 on roads that lead both ways
  // Further arcs by which the place is reached, but not left: the same road, entered from another
  // node or under a turn restriction.
  std::vector<PlaceSide> also;
  std::string_view street;
  // On a junction, its nodes: routes begin and end at any of them. There are several where a
  // barrier divides the junction, and in an arc-based graph, where every road that ends there is
  // one. Empty elsewhere.
  std::vector<NodeId> nodes;

  std::vector<PlaceSide> exits() const { return {side.begin(), side.begin() + sides}; }
  std::vector<PlaceSide> entries() const;
};

// A direction of travel in degrees clockwise from north, and how far a road may differ from it.
struct Bearing {
  double value = 0;
  double range = 180;
};

struct SnapOptions {
  double limit = -1;  // metres; negative: Places::default_limit()
  // If given, roads that it rejects in both directions are ignored.
  std::function<bool(ArcIndex)> open = {};
  std::optional<Bearing> bearing = {};  // of travel at the place
  bool curb = false;  // on a road with two directions, only the one whose kerb the point lies on
  bool opposite = false;  // or only the other one
  bool any = false;       // also roads where routes must not begin and end (class no_stop)
  bool large = false;     // no roads of small components; see Places::join
};

class Places {
 public:
  // Takes O(m log m). Throws Error if the graph has no coordinates or is a grid. Keeps copies of
  // the graph and the shape, which are cheap.
  // Roads of the class `no_stop` are no places, unless a search says so.
  explicit Places(Graph graph, Shape shape = {}, const Metrics& metrics = {});
  ~Places();
  Places(Places&&) noexcept;
  Places& operator=(Places&&) noexcept;

  // Throws Error with the distance if the nearest road is farther than the limit, and if the graph
  // has no arcs.
  Place nearest(Point point, const SnapOptions& options) const;
  Place nearest(Point point, double limit, std::function<bool(ArcIndex)> open = {}) const {
    return nearest(point, SnapOptions{.limit = limit, .open = std::move(open)});
  }
  Place nearest(Point point) const { return nearest(point, SnapOptions{}); }
  // Two places, joined.
  std::pair<Place, Place> nearest(Point from, Point to, double limit) const;
  // Moves the places of one request to roads that may have a route: unless all of them share a
  // component of the roads, those in small components move to the nearest road of a large one
  // within their limit. A component (weakly connected) is small if it has less than 1000 arcs and
  // at most a quarter of the largest. `options` are those that place i was found with. Graphs
  // without a shape have no small components.
  void join(std::span<Place* const> places,
            const std::function<SnapOptions(std::size_t)>& options) const;
  // 1000 metres; unlimited in the plane.
  double default_limit() const;

  const Graph& graph() const { return graph_; }
  const Shape& shape() const { return shape_; }
  std::size_t bytes() const;

 private:
  struct Index;
  std::vector<NodeId> junction_of(NodeId node) const;
  std::vector<std::uint32_t> components_of(const Place& place) const;
  Graph graph_;
  Shape shape_;
  std::unique_ptr<Index> index_;
};

// Parses "longitude,latitude", for example "9.52,47.14". Throws Error if the text is malformed or a
// number is out of range.
Point parse_place(std::string_view text, CoordinateKind kind);
// Whether the text has the form of a place: two numbers and a comma.
bool looks_like_place(std::string_view text);

// A search from node to node: its result, and the path when reached.
struct NodeAnswer {
  SearchResult found;
  std::vector<NodeId> path;
  std::optional<double> length = {};  // of the path, if the search knows it without the path
};
using NodeSearch = std::function<NodeAnswer(Query)>;

struct PlaceRoute {
  // Cost and bound include the partial arcs at both ends; counts are sums over all searches.
  SearchResult found;
  std::vector<Leg> legs;
  std::vector<NodeId> path;  // the nodes between
  double unlisted = 0;  // length between the legs, if the search reports lengths instead of paths
};
// Runs at most one search for each pair of directions, or of nodes on junctions. Cost and lower
// bound are exact and valid if those of the search are. `weights` are the weights that the search
// uses; infinite ones close a road. Default: those of the graph of `places`.
PlaceRoute route_between(const Places& places, const Place& from, const Place& to,
                         const NodeSearch& search, const ArcWeights& weights = {});

}  // namespace lodestar
