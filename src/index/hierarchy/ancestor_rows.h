// Costs from the upper nodes of an elimination tree to all their ancestors.
//
// A walk from a node to the root reads every shortcut on its way, and most of these belong to the
// large separators near the root. Nodes with large subtrees are therefore upper nodes. The row of
// an upper node holds the costs of the cheapest upward paths to its ancestors, by depth. A query
// walks through the small subtree of its end, and takes minima of the rows of the upper nodes
// around it.
//
// A complete customization fills all rows. After a partial one, which must not take longer than
// what depends on the changes, a row is filled when a query needs it first. It depends on those of
// its ancestors only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "index/hierarchy/elimination.h"
#include "index/hierarchy/tree_work.h"

namespace lodestar::index {

// Entries that a loop takes together. Rows begin at and fill multiples of it.
inline constexpr std::size_t kRowLanes = 8;
inline std::size_t whole_lanes(std::size_t count) {
  return (count + kRowLanes - 1) / kRowLanes * kRowLanes;
}

struct UpperNodes {
  std::vector<NodeId> depth;  // [n] the number of ancestors
  // [n] The highest node of its path, where the tree is partitioned into paths that continue with
  // the largest subtree. A walk to the root crosses few of them.
  std::vector<NodeId> path_top;
  std::vector<std::uint32_t> row;  // [n] where its row begins, in lanes; kNoNode of other nodes
  std::size_t entries = 0;         // of all rows of one direction
  std::size_t longest = 0;         // row
  NodeId levels = 0;               // of the tree

  UpperNodes() = default;
  explicit UpperNodes(const Elimination& elimination);
  bool contains(NodeId x) const { return row[x] != kNoNode; }
  // The lowest node that is an ancestor of both or one of them; kNoNode if there is none.
  NodeId common(const Elimination& elimination, NodeId x, NodeId y) const;
  std::size_t bytes() const { return 4 * (depth.size() + path_top.size() + row.size()); }
};

// mine[i] becomes the minimum of itself and first + other[i]; `count` is a multiple of kRowLanes.
void lower_row(std::uint32_t* mine, const std::uint32_t* other, std::size_t count,
               std::uint32_t first);
void lower_row(double* mine, const double* other, std::size_t count, double first);
// The minimum of one[i] + other[i]; count > 0.
std::uint32_t least_sum(const std::uint32_t* one, const std::uint32_t* other, std::size_t count);
double least_sum(const double* one, const double* other, std::size_t count);

template <class W>
struct ShortcutCosts;

// Thread-safe.
template <class W>
class AncestorRows {
 public:
  AncestorRows(const Elimination& elimination, const UpperNodes& upper, int sides);

  // `costs` must always be the same.
  const W* of(const ShortcutCosts<W>& costs, int side, NodeId x) {
    if (state_[x].load(std::memory_order_acquire) != State::kFilled) fill(costs, x);
    return at(side, x);
  }
  void fill_all(const ShortcutCosts<W>& costs, const TreeWork& work, unsigned threads);
  std::size_t bytes() const { return sides_ * (sizeof(W) * upper_.entries) + e_.size(); }

 private:
  enum class State : std::uint8_t { kEmpty, kBusy, kFilled };
  struct Free {
    void operator()(W* entries) const { ::operator delete[](entries, std::align_val_t{64}); }
  };

  W* at(int side, NodeId x) {
    return entries_[side].get() + kRowLanes * std::size_t{upper_.row[x]};
  }
  void fill(const ShortcutCosts<W>& costs, NodeId x);
  void compute(const ShortcutCosts<W>& costs, int side, NodeId x);

  const Elimination& e_;
  const UpperNodes& upper_;
  std::size_t sides_;
  std::unique_ptr<W[], Free> entries_[2];
  std::vector<std::atomic<State>> state_;  // [n]
};

}  // namespace lodestar::index
