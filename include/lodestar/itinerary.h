// A route for display and maps: its line, length, duration and streets.
//
//   const Itinerary trip = itinerary(graph, shape, legs_of(graph, path));
//   write(to_geojson({&trip, 1}));                    // also to_gpx, to_polyline(trip.line, 5)
//
// Without a Shape arcs are straight lines, and streets and durations are unknown.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph.h"
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

// The cheapest arc between each two nodes of a path. `weights` replaces the weights of the graph,
// in the order of Graph::weights(). Default: those of the graph.
std::vector<Leg> legs_of(const Graph& graph, std::span<const NodeId> path,
                         std::span<const Weight> weights = {});

// The length in metres, or in units of the plane. Requires coordinates or a shape.
double length_of(const Graph& graph, const Shape& shape, const Leg& leg);

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
  Cost cost = 0;  // set by the caller; written as a property
  CoordinateKind kind = CoordinateKind::kNone;
  std::vector<Point> line;          // consecutive points differ
  std::vector<LinePiece> pieces;    // [line.size() - 1]
  double length = 0;                // metres, or units of the plane
  std::optional<double> duration;   // seconds
  std::vector<StreetStep> streets;  // consecutive names differ
};
// Throws Error if the graph has no coordinates.
Itinerary itinerary(const Graph& graph, const Shape& shape, std::span<const Leg> legs);

// A GeoJSON FeatureCollection with one LineString per route (RFC 7946). Like the functions below,
// it throws Error if coordinates are not degrees.
std::string to_geojson(std::span<const Itinerary> routes);
// GPX 1.1 with one track per route.
std::string to_gpx(std::span<const Itinerary> routes);
// Google's encoded polyline with 5 digits, or 6 as in OSRM and Valhalla.
std::string to_polyline(std::span<const Point> line, int digits);
// Throws Error if the text is not an encoded polyline.
std::vector<Point> from_polyline(std::string_view text, int digits);

}  // namespace lodestar
