#include "potentials/integer_graph.h"

#include <algorithm>
#include <cmath>

#include "graph/common_exponent.h"
#include "lodestar/search.h"

namespace lodestar {

IntegerGraph::IntegerGraph(const Graph& graph, double unit, std::span<const NodeId> order)
    : nodes_(graph.node_count()), unit_(unit), symmetric_(graph.symmetric()) {
  const double per_unit = 1 / unit;
  constexpr double kMost = 0xffffffffu;  // longer than any value here: never a constraint
  std::vector<NodeId> place(order.size());
  for (NodeId i = 0; i < order.size(); ++i) place[order[i]] = i;
  const auto here = [&](NodeId v) { return order.empty() ? v : place[v]; };
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    if (symmetric_ && direction == Direction::kBackward) break;
    Side& side = sides_[static_cast<int>(direction)];
    side.first.reserve(nodes_ + 1);
    side.arcs.reserve(graph.arc_count());
    for (NodeId u = 0; u < nodes_; ++u) {
      side.first.push_back(static_cast<ArcIndex>(side.arcs.size()));
      const NodeId there = order.empty() ? u : order[u];
      for (const Arc arc : graph.arcs(there, direction)) {
        if (arc.head == there) continue;
        const double weight = std::min(std::floor(arc.weight * per_unit), kMost);
        side.arcs.push_back({here(arc.head), static_cast<std::uint32_t>(weight)});
      }
    }
    side.first.push_back(static_cast<ArcIndex>(side.arcs.size()));
  }
}

double choose_unit(const Graph& graph, Cost longest) {
  constexpr int kBits = 29;
  const int exact = common_exponent(graph);
  if (exact == kNoExponent) return 1;  // nothing but zeros
  int coarse = 0;
  std::frexp(longest, &coarse);  // longest < 2^coarse
  return std::ldexp(1.0, std::max(exact, coarse - kBits));
}

Cost longest_distance_bound(const Graph& graph, NodeId start) {
  Searcher searcher(graph);
  Cost bound = 0;
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    struct Farthest {
      Cost reach = 0;
      void on_settle(NodeId, Cost g, NodeId) { reach = g; }
    } farthest;
    searcher.set_direction(direction);
    searcher.run_all(start, farthest);
    bound += farthest.reach;
    if (graph.symmetric()) return 2 * bound;
  }
  return bound;
}

std::vector<NodeId> largest_part_nodes(const Graph& graph) {
  std::vector<bool> seen(graph.node_count(), false);
  std::vector<NodeId> part, largest;
  for (NodeId root = 0; root < graph.node_count(); ++root) {
    if (seen[root]) continue;
    part.assign(1, root);
    seen[root] = true;
    for (std::size_t at = 0; at < part.size(); ++at) {
      for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
        for (const Arc arc : graph.arcs(part[at], direction)) {
          if (seen[arc.head]) continue;
          seen[arc.head] = true;
          part.push_back(arc.head);
        }
      }
    }
    if (part.size() > largest.size()) largest.swap(part);
  }
  std::sort(largest.begin(), largest.end());
  return largest;
}

}  // namespace lodestar
