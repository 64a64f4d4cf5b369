// What the graph families that are drawn in the plane share.
#pragma once

#include <utility>
#include <vector>

#include "lodestar/generate.h"

namespace lodestar {

struct DrawnEdge {
  NodeId u;
  NodeId v;
  Weight weight;
};

// Keeps the largest connected part and numbers its nodes in their old order.
Graph largest_part(const std::vector<DrawnEdge>& edges, const std::vector<Point>& points,
                   CoordinateKind kind);

// Width and height of a lattice of about `cells` cells.
std::pair<NodeId, NodeId> lattice_sides(double cells);

double straight_line(const Point& a, const Point& b);

// Travel time in whole milliseconds, rounded up: never below the straight line at that speed.
Weight travel_milliseconds(double metres, double kilometres_per_hour);

// The family kCity.
Graph city(const GraphSpec& spec, Rng& rng);

}  // namespace lodestar
