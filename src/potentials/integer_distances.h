// Shortest-path trees in an IntegerGraph, used to select landmarks. Memory is reused between runs.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/min_heap.h"
#include "potentials/integer_graph.h"

namespace lodestar {

class IntegerTree {
 public:
  static constexpr std::int32_t kUnreached = std::numeric_limits<std::int32_t>::max();

  explicit IntegerTree(const IntegerGraph& graph);

  // Forward: distances from the root; backward: to the root. Nodes at a distance above
  // IntegerGraph::kRange are unreached.
  void run(NodeId root, Direction direction) { run(std::span(&root, 1), direction); }
  // Distances from (to) the nearest of several roots.
  void run(std::span<const NodeId> roots, Direction direction);

  std::int32_t distance(NodeId v) const { return labels_[v].distance; }
  NodeId parent(NodeId v) const { return labels_[v].parent; }
  std::span<const NodeId> order() const { return order_; }  // nodes in the order they were settled

 private:
  struct Label {
    std::int32_t distance = kUnreached;
    NodeId parent = kNoNode;
  };
  const IntegerGraph& graph_;
  std::vector<Label> labels_;
  std::vector<NodeId> order_;
  MinHeap<std::uint32_t> queue_;
};

}  // namespace lodestar
