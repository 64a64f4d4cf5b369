// Smallest sets of nodes whose removal parts two sets of nodes: maximum flow with one unit through
// each node (Menger 1927), by blocking flows (Dinic 1970).
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
  // Parts `sources` from `sinks`, which have no node in common; a separator may hold nodes of
  // either. False when every separator has more than `most` nodes: it then gives up early.
  bool run(const PlainTopology& graph, std::span<const NodeId> sources,
           std::span<const NodeId> sinks, std::size_t most);

  // Of the two smallest separators the flow knows, nearest the sources and nearest the sinks, the
  // one that leaves more nodes on the smaller side.
  std::span<const NodeId> separator() const { return separator_; }
  std::size_t smaller_side() const { return smaller_side_; }

 private:
  // Each node is an entry and an exit with one unit between. State 2v is the entry, 2v + 1 the
  // exit.
  using State = NodeId;
  static constexpr State entry(NodeId v) { return 2 * v; }
  static constexpr State exit(NodeId v) { return 2 * v + 1; }

  bool find_levels();
  bool augment(NodeId source);
  // The state at the other end of the `at`-th residual arc; kNoNode when it has no room.
  State step(State state, ArcIndex at) const;
  void pick();

  const PlainTopology* graph_ = nullptr;
  std::span<const NodeId> sources_, sinks_;
  std::vector<NodeId> next_, previous_;  // along the flow; kNoNode: none passes
  std::vector<char> sink_;
  std::vector<std::uint32_t> level_;  // [2n]
  std::vector<ArcIndex> at_;          // [2n] arcs tried in this phase
  std::vector<State> queue_;
  std::vector<NodeId> separator_, other_;
  std::size_t smaller_side_ = 0;
};

}  // namespace lodestar::index
