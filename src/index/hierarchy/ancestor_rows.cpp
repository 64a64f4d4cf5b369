#include "index/hierarchy/ancestor_rows.h"

#include <algorithm>
#include <new>
#include <thread>

#include "base/simd.h"
#include "index/hierarchy/cch_weights.h"
#include "lodestar/detail/parallel.h"

namespace lodestar::index {
namespace {

// Subtrees of lower nodes have at most this many nodes if memory allows.
constexpr NodeId kSmallSubtree = 8;
// Rows have at most this many entries per shortcut, or so many in all.
constexpr std::size_t kEntriesPerShortcut = 2, kFewEntries = 4096;

}  // namespace

UpperNodes::UpperNodes(const Elimination& e) : depth(e.size(), 0), row(e.size(), kNoNode) {
  const NodeId n = e.size();
  std::vector<NodeId> below(n, 1), widest(n, kNoNode);  // widest: the child of the largest subtree
  for (NodeId x = 0; x < n; ++x) {
    const NodeId parent = e.parent[x];
    if (parent == kNoNode) continue;
    below[parent] += below[x];
    NodeId& best = widest[parent];
    if (best == kNoNode || below[x] > below[best]) best = x;
  }
  path_top.resize(n);
  for (NodeId x = n; x-- > 0;) {
    const NodeId parent = e.parent[x];
    if (parent != kNoNode) depth[x] = depth[parent] + 1;
    levels = std::max(levels, depth[x] + 1);
    path_top[x] = parent != kNoNode && widest[parent] == x ? path_top[parent] : x;
  }
  const auto entries_above = [&](NodeId small) {
    std::size_t sum = 0;
    for (NodeId x = 0; x < n; ++x) {
      if (below[x] > small) sum += whole_lanes(depth[x] + std::size_t{1});
    }
    return sum;
  };
  const std::size_t most = std::max(kEntriesPerShortcut * e.arc_count(), kFewEntries);
  NodeId small = kSmallSubtree;
  while (small < n && entries_above(small) > most) small *= 2;
  for (NodeId x = 0; x < n; ++x) {
    if (below[x] <= small) continue;
    const std::size_t length = whole_lanes(depth[x] + std::size_t{1});
    row[x] = static_cast<std::uint32_t>(entries / kRowLanes);
    entries += length;
    longest = std::max(longest, length);
  }
}

NodeId UpperNodes::common(const Elimination& e, NodeId x, NodeId y) const {
  while (x != kNoNode && y != kNoNode && path_top[x] != path_top[y]) {
    NodeId& deeper = depth[path_top[x]] > depth[path_top[y]] ? x : y;
    deeper = e.parent[path_top[deeper]];
  }
  return x == kNoNode || y == kNoNode ? kNoNode : std::max(x, y);
}

namespace {

template <class W>
inline void lower(W* __restrict mine, const W* __restrict other, std::size_t count, W first) {
  for (std::size_t i = 0; i < count; ++i) {
    const W sum = first + other[i];
    mine[i] = sum < mine[i] ? sum : mine[i];
  }
}

template <class W>
inline W least(const W* one, const W* other, std::size_t count) {
  W best = one[0] + other[0];
  for (std::size_t i = 1; i < count; ++i) best = std::min(best, one[i] + other[i]);
  return best;
}

}  // namespace

LODESTAR_AVX2_CLONE void lower_row(std::uint32_t* mine, const std::uint32_t* other,
                                   std::size_t count, std::uint32_t first) {
  lower(mine, other, count, first);
}
LODESTAR_AVX2_CLONE void lower_row(double* mine, const double* other, std::size_t count,
                                   double first) {
  lower(mine, other, count, first);
}
LODESTAR_AVX2_CLONE std::uint32_t least_sum(const std::uint32_t* one, const std::uint32_t* other,
                                            std::size_t count) {
  return least(one, other, count);
}
double least_sum(const double* one, const double* other, std::size_t count) {
  return least(one, other, count);
}

template <class W>
AncestorRows<W>::AncestorRows(const Elimination& elimination, const UpperNodes& upper, int sides)
    : e_(elimination),
      upper_(upper),
      sides_(static_cast<std::size_t>(sides)),
      state_(elimination.size()) {
  for (int side = 0; side < sides; ++side) {
    // Not initialized: the system provides the memory when rows are filled.
    entries_[side].reset(new (std::align_val_t{64}) W[upper.entries]);
  }
}

template <class W>
void AncestorRows<W>::fill_all(const ShortcutCosts<W>& costs, const TreeWork& work,
                               unsigned threads) {
  // Nodes that stand together need the same rows above.
  parallel_for(work.branches.size(), threads, [&](std::size_t i, std::size_t) {
    for (NodeId x = work.branches[i].end; x-- > work.branches[i].begin;) {
      if (upper_.contains(x)) of(costs, 0, x);
    }
  });
}

template <class W>
void AncestorRows<W>::fill(const ShortcutCosts<W>& costs, NodeId x) {
  std::vector<NodeId> missing;
  for (; x != kNoNode && state_[x].load(std::memory_order_acquire) != State::kFilled;
       x = e_.parent[x]) {
    missing.push_back(x);
  }
  for (auto next = missing.rbegin(); next != missing.rend(); ++next) {
    std::atomic<State>& state = state_[*next];
    State was = State::kEmpty;
    if (state.compare_exchange_strong(was, State::kBusy)) {
      for (std::size_t side = 0; side < sides_; ++side) {
        compute(costs, static_cast<int>(side), *next);
      }
      state.store(State::kFilled, std::memory_order_release);
    }
    while (state.load(std::memory_order_acquire) != State::kFilled) std::this_thread::yield();
  }
}

template <class W>
void AncestorRows<W>::compute(const ShortcutCosts<W>& costs, int side, NodeId x) {
  const std::size_t depth = upper_.depth[x];
  W* const mine = at(side, x);
  std::fill_n(mine, whole_lanes(depth + 1), kNoWay<W>);
  mine[depth] = 0;
  for (ArcIndex a = e_.first[x]; a < e_.first[x + 1];) {
    for (const W cost : costs.sides[side].cost.run(a, e_.first[x + 1])) {
      const NodeId head = e_.head[a++];
      const std::size_t above = upper_.depth[head];
      // Otherwise a path over a lower head is at least as short, also to all above.
      if (cost < mine[above]) lower_row(mine, at(side, head), whole_lanes(above + 1), cost);
    }
  }
}

template class AncestorRows<std::uint32_t>;
template class AncestorRows<double>;

}  // namespace lodestar::index
