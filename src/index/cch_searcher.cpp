#include <algorithm>

#include "index/cch_weights.h"
#include "lodestar/cch.h"

namespace lodestar {

using index::Elimination;
using index::kNoWay;
using index::ShortcutCosts;
using index::ShortcutSide;

// Both walks to the root, and what they leave for the path.
template <class W>
class CchSearcher::Walk {
 public:
  Walk(const Elimination& elimination, const ShortcutCosts<W>& costs)
      : e_(elimination), costs_(costs) {
    for (Side& side : sides_) {
      side.cost.assign(e_.size(), kNoWay<W>);
      side.by.resize(e_.size());
    }
  }

  // s and t are ranks. Returns the cost, kNoWay without a path.
  W run(NodeId s, NodeId t, std::uint64_t& expansions) {
    Side& forward = sides_[0];
    Side& backward = sides_[1];
    source_ = s;
    target_ = t;
    meeting_ = kNoNode;
    best_ = kNoWay<W>;
    forward.cost[s] = 0;
    backward.cost[t] = 0;
    // Up to where the walks meet each goes on its own; a root leads to kNoNode, the highest rank.
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
    for (x = s; x != kNoNode; x = e_.parent[x]) forward.cost[x] = kNoWay<W>;
    for (x = t; x != kNoNode; x = e_.parent[x]) backward.cost[x] = kNoWay<W>;
    return best_;
  }

  std::vector<NodeId> path() const {
    std::vector<NodeId> nodes;
    if (meeting_ == kNoNode) return nodes;
    std::vector<Step> steps;  // still to be unpacked, the next one last
    for (NodeId x = meeting_; x != target_; x = e_.tail[sides_[1].by[x]]) {
      steps.push_back({sides_[1].by[x], false});
    }
    std::reverse(steps.begin(), steps.end());
    for (NodeId x = meeting_; x != source_; x = e_.tail[sides_[0].by[x]]) {
      steps.push_back({sides_[0].by[x], true});
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
    return nodes;
  }

 private:
  struct Side {
    std::vector<W> cost;       // kNoWay between runs
    std::vector<ArcIndex> by;  // the arc from below that gave it
  };
  struct Step {
    ArcIndex arc;
    bool up;
  };

  void relax(Side& side, const ShortcutSide<W>& shortcuts, NodeId u, std::uint64_t& expansions) {
    const W cost = side.cost[u];
    if (cost >= best_) return;  // also when u was not reached
    ++expansions;
    for (ArcIndex a = e_.first[u]; a < e_.first[u + 1]; ++a) {
      const W through = cost + shortcuts.cost[a];
      const NodeId v = e_.head[a];
      if (through < side.cost[v]) {
        side.cost[v] = through;
        side.by[v] = a;
      }
    }
  }

  const Elimination& e_;
  const ShortcutCosts<W>& costs_;
  Side sides_[2];
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

  SearchResult run(Query query) {
    return std::visit([&](auto& walk) { return run_with(walk, query); }, walk_);
  }

  std::vector<NodeId> path() const {
    struct Path {
      std::vector<NodeId> operator()(std::monostate) const { return {}; }
      std::vector<NodeId> operator()(const Walk<std::uint32_t>& walk) const { return walk.path(); }
      std::vector<NodeId> operator()(const Walk<double>& walk) const { return walk.path(); }
    };
    return std::visit(Path{}, walk_);
  }

 private:
  SearchResult run_with(std::monostate, Query) { return {}; }
  template <class W>
  SearchResult run_with(Walk<W>& walk, Query query) {
    const Elimination& elimination = weights_->topology->elimination;
    SearchResult result;
    const W cost =
        walk.run(elimination.rank[query.source], elimination.rank[query.target], result.expansions);
    if (cost < kNoWay<W>) result.cost = weights_->unit * static_cast<Cost>(cost);
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
  return impl_->run(query);
}
std::vector<NodeId> CchSearcher::path() const {
  return impl_->path();
}

}  // namespace lodestar
