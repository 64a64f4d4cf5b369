// What a graph is like: counts, components, ranges, oddities. For `info` and for sanity checks.
//
//   const GraphStats stats = graph_stats(graph);
//   if (stats.strong.count > 1) …                     // some pairs have no path
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lodestar/graph.h"

namespace lodestar {

// Which component each node is in, numbered in no particular order.
struct Components {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;
  NodeId largest = 0;  // nodes in the largest one
};
// Weak: a path with arcs taken either way. Strong: a path there and one back.
Components weak_components(const Graph& graph);
Components strong_components(const Graph& graph);

struct GraphStats {
  std::size_t self_loops = 0;
  std::size_t parallel_arcs = 0;  // arcs beyond the first from one node to another
  std::size_t zero_weights = 0;
  bool whole_weights = true;
  Weight min_weight = 0;
  Weight max_weight = 0;
  std::size_t min_degree = 0;  // arcs out
  std::size_t max_degree = 0;
  NodeId isolated = 0;  // nodes without any arc
  Point box_low;        // of the coordinates
  Point box_high;
  struct ComponentCount {
    std::uint32_t count = 0;
    NodeId largest = 0;
  };
  ComponentCount weak;
  ComponentCount strong;
};
// O(n + m).
GraphStats graph_stats(const Graph& graph);

// What nobody expects of a graph, for people: "448 self-loops", "2 isolated nodes".
std::vector<std::string> oddities(const GraphStats& stats);

}  // namespace lodestar
