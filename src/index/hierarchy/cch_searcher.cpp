#include <algorithm>

#include "base/simd.h"
#include "index/hierarchy/cch_weights.h"
#include "lodestar/cch.h"

namespace lodestar {

using index::Elimination;
using index::kNoWay;
using index::ShortcutCosts;
using index::ShortcutSide;

namespace {

// cost[head] <- min(cost[head], from + weight) over a row, heads ascending. Where separators are
// large most heads follow one another, and eight are done at once.
template <class W>
inline void relax_heads(W* __restrict cost, const NodeId* __restrict head,
                        const W* __restrict weight, std::size_t count, W from) {
  constexpr std::size_t kTogether = 8;
  std::size_t i = 0;
  while (i + kTogether <= count) {
    W* const at = cost + head[i];
    if (head[i + kTogether - 1] - head[i] == kTogether - 1) {
      for (std::size_t k = 0; k < kTogether; ++k) at[k] = std::min(at[k], from + weight[i + k]);
      i += kTogether;
    } else {
      if (from + weight[i] < *at) *at = from + weight[i];
      ++i;
    }
  }
  for (; i < count; ++i) {
    if (from + weight[i] < cost[head[i]]) cost[head[i]] = from + weight[i];
  }
}
LODESTAR_AVX2_CLONE void relax_row(std::uint32_t* cost, const NodeId* head,
                                   const std::uint32_t* weight, std::size_t count,
                                   std::uint32_t from) {
  relax_heads(cost, head, weight, count, from);
}
LODESTAR_AVX2_CLONE void relax_row(double* cost, const NodeId* head, const double* weight,
                                   std::size_t count, double from) {
  relax_heads(cost, head, weight, count, from);
}

}  // namespace

// Both walks to the root, and what they leave for the path.
template <class W>
class CchSearcher::Walk {
 public:
  Walk(const Elimination& elimination, const ShortcutCosts<W>& costs)
      : e_(elimination), costs_(costs) {
    for (Side& side : sides_) {
      side.cost.assign(e_.size(), kNoWay<W>);
      if (!costs_.up().first.empty()) side.by.resize(e_.size());
    }
  }

  // s and t are ranks. Returns the cost, kNoWay without a path.
  W run(NodeId s, NodeId t, std::uint64_t& expansions) {
    Side& forward = sides_[0];
    Side& backward = sides_[1];
    forget(forward, source_);
    forget(backward, target_);
    source_ = s;
    target_ = t;
    meeting_ = kNoNode;
    best_ = kNoWay<W>;
    forward.cost[s] = 0;
    backward.cost[t] = 0;
    // Each walk continues separately up to their meeting node; a root leads to kNoNode, the highest
    // rank.
    NodeId x = s, y = t;
    while (x != y) {
      if (x < y) {
        relax(forward, costs_.up(), x, expansions);
        x = e_.parent[x];
      } else {
        relax(backward, costs_.down(), y, expansions);
        y = e_.parent[y];
      }
    }
    for (; x != kNoNode; x = e_.parent[x]) {
      const W through = forward.cost[x] + backward.cost[x];
      if (through < best_) {
        best_ = through;
        meeting_ = x;
      }
      relax(forward, costs_.up(), x, expansions);
      relax(backward, costs_.down(), x, expansions);
    }
    return best_;
  }

  void path(std::vector<NodeId>& nodes) const {
    nodes.clear();
    if (meeting_ == kNoNode) return;
    std::vector<Step>& steps = steps_;
    steps.clear();
    for (NodeId x = meeting_; x != target_; x = e_.tail[steps.back().arc]) {
      steps.push_back({reached_by(1, x), false});
    }
    std::reverse(steps.begin(), steps.end());
    for (NodeId x = meeting_; x != source_; x = e_.tail[steps.back().arc]) {
      steps.push_back({reached_by(0, x), true});
    }
    nodes.push_back(e_.node[source_]);
    while (!steps.empty()) {
      const Step step = steps.back();
      steps.pop_back();
      const ShortcutSide<W>& side = step.up ? costs_.up() : costs_.down();
      const NodeId low = e_.tail[step.arc], high = e_.head[step.arc],
                   middle = side.middle[step.arc];
      const NodeId from = step.up ? low : high, to = step.up ? high : low;
      if (middle == kNoNode) {
        nodes.push_back(e_.node[to]);
      } else {  // down to the middle, and up again
        steps.push_back({e_.find(middle, to), true});
        steps.push_back({e_.find(middle, from), false});
      }
    }
  }

  void watch(std::vector<IndexStep>* steps, double unit) {
    watch_ = steps;
    unit_ = unit;
  }

 private:
  struct Side {
    std::vector<W> cost;       // of the last run's nodes, otherwise kNoWay
    std::vector<ArcIndex> by;  // the arc from below that gave it, where arcs were left out
  };
  struct Step {
    ArcIndex arc;
    bool up;
  };

  static void reach(Side& side, NodeId v, W cost, ArcIndex by) {
    if (!(cost < side.cost[v])) return;
    side.cost[v] = cost;
    side.by[v] = by;
  }

  void forget(Side& side, NodeId from) const {
    for (NodeId x = from; x != kNoNode; x = e_.parent[x]) side.cost[x] = kNoWay<W>;
  }

