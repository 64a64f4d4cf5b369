#include "index/units.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "graph/common_exponent.h"
#include "lodestar/graph_stats.h"

namespace lodestar::index {
namespace {

// The least power of ten, 10 … 10^9, in whose parts every weight is a whole number, as far as
// doubles can tell; 0 when there is none.
double common_parts(const Graph& graph) {
  constexpr double kMost = 1e9;
  double parts = 10;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      while (std::round(arc.weight * parts) / parts != arc.weight) {
        if (parts >= kMost) return 0;
        parts *= 10;
      }
    }
  }
  return parts;
}

}  // namespace

// A shortest path enters each strong component at most once. Inside it costs at most the way to
// the component's root and on from there, along any tree; between two of them, one arc.
Cost distance_bound(const Graph& graph) {
  const Components parts = graph.symmetric() ? weak_components(graph) : strong_components(graph);
  std::vector<Cost> reach(graph.node_count());
  std::vector<NodeId> queue;
  Cost total = 0, longest = 0;
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    std::vector<bool> seen(graph.node_count(), false);
    for (NodeId root = 0; root < graph.node_count(); ++root) {
      if (seen[root]) continue;
      Cost farthest = 0;
      seen[root] = true;
      reach[root] = 0;
      queue.assign(1, root);
      for (std::size_t at = 0; at < queue.size(); ++at) {
        const NodeId u = queue[at];
        farthest = std::max(farthest, reach[u]);
        for (const Arc arc : graph.arcs(u, direction)) {
          if (seen[arc.head] || parts.of[arc.head] != parts.of[root]) continue;
          seen[arc.head] = true;
          reach[arc.head] = reach[u] + arc.weight;
          queue.push_back(arc.head);
        }
      }
      longest = std::max(longest, farthest);
      total += farthest;
    }
    if (graph.symmetric()) return 2 * longest;
  }
  std::vector<Weight> leaving(parts.count, 0);
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      if (parts.of[arc.head] == parts.of[u]) continue;
      leaving[parts.of[u]] = std::max(leaving[parts.of[u]], arc.weight);
    }
  }
  for (const Weight weight : leaving) total += weight;
  return total;
}

Units choose_units(const Graph& graph, Decimals decimals) {
  Units units;
  units.longest = distance_bound(graph);
  const int exponent = common_exponent(graph);
  if (exponent == kNoExponent) return units;  // zeros count in any unit
  const double unit = std::ldexp(1.0, exponent);
  if (unit > 0 && units.longest <= kLongest32 * unit) {
    units.unit = unit;
    return units;
  }
  if (decimals == Decimals::kAllowed) {
    const double parts = common_parts(graph);
    // One more than the bound: its terms are rounded, it is not.
    if (parts > 0 && units.longest * parts + 1 <= kLongest32) {
      units.parts = parts;
      units.exact = false;
      return units;
    }
  }
  units.wide = true;
  units.longest *= 1 + 1e-9;  // sums of doubles are rounded
  units.exact = unit > 0 && units.longest <= 0x1p52 * unit;
  return units;
}

}  // namespace lodestar::index
