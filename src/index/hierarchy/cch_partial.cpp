// A few arcs of the graph have changed: the shortcuts that depend on them, from below.
//
// A shortcut has the cost of its arc of the graph or of the triangle below it with the lowest node
// `middle`. If that cost rises, the shortcut is computed anew from all triangles. If a triangle
// falls below the cost of the shortcut above it, the shortcut takes its cost. Nothing else changes.
//
// A shortcut whose cost fell is compared with all shortcuts above its triangles. One whose cost
// rose determines hardly any of them. They are found by their middles, which are read row by row.
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

// Numbers that were appended in ascending order, and their places in that order.
class AscendingPlaces {
 public:
  explicit AscendingPlaces(std::size_t size) : words_(size / 64 + 1) {}
  void append(NodeId x) {
    Word& word = words_[x / 64];
    if (word.bits == 0) word.before = count_;
    word.bits |= std::uint64_t{1} << x % 64;
    ++count_;
  }
  bool contains(NodeId x) const { return (words_[x / 64].bits >> x % 64 & 1) != 0; }
  std::uint32_t place(NodeId x) const {
    const Word& word = words_[x / 64];
    return word.before + static_cast<std::uint32_t>(
                             std::popcount(word.bits & ((std::uint64_t{1} << x % 64) - 1)));
  }

 private:
  struct Word {
    std::uint64_t bits = 0;
    std::uint32_t before = 0;
  };
  std::vector<Word> words_;
  std::uint32_t count_ = 0;
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
        rows_(e_.size()),
        waiting_(e_.arc_count()),
        over_risen_(e_.size(), false),
        risen_rows_(e_.size()),
        near_(e_.size(), kNoWay<W>) {
    for (int side = 0; side < kSides; ++side) {
      anew_[side].assign(e_.arc_count(), false);
    }
  }

  // Nothing when so much depends on the changes that all may as well be done anew; the costs are
  // then useless. Otherwise the steps taken.
  std::optional<std::size_t> run(std::span<const ArcIndex> places) {
    for (const ArcIndex place : places) {
      rows_.insert(e_.tail[place / 2]);
      waiting_.insert(place / 2);
      anew_[kSymmetric ? 0 : place % 2][place / 2] = true;
    }
    // Arcs are numbered by their tails: what a shortcut depends on comes before it. All of a row
    // first: its triangles have two sides of it. What they change is in higher rows.
    const std::size_t most = 12 * e_.arc_count() + 10'000;
    std::vector<ArcIndex> row;
    for (NodeId x = rows_.take_below(e_.size()); x != kNoNode; x = rows_.take_below(e_.size())) {
      if (steps_ > most) return std::nullopt;
      for (int side = 0; over_risen_[x] && side < kSides; ++side) find_over_risen(side, x);
      const ArcIndex end = e_.first[x + 1];
      row.clear();
      for (ArcIndex a = waiting_.take_below(end); a != kNoNode; a = waiting_.take_below(end)) {
        row.push_back(a);
      }
      if (row.empty()) continue;
      for (int side = 0; side < kSides; ++side) compute(side, row);
      read_row(x);
      pass_on(row);
    }
    return steps_;
  }

