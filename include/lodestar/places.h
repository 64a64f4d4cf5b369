// Asking by place: the arc nearest to a point, and routes between points.
//
//   const Places places(file.graph, file.shape);      // once; read by any number of threads
//   const Place from = places.nearest({9.52, 47.14});
//   const PlaceRoute route = route_between(places, from, to, search);
//
// Works on any graph with coordinates, in degrees or in the plane. Lines are those of the Shape
// if there is one, otherwise straight. Distances are measured in the plane that touches the earth
// at the point asked for: within a kilometre they are right to a few centimetres.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/itinerary.h"
#include "lodestar/search.h"
#include "lodestar/shape.h"

namespace lodestar {

// A place on a road, seen in one direction of travel.
struct PlaceSide {
  NodeId tail = kNoNode;
  NodeId head = kNoNode;
  ArcIndex arc = 0;
  Weight weight = 0;
  double share = 0;  // of the arc's length that lies behind the place
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
  std::string_view street;
  // On a junction, its nodes: routes begin and end at any of them. There are several where a
  // barrier divides the junction, and in an arc-based graph, where every road that ends there is
  // one. Empty elsewhere.
  std::vector<NodeId> nodes;
};

class Places {
 public:
  // O(m log m). Throws Error when the graph has no coordinates, or cells of a grid. Keeps the
  // graph and the shape, which are cheap to copy.
  explicit Places(Graph graph, Shape shape = {});
  ~Places();
  Places(Places&&) noexcept;
  Places& operator=(Places&&) noexcept;

  // Throws Error, with the distance, when the nearest road is farther than `limit`, and when the
  // graph has no arcs.
  Place nearest(Point point, double limit) const;
  Place nearest(Point point) const { return nearest(point, default_limit()); }
  // 1000 metres; in the plane any distance.
  double default_limit() const;

  const Graph& graph() const { return graph_; }
  const Shape& shape() const { return shape_; }
  std::size_t bytes() const;

 private:
  struct Index;
  std::vector<NodeId> junction_of(NodeId node) const;
  Graph graph_;
  Shape shape_;
  std::unique_ptr<Index> index_;
};

// "9.52,47.14": longitude, latitude. Throws Error on anything else, and on numbers no place has.
Point parse_place(std::string_view text, CoordinateKind kind);
// Whether it is meant as a place at all: two numbers and a comma.
bool looks_like_place(std::string_view text);

// A search from node to node: its result, and the path when reached.
struct NodeAnswer {
  SearchResult found;
  std::vector<NodeId> path;
};
using NodeSearch = std::function<NodeAnswer(Query)>;

struct PlaceRoute {
  // Cost and bound with the ways to and from the arcs; efforts are sums over the searches made.
  SearchResult found;
  std::vector<Leg> legs;
  std::vector<NodeId> path;  // the nodes between
};
// At most one search for each pair of directions, or of nodes on junctions. The cost is exact if
// the search is, and the lower bound holds if the search's does. `weights`: what arcs cost now and
// the search goes by, in the order of Graph::weights(); empty: what the graph of `places` says.
PlaceRoute route_between(const Places& places, const Place& from, const Place& to,
                         const NodeSearch& search, std::span<const Weight> weights = {});

}  // namespace lodestar
