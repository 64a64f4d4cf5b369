// What the graph families that are drawn in the plane share.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "lodestar/generate.h"

namespace lodestar {

struct DrawnEdge {
  NodeId u;
  NodeId v;
  Weight weight;
  double metres = 0;
  std::uint8_t road = 0;  // bits of its classes
};

// What a road is: the bits of its classes.
inline constexpr std::uint8_t kMotorway = 1, kPrimary = 2, kResidential = 4, kLink = 8,
                              kBridge = 16, kToll = 32;

struct Drawing {
  std::vector<DrawnEdge> edges;
  std::vector<Point> points;
};

// Keeps the largest connected part and numbers its nodes in their old order. `places` receives the
// edge of each arc; it may be null.
Graph largest_part(const std::vector<DrawnEdge>& edges, const std::vector<Point>& points,
                   CoordinateKind kind, std::vector<std::size_t>* places = nullptr);

// The metrics of a graph whose arcs are these edges.
Metrics road_metrics(const Graph& graph, const std::vector<DrawnEdge>& edges,
                     std::span<const std::size_t> places);

// Width and height of a lattice of about `cells` cells.
std::pair<NodeId, NodeId> lattice_sides(double cells);

double straight_line(const Point& a, const Point& b);

// Travel time in whole milliseconds, rounded up: never below the straight line at that speed.
Weight travel_milliseconds(double metres, double kilometres_per_hour);

// The family kCity.
Drawing city(const GraphSpec& spec, Rng& rng);

}  // namespace lodestar