  // The shortcut by which a node was reached. Noting it at every arc would take longer than finding
  // those of a path: the sums are the same again.
  ArcIndex reached_by(int end, NodeId x) const {
    const ShortcutSide<W>& shortcuts = end == 0 ? costs_.up() : costs_.down();
    const Side& side = sides_[end];
    if (!shortcuts.first.empty()) return shortcuts.kept_as[side.by[x]];
    for (ArcIndex i = e_.first_low[x]; i < e_.first_low[x + 1]; ++i) {
      const ArcIndex arc = e_.low[i];
      const W below = side.cost[e_.tail[arc]];
      if (below < kNoWay<W> && below + shortcuts.cost[arc] == side.cost[x]) return arc;
    }
    throw Error("the hierarchy is inconsistent: a node of a path has no predecessor");
  }

  void relax(Side& side, const ShortcutSide<W>& shortcuts, NodeId u, std::uint64_t& expansions) {
    const W cost = side.cost[u];
    if (cost >= best_) return;  // also when u was not reached
    ++expansions;
    if (watch_ != nullptr) tell(&side == &sides_[0] ? 0 : 1, u);
    if (shortcuts.first.empty()) {
      for (std::size_t at = e_.first[u]; at < e_.first[u + 1];) {
        const std::span<const W> row = shortcuts.cost.run(at, e_.first[u + 1]);
        relax_row(side.cost.data(), e_.head.data() + at, row.data(), row.size(), cost);
        at += row.size();
      }
      return;
    }
    for (ArcIndex a = shortcuts.first[u]; a < shortcuts.first[u + 1]; ++a) {
      reach(side, shortcuts.kept[a].head, cost + shortcuts.kept[a].cost, a);
    }
  }

  void tell(int end, NodeId u) const {
    const NodeId root = end == 0 ? source_ : target_;
    const NodeId parent = u == root ? kNoNode : e_.node[e_.tail[reached_by(end, u)]];
    watch_->push_back({e_.node[u], unit_ * static_cast<Cost>(sides_[end].cost[u]), parent,
                       static_cast<Direction>(end)});
  }

  const Elimination& e_;
  const ShortcutCosts<W>& costs_;
  Side sides_[2];
  mutable std::vector<Step> steps_;  // of a path, still to be unpacked, the next one last
  std::vector<IndexStep>* watch_ = nullptr;
  double unit_ = 1;
  W best_ = 0;
  NodeId source_ = kNoNode, target_ = kNoNode, meeting_ = kNoNode;
};

class CchSearcher::Impl {
 public:
  explicit Impl(std::shared_ptr<const CchMetric::Weights> weights) : weights_(std::move(weights)) {
    const Elimination& elimination = weights_->topology->elimination;
    if (const auto* narrow = std::get_if<ShortcutCosts<std::uint32_t>>(&weights_->costs)) {
      walk_.emplace<Walk<std::uint32_t>>(elimination, *narrow);
    } else {
      walk_.emplace<Walk<double>>(elimination, std::get<ShortcutCosts<double>>(weights_->costs));
    }
  }

  SearchResult run(Query query, std::vector<IndexStep>* watch) {
    return std::visit([&](auto& walk) { return run_with(walk, query, watch); }, walk_);
  }

  void path(std::vector<NodeId>& nodes) const {
    if (const auto* narrow = std::get_if<Walk<std::uint32_t>>(&walk_)) {
      narrow->path(nodes);
    } else {
      std::get<Walk<double>>(walk_).path(nodes);
    }
  }

 private:
  SearchResult run_with(std::monostate, Query, std::vector<IndexStep>*) { return {}; }
  template <class W>
  SearchResult run_with(Walk<W>& walk, Query query, std::vector<IndexStep>* watch) {
    const Elimination& elimination = weights_->topology->elimination;
    SearchResult result;
    walk.watch(watch, weights_->units.unit);
    const W cost =
        walk.run(elimination.rank[query.source], elimination.rank[query.target], result.expansions);
    if (cost < kNoWay<W>) result.cost = weights_->units.unit * static_cast<Cost>(cost);
    result.lower_bound = result.cost;
    return result;
  }

  std::shared_ptr<const CchMetric::Weights> weights_;
  std::variant<std::monostate, Walk<std::uint32_t>, Walk<double>> walk_;
};

CchSearcher::CchSearcher(const CchMetric& metric)
    : impl_(std::make_unique<Impl>(metric.weights())) {}
CchSearcher::~CchSearcher() = default;
CchSearcher::CchSearcher(CchSearcher&&) noexcept = default;
CchSearcher& CchSearcher::operator=(CchSearcher&&) noexcept = default;

SearchResult CchSearcher::run(Query query) {
  return impl_->run(query, nullptr);
}
SearchResult CchSearcher::run(Query query, std::vector<IndexStep>& steps) {
  return impl_->run(query, &steps);
}
std::vector<NodeId> CchSearcher::path() const {
  std::vector<NodeId> nodes;
  impl_->path(nodes);
  return nodes;
}
void CchSearcher::path(std::vector<NodeId>& nodes) const {
  impl_->path(nodes);
}

}  // namespace lodestar
