// Minimum vertex separators of two sets of nodes, by maximum flow with unit node capacities (Menger
// 1927) and blocking flows (Dinic 1970).
//
//   VertexCut cut;                                       // memory, reused
//   if (cut.run(graph, sources, sinks, most)) use(cut.separator());
#pragma once

#include <span>
#include <vector>

#include "index/hierarchy/plain_topology.h"

namespace lodestar::index {

class VertexCut {
 public:
  // Separates `sources` from `sinks`, which are disjoint; a separator may contain nodes of either.
  // Returns false early if every separator has more than `most` nodes.
  bool run(const PlainTopology& graph, std::span<const NodeId> sources,
           std::span<const NodeId> sinks, std::size_t most);

  // The flow gives two minimum separators, nearest to the sources and nearest to the sinks. This is
  // the one with more nodes on its smaller side.
  std::span<const NodeId> separator() const { return separator_; }
  std::size_t smaller_side() const { return smaller_side_; }

 private:
  // Each node is split into an entry (state 2v) and an exit (state 2v + 1) with capacity 1 between
  // them.
  using State = NodeId;
  static constexpr State entry(NodeId v) { return 2 * v; }
  static constexpr State exit(NodeId v) { return 2 * v + 1; }

  bool find_levels();
  bool augment(NodeId source);
  // The state at the other end of the `at`-th residual arc; kNoNode if the arc is saturated.
  State step(State state, ArcIndex at) const;
  void pick();

  const PlainTopology* graph_ = nullptr;
  std::span<const NodeId> sources_, sinks_;
  std::vector<NodeId> next_, previous_;  // along the flow; kNoNode if there is none
  std::vector<char> sink_;
  std::vector<std::uint32_t> level_;  // [2n]
  std::vector<ArcIndex> at_;          // [2n] arcs tried in this phase
  std::vector<State> queue_;
  std::vector<NodeId> separator_, other_;
  std::size_t smaller_side_ = 0;
};

}  // namespace lodestar::index
