// The neighbours of each node, undirected, without loops and parallel edges. Orders and separators
// are computed from it.
#pragma once

#include <span>
#include <vector>

#include "lodestar/graph.h"

namespace lodestar::index {

struct PlainTopology {
  std::vector<ArcIndex> first;  // [n + 1]
  std::vector<NodeId> heads;    // of each node, ascending

  NodeId size() const { return static_cast<NodeId>(first.size() - 1); }
  std::span<const NodeId> of(NodeId u) const {
    return {heads.data() + first[u], heads.data() + first[u + 1]};
  }
};

PlainTopology plain_topology(const Graph& graph);

}  // namespace lodestar::index
