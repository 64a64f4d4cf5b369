#include "index/distance_bound.h"

#include <algorithm>

#include "lodestar/detail/stop.h"
#include "lodestar/graph_stats.h"

namespace lodestar::index {
namespace {

constexpr ArcIndex kRoot = kNoNode;

}  // namespace

// A shortest path enters each strong component at most once. Its cost inside is at most the cost to
// the root of the component and from there, along any tree. Between two components it uses one arc.
// Arcs are numbered by head in both directions, so numbers do not depend on symmetry.
DistanceBound::DistanceBound(const Graph& graph) {
  const Components parts = graph.symmetric() ? weak_components(graph) : strong_components(graph);
  const NodeId n = graph.node_count();
  components_ = parts.count;
  std::vector<NodeId> place(n), nodes;
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    std::vector<Step>& steps = steps_[static_cast<int>(direction)];
    steps.reserve(n);
    nodes.clear();
    std::vector<bool> seen(n, false);
    graph.visit(direction, [&](auto adjacency) {
      const auto* all = adjacency.arcs;
      for (NodeId root = 0; root < n; ++root) {
        if (seen[root]) continue;
        seen[root] = true;
        std::size_t at = nodes.size();
        nodes.push_back(root);
        steps.push_back({static_cast<NodeId>(at), kRoot});
        for (; at < nodes.size(); ++at) {
          check_stop(at);
          for (const auto& arc : adjacency.of(nodes[at])) {
            if (seen[arc.head] || parts.of[arc.head] != parts.of[root]) continue;
            seen[arc.head] = true;
            nodes.push_back(arc.head);
            steps.push_back({static_cast<NodeId>(at), static_cast<ArcIndex>(&arc - all)});
          }
        }
      }
    });
  }
  graph.visit(Direction::kForward, [&](auto adjacency) {
    const auto* all = adjacency.arcs;
    for (NodeId u = 0; u < n; ++u) {
      for (const auto& arc : adjacency.of(u)) {
        if (parts.of[arc.head] == parts.of[u]) continue;
        leaving_.push_back({parts.of[u], static_cast<ArcIndex>(&arc - all)});
      }
    }
  });
}

Cost DistanceBound::of(const Graph& graph) const {
  if (graph.node_count() == 0) return 0;
  Cost total = 0, longest = 0;
  std::vector<Cost> reach(graph.node_count());
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const std::vector<Step>& steps = steps_[static_cast<int>(direction)];
    graph.visit(direction, [&](auto adjacency) {
      const auto* all = adjacency.arcs;
      Cost farthest = 0;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        check_stop(i);
        if (steps[i].arc == kRoot) {
          total += farthest;
          longest = std::max(longest, farthest);
          farthest = reach[i] = 0;
          continue;
        }
        reach[i] = reach[steps[i].parent] + all[steps[i].arc].weight;
        farthest = std::max(farthest, reach[i]);
      }
      total += farthest;
      longest = std::max(longest, farthest);
    });
    if (graph.symmetric()) return 2 * longest;
  }
  std::vector<Weight> most(components_, 0);
  graph.visit(Direction::kForward, [&](auto adjacency) {
    const auto* all = adjacency.arcs;
    for (const Leaving& arc : leaving_) {
      most[arc.component] = std::max<Weight>(most[arc.component], all[arc.arc].weight);
    }
  });
  for (const Weight weight : most) total += weight;
  return total;
}

std::size_t DistanceBound::bytes() const {
  return sizeof(Step) * (steps_[0].size() + steps_[1].size()) + sizeof(Leaving) * leaving_.size();
}

Cost distance_bound(const Graph& graph) {
  return DistanceBound(graph).of(graph);
}

}  // namespace lodestar::index
