// What lies within limits of a place, as nodes, lines of roads and polygons (library
// lodestar::isochrone).
//
//   const IsochroneStart start = isochrone_start(places, places.nearest({9.52, 47.14}));
//   const auto contours = isochrones(router, start, std::array{300.0, 600.0});
//   write(isochrones_geojson(file, contours, {.polygons = true}));
//
// A contour is computed by one search whose time depends on the nodes within the largest limit.
// Polygons are concave hulls of the roads within a limit, computed by GEOS.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/itinerary.h"
#include "lodestar/places.h"
#include "lodestar/router.h"

namespace lodestar {

// Where isochrones begin: nodes with the cost spent before them, and the road of the place itself.
struct IsochroneStart {
  std::vector<NodeId> nodes;
  std::vector<Cost> spent;      // [nodes]
  std::vector<PlaceSide> road;  // empty if the start is a node
  Direction direction = Direction::kForward;
};
// From the place (forward), or to it. `weights` are those of the router; default: the graph's.
IsochroneStart isochrone_start(const Places& places, const Place& place,
                               Direction direction = Direction::kForward,
                               const ArcWeights& weights = {});
IsochroneStart isochrone_start(NodeId node, Direction direction = Direction::kForward);

struct Contour {
  Cost limit = 0;
  std::vector<ReachedNode> nodes;  // by ascending cost
  std::vector<Leg> legs;           // arcs within the limit; the last ones of a route in part
};
// One contour per limit, in the order given. Throws Error if a limit is below 0.
std::vector<Contour> isochrones(const Router& router, const IsochroneStart& start,
                                std::span<const Cost> limits);

// The lines of the arcs, each road once. Requires coordinates.
std::vector<std::vector<Point>> lines_of(const Graph& graph, const Shape& shape,
                                         std::span<const Leg> legs);

// A closed ring, its first point repeated at the end, counterclockwise; empty if all points lie on
// one line. `concavity` from 0 (follows the points closely) to 1 (the convex hull). All points lie
// within; of more than 4000, inner ones are thinned out first. Throws Error if this build has no
// GEOS, and if a point is not finite.
std::vector<Point> concave_hull(std::span<const Point> points, CoordinateKind kind,
                                double concavity = 0.2);
bool has_concave_hull();

struct IsochroneOutput {
  bool polygons = true;
  bool arcs = false;   // lines of roads
  bool nodes = false;  // names and costs
  double concavity = 0.2;
  CostUnit unit = {};  // of limits and costs in the output
};
// Features (RFC 7946) with commas between, three per contour at most:
//   polygon  Polygon, or null if all lies on one line
//   arcs     MultiLineString
//   nodes    MultiPoint (null without coordinates), with the lists `nodes` (names) and `costs`
// Their properties are `kind` (one of these words), `contour` (the limit) and `unit`.
std::string isochrone_features(const GraphFile& file, std::span<const Contour> contours,
                               const IsochroneOutput& output = {});
// The same as a FeatureCollection.
std::string isochrones_geojson(const GraphFile& file, std::span<const Contour> contours,
                               const IsochroneOutput& output = {});

}  // namespace lodestar
