// A few arcs of the graph have changed: the shortcuts that depend on them, from below.
//
// A shortcut has the cost of its arc of the graph or of the triangle below it with the lowest node
// `middle`. If that cost rises, the shortcut is computed anew from all triangles. If a triangle
// falls below the cost of the shortcut above it, the shortcut takes its cost. Nothing else changes.
#include <algorithm>
#include <bit>

#include "index/hierarchy/cch_weights.h"

namespace lodestar::index {
namespace {

// A set of numbers, taken in ascending order.
class AscendingSet {
 public:
  explicit AscendingSet(std::size_t size) : words_(size / 64 + 1, 0) {}
  void insert(ArcIndex a) { words_[a / 64] |= std::uint64_t{1} << a % 64; }
  // Removes the smallest number; kNoNode if none is less than `end`. Only numbers of at least the
  // last `end` that had none may be inserted afterwards.
  ArcIndex take_below(std::size_t end) {
    while (words_[at_] == 0 && at_ < end / 64) ++at_;
    if (words_[at_] == 0) return kNoNode;
    const std::size_t least = 64 * at_ + static_cast<unsigned>(std::countr_zero(words_[at_]));
    if (least >= end) return kNoNode;
    words_[at_] &= words_[at_] - 1;
    return static_cast<ArcIndex>(least);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t at_ = 0;
};

template <class W, bool kSymmetric>
class PartialCustomization {
 public:
  PartialCustomization(const Cch::Topology& topology, const Graph& graph, const Units& units,
                       const ShortcutCosts<W>& before, ShortcutCosts<W>& costs)
      : e_(topology.elimination),
        graph_(graph),
        units_(units),
        before_(before),
        costs_(costs),
        waiting_(e_.arc_count()) {
    for (int side = 0; side < kSides; ++side) {
      anew_[side].assign(e_.arc_count(), false);
      near_[side].assign(e_.size(), kNoWay<W>);
    }
  }

  // Nothing when so much depends on the changes that all may as well be done anew; the costs are
  // then useless. Otherwise the steps taken.
  std::optional<std::size_t> run(std::span<const ArcIndex> places) {
    for (const ArcIndex place : places) {
      waiting_.insert(place / 2);
      anew_[kSymmetric ? 0 : place % 2][place / 2] = true;
    }
    // Arcs are numbered by their tails: what a shortcut depends on comes before it.
    const std::size_t most = 12 * e_.arc_count() + 10'000;
    std::vector<ArcIndex> row;
    for (ArcIndex a = waiting_.take_below(e_.arc_count()); a != kNoNode;
         a = waiting_.take_below(e_.arc_count())) {
      if (steps_ > most) return std::nullopt;
      // All of a row first: its triangles have two sides of it. What they change is in higher rows.
      const ArcIndex end = e_.first[e_.tail[a] + std::size_t{1}];
      for (row.clear(); a != kNoNode; a = waiting_.take_below(end)) row.push_back(a);
      for (int side = 0; side < kSides; ++side) compute(side, row);
      read_row(e_.tail[row[0]]);
      for (const ArcIndex done : row) pass_on(done);
    }
    return steps_;
  }

 private:
  static constexpr int kSides = kSymmetric ? 1 : 2;
  W cost(int side, ArcIndex a) const { return costs_.sides[kSymmetric ? 0 : side].cost[a]; }
  W before(int side, ArcIndex a) const {
    return before_.sides[before_.symmetric ? 0 : side].cost[a];
  }

  W of_graph(int side, ArcIndex a) const {
    const NodeId from = side == 0 ? e_.tail[a] : e_.head[a];
    const NodeId to = side == 0 ? e_.head[a] : e_.tail[a];
    W least = kNoWay<W>;
    for (const Arc arc : graph_.arcs(e_.node[from])) {
      if (arc.head != e_.node[to] || arc.weight > units_.longest) continue;
      least = std::min(least, static_cast<W>(arc.weight / units_.unit));
    }
    return least;
  }

  void set(int side, ArcIndex a, W cost, NodeId middle) {
    costs_.sides[side].cost.set(a, cost);
    costs_.sides[side].middle.set(a, middle);
  }

  // Computes those shortcuts of a row that must be, from all triangles below.
  void compute(int side, std::span<const ArcIndex> row) {
    const auto& anew = anew_[side];
    if (std::none_of(row.begin(), row.end(), [&](ArcIndex a) { return anew[a]; })) return;
    const NodeId x = e_.tail[row[0]];
    const ArcIndex begin = e_.first_low[x], end = e_.first_low[x + 1];
    steps_ += end - begin;
    std::vector<W>& near = near_[side];
    for (ArcIndex l = begin; l < end; ++l) near[e_.low_tail[l]] = cost(1 - side, e_.low[l]);
    for (const ArcIndex a : row) {
      if (anew[a]) compute(side, a);
    }
    for (ArcIndex l = begin; l < end; ++l) near[e_.low_tail[l]] = kNoWay<W>;
  }