 private:
  static constexpr int kSides = kSymmetric ? 1 : 2;
  // The heads of shortcuts of a row that rose: where they are in risen_heads_, and bits of their
  // last digits.
  struct RisenRow {
    std::uint64_t some[2] = {0, 0};
    std::uint32_t begin[2] = {0, 0}, end[2] = {0, 0};
  };
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
    for (ArcIndex l = begin; l < end; ++l) near_[e_.low_tail[l]] = cost(1 - side, e_.low[l]);
    for (const ArcIndex a : row) {
      if (anew[a]) compute(side, a);
    }
    for (ArcIndex l = begin; l < end; ++l) near_[e_.low_tail[l]] = kNoWay<W>;
  }

  // Requires near_.
  void compute(int side, ArcIndex a) {
    const NodeId x = e_.tail[a], y = e_.head[a];
    W least = of_graph(side, a);
    NodeId middle = kNoNode;
    const auto lower = [&](NodeId u, ArcIndex to_y) {
      const W sum = near_[u] + cost(side, to_y);
      if (!(sum < least)) return;
      least = sum;
      middle = u;
    };
    // The triangle that it had before is often good still, and then saves most of the others.
    if (const NodeId u = costs_.sides[side].middle[a]; u != kNoNode) lower(u, e_.find(u, y));
    // Nodes below both are below x: the others that are below y are not looked at.
    const auto tails = e_.low_tail.begin();
    const NodeId lowest = e_.first_low[x] < e_.first_low[x + 1] ? tails[e_.first_low[x]] : x;
    auto l = static_cast<ArcIndex>(
        std::lower_bound(tails + e_.first_low[y], tails + e_.first_low[y + 1], lowest) - tails);
    const ArcIndex begin = l;
    for (; tails[l] < x; ++l) {  // x itself is below y
      // Never if it is not below x.
      if (near_[tails[l]] < least) lower(tails[l], e_.low[l]);
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

  // The changes of a row to what is above. Requires read_row.
  void pass_on(std::span<const ArcIndex> row) {
    const NodeId x = e_.tail[row[0]];
    const ArcIndex first = e_.first[x];
    RisenRow risen;
    ArcIndex end = first;  // of the shortcuts that rose
    for (int side = 0; side < kSides; ++side) {
      risen.begin[side] = static_cast<std::uint32_t>(risen_heads_.size());
      for (const ArcIndex a : row) {
        const W now = row_[side][a - first], before = row_before_[side][a - first];
        if (now < before) pass_on_fallen(side, a);
        if (!(before < now)) continue;
        risen.some[side] |= std::uint64_t{1} << e_.head[a] % 64;
        risen_heads_.push_back(e_.head[a]);
        end = std::max(end, a + 1);
      }
      risen.end[side] = static_cast<std::uint32_t>(risen_heads_.size());
    }
    if (end == first) return;
    risen_rows_.append(x);
    risen_.push_back(risen);
    for (ArcIndex a = first; a < end; ++a) {
      rows_.insert(e_.head[a]);
      over_risen_[e_.head[a]] = true;
    }
  }

  // To the shortcuts above the triangles of which `a` is a lower side. The heads of x are adjacent
  // to each other. The other lower side has the other direction.
  void pass_on_fallen(int side, ArcIndex a) {
    const NodeId x = e_.tail[a], y = e_.head[a];
    const ArcIndex first = e_.first[x], count = e_.first[x + 1] - first, mine = a - first;
    const NodeId* const heads = e_.head.data() + first;
    const int other = kSides - 1 - side;
    steps_ += count;
    const auto lower = [&](int over_side, ArcIndex over, ArcIndex b) {
      const W sum = row_[side][mine] + row_[other][b];
      if (!(sum < cost(over_side, over))) return;
      set(over_side, over, sum, x);
      rows_.insert(e_.tail[over]);
      waiting_.insert(over);
    };
    for (ArcIndex b = 0; b < mine; ++b) lower(side, find_above(heads[b], y, count - mine), b);
    ArcIndex over = e_.first[y];
    for (ArcIndex b = mine + 1; b < count; ++b) {
      while (e_.head[over] != heads[b]) ++over;
      lower(other, over, b);
    }
  }

  // The shortcut from z to y. From y on z has at least `count` heads, and mostly no more.
  ArcIndex find_above(NodeId z, NodeId y, ArcIndex count) const {
    constexpr ArcIndex kTries = 16;
    ArcIndex a = e_.first[z + 1] - count;
    for (ArcIndex tries = 0; tries < kTries; ++tries, --a) {
      if (e_.head[a] == y) return a;
    }
    return e_.find(z, y);
  }

  // The shortcuts of a row whose cost is that of a triangle with a lower side that rose.
  void find_over_risen(int side, NodeId x) {
    steps_ += e_.first[x + 1] - e_.first[x];
    const SharedArray<NodeId>& middles = costs_.sides[side].middle;
    for (ArcIndex a = e_.first[x]; a < e_.first[x + 1];) {
      for (const NodeId middle : middles.run(a, e_.first[x + 1])) {
        if (middle != kNoNode && risen_rows_.contains(middle) && is_over_risen(side, a, middle)) {
          anew_[side][a] = true;
          waiting_.insert(a);
        }
        ++a;
      }
    }
  }

  // From an end of `a` down to the middle node and up to the other end.
  bool is_over_risen(int side, ArcIndex a, NodeId middle) const {
    const RisenRow& row = risen_[risen_rows_.place(middle)];
    const NodeId x = e_.tail[a], y = e_.head[a];
    return has_risen(row, kSides - 1, side == 0 ? x : y) || has_risen(row, 0, side == 0 ? y : x);
  }
  bool has_risen(const RisenRow& row, int side, NodeId head) const {
    if ((row.some[side] >> head % 64 & 1) == 0) return false;
    const NodeId* const heads = risen_heads_.data();
    return std::find(heads + row.begin[side], heads + row.end[side], head) != heads + row.end[side];
  }

  const Elimination& e_;
  const Graph& graph_;
  const Units& units_;
  const ShortcutCosts<W>& before_;
  ShortcutCosts<W>& costs_;
  AscendingSet rows_;             // with shortcuts that may change
  AscendingSet waiting_;          // shortcuts
  std::vector<bool> anew_[2];     // of those that wait: computed from all triangles
  std::vector<bool> over_risen_;  // rows above shortcuts that rose
  AscendingPlaces risen_rows_;    // rows that are done, with shortcuts that rose
  std::vector<RisenRow> risen_;   // parallel to risen_rows_
  std::vector<NodeId> risen_heads_;
  // By the rank of a node u below the row at hand, x: the cost between x and u, in the direction at
  // hand. Otherwise kNoWay.
  std::vector<W> near_;
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
