#include "potentials/integer_distances.h"

#include <algorithm>

#include "lodestar/detail/stop.h"

namespace lodestar {

IntegerTree::IntegerTree(const IntegerGraph& graph) : graph_(graph), labels_(graph.node_count()) {
  order_.reserve(graph.node_count());
}

void IntegerTree::run(std::span<const NodeId> roots, Direction direction) {
  std::fill(labels_.begin(), labels_.end(), Label{});
  order_.clear();
  queue_.clear();
  for (const NodeId root : roots) {
    labels_[root].distance = 0;
    queue_.push(0, root);
  }
  while (!queue_.empty()) {
    const auto top = queue_.pop();
    const std::uint32_t key = top.key();
    const NodeId u = top.tag();
    if (key != static_cast<std::uint32_t>(labels_[u].distance)) continue;  // outdated
    order_.push_back(u);
    check_stop(order_.size());
    for (const IntegerArc& arc : graph_.arcs(u, direction)) {
      const std::int64_t distance = std::int64_t{key} + arc.weight;
      Label& label = labels_[arc.head];
      if (distance >= label.distance || distance > IntegerGraph::kRange) continue;
      label = {static_cast<std::int32_t>(distance), u};
      queue_.push(static_cast<std::uint32_t>(distance), arc.head);
    }
  }
}

}  // namespace lodestar