  // Requires near_.
  void compute(int side, ArcIndex a) {
    const NodeId x = e_.tail[a], y = e_.head[a];
    W least = of_graph(side, a);
    NodeId middle = kNoNode;
    // Nodes below both are below x: the others that are below y are not looked at.
    const auto tails = e_.low_tail.begin();
    const NodeId lowest = e_.first_low[x] < e_.first_low[x + 1] ? tails[e_.first_low[x]] : x;
    auto l = static_cast<ArcIndex>(
        std::lower_bound(tails + e_.first_low[y], tails + e_.first_low[y + 1], lowest) - tails);
    const ArcIndex begin = l;
    const std::vector<W>& near = near_[side];
    for (; tails[l] < x; ++l) {  // x itself is below y
      const NodeId u = tails[l];
      if (!(near[u] < least)) continue;  // also if u is not below x
      const W sum = near[u] + cost(side, e_.low[l]);
      if (!(sum < least)) continue;
      least = sum;
      middle = u;
    }
    steps_ += l - begin;
    set(side, a, least, middle);
  }

  void read_row(NodeId x) {
    const ArcIndex first = e_.first[x], end = e_.first[x + 1];
    for (int side = 0; side < kSides; ++side) {
      row_[side].resize(end - first);
      row_before_[side].resize(end - first);
      for (ArcIndex a = first; a < end; ++a) {
        row_[side][a - first] = cost(side, a);
        row_before_[side][a - first] = before(side, a);
      }
    }
  }

  // To the shortcuts above the triangles of which `a` is a lower side. The heads of x are adjacent
  // to each other. Requires read_row.
  void pass_on(ArcIndex a) {
    const NodeId x = e_.tail[a], y = e_.head[a];
    const ArcIndex first = e_.first[x], count = e_.first[x + 1] - first, mine = a - first;
    bool same = true;
    for (int side = 0; side < kSides; ++side) {
      same = same && row_[side][mine] == row_before_[side][mine];
    }
    if (same) return;
    steps_ += count;
    const NodeId* const heads = e_.head.data() + first;
    for (ArcIndex b = 0; b < mine; ++b) renew(b, mine, e_.find(heads[b], y), x);
    ArcIndex over = e_.first[y];
    for (ArcIndex b = mine + 1; b < count; ++b) {
      while (e_.head[over] != heads[b]) ++over;
      renew(mine, b, over, x);
    }
  }

  // The shortcut over the triangle of x whose lower sides are at `low` and `high` of the row.
  void renew(ArcIndex low, ArcIndex high, ArcIndex over, NodeId x) {
    for (int side = 0; side < kSides; ++side) {
      // Up: from the lower end down to x and up to the higher end.
      const ArcIndex down = side == 0 ? low : high, up = side == 0 ? high : low;
      constexpr int kDown = kSides - 1;
      const W sum = row_[kDown][down] + row_[0][up], now = cost(side, over);
      if (sum < now) {
        set(side, over, sum, x);
        waiting_.insert(over);
      } else if (row_before_[kDown][down] + row_before_[0][up] == now && sum > now &&
                 costs_.sides[side].middle[over] == x) {
        anew_[side][over] = true;
        waiting_.insert(over);
      }
    }
  }

  const Elimination& e_;
  const Graph& graph_;
  const Units& units_;
  const ShortcutCosts<W>& before_;
  ShortcutCosts<W>& costs_;
  AscendingSet waiting_;
  std::vector<bool> anew_[2];  // of those that wait: computed from all triangles
  // By the rank of a node u below the row at hand, x: the cost from x to u, and back. Otherwise
  // kNoWay.
  std::vector<W> near_[2];
  std::vector<W> row_[2], row_before_[2];  // costs of the row at hand
  std::size_t steps_ = 0;                  // shortcuts looked at
};

}  // namespace

template <class W>
std::optional<std::size_t> renew_shortcuts(const Cch::Topology& topology, const Graph& graph,
                                           const Units& units, std::span<const ArcIndex> places,
                                           const ShortcutCosts<W>& before,
                                           ShortcutCosts<W>& costs) {
  if (costs.symmetric) {
    return PartialCustomization<W, true>(topology, graph, units, before, costs).run(places);
  }
  return PartialCustomization<W, false>(topology, graph, units, before, costs).run(places);
}

template std::optional<std::size_t> renew_shortcuts(const Cch::Topology&, const Graph&,
                                                    const Units&, std::span<const ArcIndex>,
                                                    const ShortcutCosts<std::uint32_t>&,
                                                    ShortcutCosts<std::uint32_t>&);
template std::optional<std::size_t> renew_shortcuts(const Cch::Topology&, const Graph&,
                                                    const Units&, std::span<const ArcIndex>,
                                                    const ShortcutCosts<double>&,
                                                    ShortcutCosts<double>&);

}  // namespace lodestar::index
