// A route for output: its line, distance, duration and streets, as GeoJSON, GPX or polyline.
//
//   Itinerary trip = itinerary(graph, shape, legs_of(graph, path));
//   set_result(trip, found, cost_unit(graph, shape));
//   write(to_geojson({&trip, 1}));                    // also to_gpx, to_polyline(trip.line, 5)
//
// Without a Shape arcs are straight lines, and streets and durations are unknown.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/request_route.h"
#include "lodestar/search.h"
#include "lodestar/shape.h"

namespace lodestar {

// A part of an arc, from `begin` to `end` as fractions of its length.
struct Leg {
  NodeId tail = kNoNode;
  NodeId head = kNoNode;
  ArcIndex arc = 0;  // in the forward rows
  double begin = 0;
  double end = 1;
};

// Weights that replace those of a graph: nothing, an array in the order of Graph::weights(), or a
// function of the arc, as for a request with preferences. What it refers to must outlive it.
class ArcWeights {
 public:
  ArcWeights() = default;
  ArcWeights(std::span<const Weight> array) : array_(array) {}  // NOLINT: both are weights
  ArcWeights(const std::vector<Weight>& array) : array_(array) {}
  ArcWeights(std::function<Weight(ArcIndex)> function) : function_(std::move(function)) {}
  bool empty() const { return array_.empty() && !function_; }
  Weight operator[](std::size_t arc) const {
    return function_ ? function_(static_cast<ArcIndex>(arc)) : array_[arc];
  }

 private:
  std::span<const Weight> array_;
  std::function<Weight(ArcIndex)> function_;
};

// The cheapest arc between each two nodes of a path, by the weights of the graph or `weights`.
std::vector<Leg> legs_of(const Graph& graph, std::span<const NodeId> path,
                         const ArcWeights& weights = {});
// The arcs of the route.
std::vector<Leg> legs_of(const RequestRoute& route);

// The share of its arc's weight that a leg costs: that of its length, and what is due on entering
// the arc if the leg begins there (Shape::arc_entry).
double paid_share(const Graph& graph, const Shape& shape, const Leg& leg);
// The share of its arc's weight by time that is the time of the leg.
double time_share(const Graph& graph, const Shape& shape, const Leg& leg);

// The length in metres, or in units of the plane. Requires coordinates or a shape.
double length_of(const Graph& graph, const Shape& shape, const Leg& leg);
// The lengths of all arcs, in the order of the arcs.
std::vector<double> lengths_of_arcs(const Graph& graph, const Shape& shape);

// The unit in which costs are reported.
struct CostUnit {
  std::string_view name = "cost";  // "duration": seconds; "distance": metres; "cost": as weights
  double scale = 1;                // of a weight of 1

  bool known() const { return name != "cost"; }
  bool is_time() const { return name == "duration"; }
  // Seconds and metres have one decimal; other costs are returned as they are.
  double of(Cost cost) const;
};
inline constexpr CostUnit kSeconds{"duration", 0.1}, kMetres{"distance", 0.1};
// Weights of an OpenStreetMap import are whole tenths of a second or of a metre. O(m).
CostUnit cost_unit(const Graph& graph, const Shape& shape);

struct StreetStep {
  std::string name;  // empty if the road has none
  double length = 0;
};

// A straight piece of an itinerary's line.
struct LinePiece {
  std::uint32_t leg = 0;    // index of the leg it belongs to
  std::uint32_t piece = 0;  // of the arc's line: 0 begins at its tail
};

struct Itinerary {
  double cost = kInfinity;  // these three: set_result()
  double lower_bound = 0;
  bool optimal = false;
  CoordinateKind kind = CoordinateKind::kNone;
  std::vector<Point> line;          // consecutive points differ
  std::vector<LinePiece> pieces;    // [line.size() - 1]
  double length = 0;                // metres, or units of the plane
  std::optional<double> duration;   // seconds
  std::vector<StreetStep> streets;  // consecutive names differ
  // Empty unless the route answers a request with preferences: the sums by metric in seconds,
  // metres, …, and whether potentials guided the search.
  std::vector<std::pair<std::string, double>> totals;
  std::optional<bool> potentials;
};
// Throws Error if the graph has no coordinates.
Itinerary itinerary(const Graph& graph, const Shape& shape, std::span<const Leg> legs);

// Cost and lower bound in `unit`, and whether the route is optimal.
void set_result(Itinerary& route, const SearchResult& found, const CostUnit& unit);

// A Feature (RFC 7946) with the properties cost, lower_bound, optimal, distance, duration and
// streets [{name, distance}]. Duration and streets are absent where they are unknown. Routes of
// requests also have totals and potentials. Without a path the geometry is null, and so is the
// cost.
std::string to_geojson_feature(const Itinerary& route);
// A FeatureCollection of them. Throws Error on coordinates that are not degrees; so does to_gpx.
std::string to_geojson(std::span<const Itinerary> routes);
// GPX 1.1 with one track per route.
std::string to_gpx(std::span<const Itinerary> routes);
// Google's encoded polyline with 5 digits, or 6 as in OSRM and Valhalla.
std::string to_polyline(std::span<const Point> line, int digits);
// Throws Error if the text is not an encoded polyline.
std::vector<Point> from_polyline(std::string_view text, int digits);

}  // namespace lodestar
