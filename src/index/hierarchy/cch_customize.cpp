// Triangles u, x, y of ranks u < x < y give each shortcut the cost of the cheapest way below it.
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

template void add_triangles(const Cch::Topology&, ShortcutCosts<std::uint32_t>&, unsigned);
template void add_triangles(const Cch::Topology&, ShortcutCosts<double>&, unsigned);

}  // namespace lodestar::index
