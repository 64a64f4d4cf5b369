// A route as people and maps want it: its line, length, duration and streets.
//
//   const Itinerary trip = itinerary(graph, shape, legs_of(graph, path));
//   write(to_geojson({&trip, 1}));                    // also to_gpx, to_polyline(trip.line, 5)
//
// Without a Shape arcs are straight lines, and nothing is known of streets and durations.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/shape.h"

namespace lodestar {

// A part of an arc: from the share `begin` of its length to the share `end`.
struct Leg {
  NodeId tail = kNoNode;
  NodeId head = kNoNode;
  ArcIndex arc = 0;  // in the forward rows
  double begin = 0;
  double end = 1;
};

// The cheapest arc between each two nodes of a path. `weights`: what arcs cost now, in the order of
// Graph::weights(); empty: what the graph says.
std::vector<Leg> legs_of(const Graph& graph, std::span<const NodeId> path,
                         std::span<const Weight> weights = {});

struct StreetStep {
  std::string name;  // empty where the road has none
  double length = 0;
};

struct Itinerary {
  Cost cost = 0;         // cost and bound: for the caller to fill in, written as properties
  Cost lower_bound = 0;  // equal to the cost of an optimal route
  CoordinateKind kind = CoordinateKind::kNone;
  std::vector<Point> line;          // no two points in a row are equal
  double length = 0;                // metres; in the plane, its units
  std::optional<double> duration;   // seconds
  std::vector<StreetStep> streets;  // neighbours differ in name
};
// Throws Error when the graph has no coordinates.
Itinerary itinerary(const Graph& graph, const Shape& shape, std::span<const Leg> legs);

// What costs are divided by to be seconds or metres: 10 where the weights are the durations or the
// lengths of the roads, as an import from OpenStreetMap makes them, and 1 elsewhere.
double cost_divisor(const Graph& graph, const Shape& shape);

// A FeatureCollection with one LineString per route (RFC 7946) and the properties cost,
// lower_bound, optimal, length, duration and streets, in metres and seconds. Throws Error on
// coordinates that are not degrees; so do the others.
std::string to_geojson(std::span<const Itinerary> routes);
// GPX 1.1, one track a route.
std::string to_gpx(std::span<const Itinerary> routes);
// Google's encoded polyline; digits: 5, or 6 as OSRM and Valhalla write it.
std::string to_polyline(std::span<const Point> line, int digits);
// Throws Error on text that is none.
std::vector<Point> from_polyline(std::string_view text, int digits);

}  // namespace lodestar
