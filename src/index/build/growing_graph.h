// The graph during contraction: arcs are removed and shortcuts added.
//
// A row has at most one arc to a node, the cheapest, and is sorted by weight. On a symmetric graph
// one row serves both directions, and an arc is in the rows of both its ends. A row that outgrows
// its place moves to a larger one, and compact() removes the gaps.
//
// The rows are divided into parts. Several threads may change rows if each has a part of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
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
  GrowingGraph(const Graph& graph, const Units& units, std::span<const NodeId> order,
               std::uint32_t parts = 1);

  NodeId node_count() const { return static_cast<NodeId>(rows_[0].size()); }
  bool symmetric() const { return symmetric_; }
  std::span<const ArcType> arcs(NodeId u, Direction direction) const {
    const Row& row = rows_[side_of(direction)][u];
    return {row.arcs, row.size};
  }

  std::size_t parts() const { return arenas_.size(); }
  // Neighbours mostly have the same part; all parts shrink alike when nodes are contracted.
  bool is_in(std::size_t part, NodeId u) const {
    return arenas_.size() == 1 || u / kStripe % arenas_.size() == part;
  }

  // The functions below change rows of this part only, and have to be called for each.

  // Adds tail → arc.head, unless there is an arc that is at most as long. On a symmetric graph the
  // reverse arc is added as well.
  void add(std::size_t part, NodeId tail, const ArcType& arc);
  // Removes u from the rows of its neighbours; its own rows stay.
  void detach(std::size_t part, NodeId u);
  // Removes the rows of nodes for which keep(u) is false, and all gaps.
  template <class Keep>
  void compact(std::size_t part, Keep&& keep);

 private:
  static constexpr NodeId kStripe = 64;

  struct Row {
    ArcType* arcs = nullptr;
    std::uint32_t size = 0;
    std::uint32_t capacity = 0;
  };

  // Memory of the rows of a part. It does not move, so that others can read rows meanwhile.
  class Arena {
   public:
    explicit Arena(std::size_t expected = 0) : block_(expected) {}
    ArcType* take(std::size_t arcs) {
      if (arcs > free_) {
        free_ = std::max(arcs, block_);
        block_ = std::max(kLeastBlock, free_ / 4);
        blocks_.push_back(std::make_unique_for_overwrite<ArcType[]>(free_));
        next_ = blocks_.back().get();
      }
      free_ -= arcs;
      return std::exchange(next_, next_ + arcs);
    }

   private:
    static constexpr std::size_t kLeastBlock = 256;
    std::vector<std::unique_ptr<ArcType[]>> blocks_;
    ArcType* next_ = nullptr;
    std::size_t free_ = 0, block_;  // arcs left, and in the next block
  };

  int side_of(Direction direction) const { return symmetric_ ? 0 : static_cast<int>(direction); }
  template <class Body>
  void for_each_in(std::size_t part, Body&& body) const;
  void fill(std::size_t part, const Graph& graph, const Units& units, std::span<const NodeId> order,
            std::span<const NodeId> place);
  void put(std::size_t part, int side, NodeId u, const ArcType& arc);
  void take(int side, NodeId u, NodeId head);

  bool symmetric_;
  std::vector<Row> rows_[2];
  std::vector<Arena> arenas_;  // by part
};

template <class W>
template <class Body>
void GrowingGraph<W>::for_each_in(std::size_t part, Body&& body) const {
  const std::size_t step = arenas_.size() * kStripe;
  for (std::size_t begin = part * kStripe; begin < node_count(); begin += step) {
    const std::size_t end = std::min<std::size_t>(begin + kStripe, node_count());
    for (std::size_t u = begin; u < end; ++u) body(static_cast<NodeId>(u));
  }
}

template <class W>
template <class Keep>
void GrowingGraph<W>::compact(std::size_t part, Keep&& keep) {
  std::size_t room = 0;
  for (int side = 0; side < (symmetric_ ? 1 : 2); ++side) {
    for_each_in(part, [&](NodeId u) { room += keep(u) ? rows_[side][u].size + 1 : 0; });
  }
  Arena packed(room);
  for (int side = 0; side < (symmetric_ ? 1 : 2); ++side) {
    for_each_in(part, [&](NodeId u) {
      Row& row = rows_[side][u];
      if (!keep(u)) {
        row = {};
        return;
      }
      // Leave room for one more, since most rows gain an arc before they lose one.
      ArcType* const arcs = packed.take(row.size + 1);
      std::copy_n(row.arcs, row.size, arcs);
      row = {arcs, row.size, row.size + 1};
    });
  }
  arenas_[part] = std::move(packed);
}

extern template class GrowingGraph<std::uint32_t>;
extern template class GrowingGraph<double>;

}  // namespace lodestar::index
