// Eliminates the nodes of a graph in a given order: when a node is removed, its remaining
// neighbours become adjacent to each other. The result is the set of neighbours of higher rank of
// each node. It depends only on the topology; customization adds weights.
#pragma once

#include <span>
#include <vector>

#include "index/hierarchy/plain_topology.h"

namespace lodestar::index {

struct Elimination {
  std::vector<NodeId> rank;  // [n] of the graph's nodes; everything below is in ranks
  std::vector<NodeId> node;  // [n] its inverse
  // Arcs to higher ranks, ascending by head. The heads of a node are adjacent to each other.
  std::vector<ArcIndex> first;  // [n + 1]
  std::vector<NodeId> head;     // [arcs]
  // The same arcs by head: low[first_low[x] …] are the arcs that end at x, ascending by tail.
  std::vector<ArcIndex> first_low;  // [n + 1]
  std::vector<ArcIndex> low;        // [arcs]
  std::vector<NodeId> low_tail;     // [arcs] their tails
  std::vector<NodeId> tail;         // [arcs]
  std::vector<NodeId> parent;       // [n] the lowest head; kNoNode at a root

  NodeId size() const { return static_cast<NodeId>(rank.size()); }
  std::size_t arc_count() const { return head.size(); }
  std::span<const NodeId> heads(NodeId u) const {
    return {head.data() + first[u], head.data() + first[u + 1]};
  }
  // The arc between two ranks, u < v; kNoNode if there is none.
  ArcIndex find(NodeId u, NodeId v) const;
  std::size_t bytes() const;
};

// order[i] is the i-th node to eliminate. Throws TooManyShortcuts (cch.h) above `most_arcs`.
Elimination eliminate(const PlainTopology& graph, std::span<const NodeId> order,
                      std::size_t most_arcs);

// The nodes of the graph in post-order of the elimination tree. Eliminating them in this order
// gives the same shortcuts.
std::vector<NodeId> postorder(const Elimination& elimination);

}  // namespace lodestar::index
