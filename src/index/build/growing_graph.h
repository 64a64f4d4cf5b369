// The graph during contraction: arcs are removed and shortcuts added.
//
// A row has at most one arc to a node, the cheapest, and is sorted by weight. On a symmetric graph
// one row serves both directions, and an arc is in the rows of both its ends. All rows share one
// pool; a row that outgrows its place moves to the end, and compact() removes the gaps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/units.h"
#include "lodestar/graph.h"

namespace lodestar::index {

// An arc or shortcut. `middle` is the contracted node of a shortcut, kNoNode for an arc of the
// graph; `hops` is the number of arcs of the graph it represents.
template <class W>
struct GrowingArc {
  NodeId head;
  W weight;
  NodeId middle;
  std::uint32_t hops;
};

template <class W>
class GrowingGraph {
 public:
  using ArcType = GrowingArc<W>;

  // Node i is order[i] of `graph`. Self-loops, parallel arcs and arcs longer than any distance are
  // left out.
  GrowingGraph(const Graph& graph, const Units& units, std::span<const NodeId> order);

  NodeId node_count() const { return static_cast<NodeId>(rows_[0].size()); }
  bool symmetric() const { return symmetric_; }
  std::span<const ArcType> arcs(NodeId u, Direction direction) const {
    const int side = side_of(direction);
    const Row& row = rows_[side][u];
    return {pools_[side].data() + row.begin, row.size};
  }
  std::size_t degree(NodeId u) const {
    return symmetric_ ? rows_[0][u].size : rows_[0][u].size + rows_[1][u].size;
  }

  // Adds tail → arc.head, unless there is an arc that is at most as long. On a symmetric graph the
  // reverse arc is added as well.
  void add(NodeId tail, const ArcType& arc);
  // Removes u from the rows of its neighbours; its own rows stay.
  void detach(NodeId u);
  // Removes the rows of nodes for which keep(u) is false, and all gaps.
  template <class Keep>
  void compact(Keep&& keep);

 private:
  struct Row {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
  };

  int side_of(Direction direction) const { return symmetric_ ? 0 : static_cast<int>(direction); }
  void put(int side, NodeId u, const ArcType& arc);
  void take(int side, NodeId u, NodeId head);

  bool symmetric_;
  std::vector<Row> rows_[2];
  std::vector<ArcType> pools_[2];
};

template <class W>
template <class Keep>
void GrowingGraph<W>::compact(Keep&& keep) {
  for (int side = 0; side < (symmetric_ ? 1 : 2); ++side) {
    std::vector<ArcType> packed;
    for (NodeId u = 0; u < node_count(); ++u) {
      Row& row = rows_[side][u];
      if (!keep(u)) {
        row = {};
        continue;
      }
      const auto begin = pools_[side].begin() + static_cast<std::ptrdiff_t>(row.begin);
      row.begin = packed.size();
      packed.insert(packed.end(), begin, begin + row.size);
      // Leave room for one more, since most rows gain an arc before they lose one.
      packed.push_back({});
      row.capacity = row.size + 1;
    }
    pools_[side] = std::move(packed);
  }
}

extern template class GrowingGraph<std::uint32_t>;
extern template class GrowingGraph<double>;

}  // namespace lodestar::index
