// Triangles u, x, y of ranks u < x < y: upwards they give each shortcut the cost of the cheapest
// way below it, downwards they tell which shortcuts a way above beats.
#include <algorithm>

#include "index/hierarchy/cch_weights.h"
#include "index/hierarchy/triangle_rows.h"
#include "lodestar/detail/parallel.h"

namespace lodestar::index {
namespace {

// Chains with fewer triangles than this are not worth waking a thread for.
constexpr std::size_t kWorthThreads = 200'000;

template <class W>
class Triangles {
 public:
  Triangles(const Cch::Topology& topology, ShortcutCosts<W>& costs, unsigned threads)
      : e_(topology.elimination),
        work_(topology.work),
        costs_(costs),
        threads_(thread_count(threads)),
        to_(threads_) {
    for (auto& to : to_) to.resize(e_.size());
  }

  // Shortcuts of x are complete once all triangles (u, x, y) are done, which need those of u alone;
  // so x goes upward.
  void upward() {
    parallel_for(work_.branches.size(), threads_, [&](std::size_t i, std::size_t worker) {
      for (NodeId x = work_.branches[i].begin; x < work_.branches[i].end; ++x) {
        gather(x, 0, x, worker);
      }
    });
    for (const std::vector<NodeId>& chain : work_.chains) {
      // What comes from below the chain is there already, for all its nodes.
      const NodeId lowest = chain.front();
      const unsigned threads = triangles(chain) < kWorthThreads ? 1 : threads_;
      parallel_for(chain.size(), threads,
                   [&](std::size_t i, std::size_t worker) { gather(chain[i], 0, lowest, worker); });
      for (const NodeId x : chain) gather(x, lowest, x, 0);
    }
  }

  // best[·] becomes the distance between the ends. Row y is complete when those above it are done;
  // it then shortens the rows of all u below. A row is written by one thread.
  void downward(std::vector<W> (&best)[2]) {
    std::vector<char> at_top(e_.size(), 0);
    for (const NodeId x : work_.top) at_top[x] = 1;
    for (auto y = work_.top.rbegin(); y != work_.top.rend(); ++y) {
      point_to(*y, 0);
      for (ArcIndex l = e_.first_low[*y]; l < e_.first_low[*y + 1]; ++l) {
        if (at_top[e_.low_tail[l]]) shorten_row(e_.low[l], best, 0);
      }
    }
    parallel_for(work_.branches.size(), threads_, [&](std::size_t i, std::size_t worker) {
      const TreeWork::Branch& branch = work_.branches[i];
      std::vector<NodeId> above;
      for (NodeId y = e_.parent[branch.root]; y != kNoNode; y = e_.parent[y]) above.push_back(y);
      for (auto y = above.rbegin(); y != above.rend(); ++y) {
        const auto begin = e_.low.begin() + e_.first_low[*y],
                   end = e_.low.begin() + e_.first_low[*y + 1];
        auto low = std::lower_bound(begin, end, branch.begin,
                                    [&](ArcIndex a, NodeId u) { return e_.tail[a] < u; });
        if (low == end || e_.tail[*low] >= branch.end) continue;
        point_to(*y, worker);
        for (; low != end && e_.tail[*low] < branch.end; ++low) shorten_row(*low, best, worker);
      }
      for (NodeId y = branch.end; y-- > branch.begin;) {
        point_to(y, worker);
        for (ArcIndex l = e_.first_low[y]; l < e_.first_low[y + 1]; ++l) {
          shorten_row(e_.low[l], best, worker);
        }
      }
    });
  }

 private:
  std::size_t triangles(const std::vector<NodeId>& chain) const {
    std::size_t sum = 0;
    for (const NodeId x : chain) {
      sum += std::size_t{e_.first_low[x + 1] - e_.first_low[x]} * (e_.first[x + 1] - e_.first[x]);
    }
    return sum;
  }

  // to[y] = the shortcut from x to y.
  void point_to(NodeId x, std::size_t worker) {
    for (ArcIndex a = e_.first[x]; a < e_.first[x + 1]; ++a) to_[worker][e_.head[a]] = a;
  }

