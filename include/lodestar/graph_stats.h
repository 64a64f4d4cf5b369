// Statistics of a graph: counts, components, ranges and anomalies.
//
//   const GraphStats stats = graph_stats(graph);
//   if (stats.strong.count > 1) …                     // some pairs have no path
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lodestar/graph.h"

namespace lodestar {

// The component of each node; components are numbered in no particular order.
struct Components {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;
  NodeId largest = 0;  // number of nodes of the largest component
};
// Weak: arcs may be used in both directions. Strong: there are paths in both directions.
Components weak_components(const Graph& graph);
Components strong_components(const Graph& graph);

struct GraphStats {
  std::size_t self_loops = 0;
  std::size_t parallel_arcs = 0;  // arcs beyond the first from one node to another
  std::size_t zero_weights = 0;
  bool whole_weights = true;
  Weight min_weight = 0;
  Weight max_weight = 0;
  std::size_t min_degree = 0;  // outgoing arcs
  std::size_t max_degree = 0;
  NodeId isolated = 0;  // nodes without any arc
  Point box_low;        // bounding box of the coordinates
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

// Human-readable anomalies: "448 self-loops", "2 isolated nodes".
std::vector<std::string> oddities(const GraphStats& stats);

}  // namespace lodestar
