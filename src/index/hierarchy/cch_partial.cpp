// A few arcs of the graph have changed: the shortcuts that depend on them, from below.
#include <algorithm>
#include <functional>
#include <queue>
#include <type_traits>

#include "index/hierarchy/cch_weights.h"

namespace lodestar::index {
namespace {

template <class W>
class PartialCustomization {
 public:
  PartialCustomization(const Cch::Topology& topology, const Graph& graph, const Units& units,
                       ShortcutCosts<W>& costs)
      : e_(topology.elimination),
        graph_(graph),
        units_(units),
        costs_(costs),
        waiting_(e_.arc_count(), false) {}

  // Nothing when so much depends on the changes that all may as well be done anew; the costs are
  // then useless. Otherwise the steps taken.
  std::optional<std::size_t> run(std::span<const ArcIndex> shortcuts) {
    for (const ArcIndex a : shortcuts) enqueue(a);
    // Arcs are numbered by their tails: what a shortcut depends on comes before it.
    const std::size_t most = 2 * e_.arc_count() + 10'000;
    while (!queue_.empty()) {
      if (steps_ > most) return std::nullopt;
      const ArcIndex a = queue_.top();
      queue_.pop();
      waiting_[a] = false;
      renew(a);
    }
    return steps_;
  }

 private:
  struct Cost2 {
    W up, down;
    friend bool operator==(const Cost2&, const Cost2&) = default;
  };

  void enqueue(ArcIndex a) {
    if (waiting_[a]) return;
    waiting_[a] = true;
    queue_.push(a);
  }

  W& cost(int side, ArcIndex a) { return costs_.sides[costs_.symmetric ? 0 : side].cost[a]; }
  Cost2 costs_of(ArcIndex a) { return {cost(0, a), cost(1, a)}; }

  W of_graph(NodeId from, NodeId to) const {
    W least = kNoWay<W>;
    for (const Arc arc : graph_.arcs(e_.node[from])) {
      if (arc.head != e_.node[to] || arc.weight > units_.longest) continue;
      least = std::min(least, static_cast<W>(arc.weight / units_.unit));
    }
    return least;
  }

  void renew(ArcIndex a) {
    const NodeId x = e_.tail[a], y = e_.head[a];
    const Cost2 before = costs_of(a);
    for (int side = 0; side < (costs_.symmetric ? 1 : 2); ++side) {
      costs_.sides[side].cost[a] = side == 0 ? of_graph(x, y) : of_graph(y, x);
      costs_.sides[side].middle[a] = kNoNode;
    }
    // Triangles below: nodes that are below both ends.
    ArcIndex i = e_.first_low[x], j = e_.first_low[y];
    const ArcIndex i_end = e_.first_low[x + 1], j_end = e_.first_low[y + 1];
    while (i < i_end && j < j_end) {
      const ArcIndex to_x = e_.low[i], to_y = e_.low[j];
      const NodeId u = e_.tail[to_x], v = e_.tail[to_y];
      ++steps_;
      if (v >= x) break;
      i += u <= v;
      j += v <= u;
      if (u != v) continue;
      lower(0, a, cost(1, to_x) + cost(0, to_y), u);
      if (!costs_.symmetric) lower(1, a, cost(1, to_y) + cost(0, to_x), u);
    }
    const Cost2 after = costs_of(a);
    if (before == after) return;
    steps_ += e_.first[x + 1] - e_.first[x];
    for (ArcIndex b = e_.first[x]; b < e_.first[x + 1]; ++b) {
      if (b == a) continue;
      const ArcIndex low = std::min(a, b), high = std::max(a, b);
      const ArcIndex over = e_.find(e_.head[low], e_.head[high]);
      const Cost2 other = costs_of(b), now = costs_of(over);
      // Did the way over a give the cost of `over`, or does it now?
      const auto touches = [&](W old_sum, W new_sum, W cost_now) {
        return old_sum == cost_now || new_sum < cost_now;
      };
      const bool lower_end = a == low;  // of the triangle's two upper ends, a leads to the lower
      const W old_there = lower_end ? before.down + other.up : other.down + before.up;
      const W new_there = lower_end ? after.down + other.up : other.down + after.up;
      const W old_back = lower_end ? other.down + before.up : before.down + other.up;
      const W new_back = lower_end ? other.down + after.up : after.down + other.up;
      if (touches(old_there, new_there, now.up) || touches(old_back, new_back, now.down)) {
        enqueue(over);
      }
    }
  }

  void lower(int side, ArcIndex a, W sum, NodeId over) {
    ShortcutSide<W>& shortcuts = costs_.sides[side];
    if (!(sum < shortcuts.cost[a])) return;
    shortcuts.cost[a] = sum;
    shortcuts.middle[a] = over;
  }

  const Elimination& e_;
  const Graph& graph_;
  const Units& units_;
  ShortcutCosts<W>& costs_;
  std::priority_queue<ArcIndex, std::vector<ArcIndex>, std::greater<>> queue_;
  std::vector<bool> waiting_;
  std::size_t steps_ = 0;  // triangles looked at
};

}  // namespace

template <class W>
std::optional<std::size_t> renew_shortcuts(const Cch::Topology& topology, const Graph& graph,
                                           const Units& units, std::span<const ArcIndex> shortcuts,
                                           ShortcutCosts<W>& costs) {
  return PartialCustomization<W>(topology, graph, units, costs).run(shortcuts);
}

template std::optional<std::size_t> renew_shortcuts(const Cch::Topology&, const Graph&,
                                                    const Units&, std::span<const ArcIndex>,
                                                    ShortcutCosts<std::uint32_t>&);
template std::optional<std::size_t> renew_shortcuts(const Cch::Topology&, const Graph&,
                                                    const Units&, std::span<const ArcIndex>,
                                                    ShortcutCosts<double>&);

}  // namespace lodestar::index