  // Triangles over x with lowest nodes from … to-1.
  void gather(NodeId x, NodeId from, NodeId to, std::size_t worker) {
    auto& up = costs_.sides[0];
    auto& down = costs_.sides[1];
    ArcIndex l = e_.first_low[x];
    const ArcIndex end = e_.first_low[x + 1];
    while (l < end && e_.low_tail[l] < from) ++l;
    if (l == end || e_.low_tail[l] >= to) return;
    point_to(x, worker);
    for (; l < end; ++l) {
      const ArcIndex low = e_.low[l];
      const NodeId u = e_.low_tail[l];
      if (u >= to) return;
      const std::size_t count = e_.first[u + 1] - low - 1;
      if (count == 0) continue;
      const NodeId* heads = e_.head.data() + low + 1;
      const W to_x = up.cost.data()[low];
      const W from_x = costs_.symmetric ? to_x : down.cost.data()[low];
      lower_over(heads, up.cost.data() + low + 1, count, to_[worker].data(), from_x, u,
                 up.cost.data(), up.middle.data());
      if (costs_.symmetric) continue;
      lower_over(heads, down.cost.data() + low + 1, count, to_[worker].data(), to_x, u,
                 down.cost.data(), down.middle.data());
    }
  }

  // The row of u, which `low` = (u, y) belongs to, by the row of y.
  void shorten_row(ArcIndex low, std::vector<W> (&best)[2], std::size_t worker) {
    const std::size_t count = e_.first[e_.tail[low] + 1] - low - 1;
    if (count == 0) return;
    const NodeId* heads = e_.head.data() + low + 1;
    const ArcIndex* to = to_[worker].data();
    for (const int side : {0, 1}) {
      const int other = costs_.symmetric ? 0 : 1 - side;
      best[side][low] = shorten(heads, best[side].data() + low + 1, count, to, best[side].data(),
                                best[other].data(), best[side][low]);
      if (costs_.symmetric) break;
    }
  }

  const Elimination& e_;
  const TreeWork& work_;
  ShortcutCosts<W>& costs_;
  unsigned threads_;
  std::vector<std::vector<ArcIndex>> to_;  // by worker
};

}  // namespace

template <class W>
void add_triangles(const Cch::Topology& topology, ShortcutCosts<W>& costs, unsigned threads) {
  Triangles<W>(topology, costs, threads).upward();
}

template <class W>
void keep_needed(const Cch::Topology& topology, ShortcutCosts<W>& costs, unsigned threads) {
  const Elimination& e = topology.elimination;
  std::vector<W> best[2];
  for (int side = 0; side < (costs.symmetric ? 1 : 2); ++side) {
    W* const cost = costs.sides[side].cost.data();
    best[side].assign(cost, cost + costs.sides[side].cost.size());
  }
  Triangles<W>(topology, costs, threads).downward(best);
  for (int side = 0; side < (costs.symmetric ? 1 : 2); ++side) {
    ShortcutSide<W>& made = costs.sides[side];
    made.first.assign(1, 0);
    made.first.reserve(e.size() + std::size_t{1});
    made.kept.clear();
    made.kept_as.clear();
    for (NodeId x = 0; x < e.size(); ++x) {
      for (ArcIndex a = e.first[x]; a < e.first[x + 1]; ++a) {
        // Beaten means strictly: a shortcut that is beaten lies on no shortest path.
        const W cost = made.cost[a];
        if (best[side][a] < cost || !(cost < kNoWay<W>)) continue;
        made.kept.push_back({e.head[a], cost});
        made.kept_as.push_back(a);
      }
      made.first.push_back(static_cast<ArcIndex>(made.kept.size()));
    }
  }
}

template void add_triangles(const Cch::Topology&, ShortcutCosts<std::uint32_t>&, unsigned);
template void add_triangles(const Cch::Topology&, ShortcutCosts<double>&, unsigned);
template void keep_needed(const Cch::Topology&, ShortcutCosts<std::uint32_t>&, unsigned);
template void keep_needed(const Cch::Topology&, ShortcutCosts<double>&, unsigned);

}  // namespace lodestar::index
