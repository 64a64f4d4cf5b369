#include <algorithm>

#include "index/hierarchy/cch_weights.h"
#include "lodestar/cch.h"

namespace lodestar {

using index::Elimination;
using index::kNoWay;
using index::ShortcutCosts;
using index::ShortcutSide;

// The walks from both ends up to the upper nodes, the rows of these, and what they leave for the
// path.
template <class W>
class CchSearcher::Walk {
 public:
  Walk(const Cch::Topology& topology, const ShortcutCosts<W>& costs)
      : e_(topology.elimination), upper_(topology.upper), costs_(costs) {
    for (Side& side : sides_) {
      side.cost.resize(upper_.levels);
      side.row.resize(upper_.longest);
    }
  }

  // s and t are ranks. Returns the cost, kNoWay without a path.
  W run(NodeId s, NodeId t, std::uint64_t& expansions) {
    best_ = kNoWay<W>;
    meeting_ = kNoNode;
    NodeId common = upper_.common(e_, s, t);
    walk(0, s, kNoNode, expansions);
    walk(1, t, common, expansions);
    if (common == kNoNode) return kNoWay<W>;
    if (!upper_.contains(common)) common = sides_[0].top;
    if (common == kNoNode) return best_;
    const std::size_t count = upper_.depth[common] + std::size_t{1};
    for (const int end : {0, 1}) combine_rows(end, count, expansions);
    const W* const up = sides_[0].row.data();
    const W* const down = sides_[1].row.data();
    const W least = index::least_sum(up, down, count);
    if (!(least < best_)) return best_;
    best_ = least;
    std::size_t depth = 0;
    while (up[depth] + down[depth] != least) ++depth;
    for (meeting_ = common; upper_.depth[meeting_] != depth;) meeting_ = e_.parent[meeting_];
    return best_;
  }

  void path(std::vector<NodeId>& nodes) const {
    nodes.clear();
    if (meeting_ == kNoNode) return;
    steps_.clear();
    for (const int end : {1, 0}) {
      climb(end);
      if (end == 0) std::reverse(climb_.begin(), climb_.end());
      for (const ArcIndex arc : climb_) steps_.push_back({arc, end == 0});
    }
    nodes.push_back(e_.node[sides_[0].root]);
    while (!steps_.empty()) {
      const Step step = steps_.back();
      steps_.pop_back();
      const NodeId low = e_.tail[step.arc], high = e_.head[step.arc],
                   middle = shortcuts(step.up ? 0 : 1).middle[step.arc];
      const NodeId from = step.up ? low : high, to = step.up ? high : low;
      if (middle == kNoNode) {
        nodes.push_back(e_.node[to]);
      } else {  // down to the middle, and up again
        steps_.push_back({e_.find(middle, to), true});
        steps_.push_back({e_.find(middle, from), false});
      }
    }
  }

  void watch(std::vector<IndexStep>* steps, double unit) {
    watch_ = steps;
    unit_ = unit;
  }

 private:
  struct Entry {
    NodeId node;
    W cost;
  };
  struct Side {
    NodeId root = kNoNode;       // where the walk begins
    NodeId top = kNoNode;        // the first upper node on the way; kNoNode if there is none
    std::vector<W> cost;         // of the ancestors, by depth, as far as the walk reaches
    std::vector<Entry> entries;  // the upper nodes that the walk reaches
    std::vector<W> row;          // the costs of common upper ancestors, by depth
  };
  struct Step {
    ArcIndex arc;
    bool up;
  };

  const ShortcutSide<W>& shortcuts(int end) const {
    return costs_.sides[costs_.symmetric ? 0 : end];
  }

  // Up to the first upper node. From the node `common` on, the walk may meet that of the other end.
  void walk(int end, NodeId root, NodeId common, std::uint64_t& expansions) {
    Side& side = sides_[end];
    side.root = root;
    side.entries.clear();
    NodeId x = root, last = kNoNode;
    if (upper_.contains(x)) {
      side.entries.push_back({x, 0});
    } else {
      std::fill_n(side.cost.data(), upper_.depth[x], kNoWay<W>);
      side.cost[upper_.depth[x]] = 0;
    }
    for (; x != kNoNode && !upper_.contains(x); last = x, x = e_.parent[x]) {
      const W cost = side.cost[upper_.depth[x]];
      if (x >= common) {
        const W sum = sides_[0].cost[upper_.depth[x]] + cost;
        if (sum < best_) meeting_ = x;
        best_ = std::min(best_, sum);
      }
      if (cost >= best_) continue;  // also if x was not reached
      ++expansions;
      if (watch_ != nullptr) tell(end, x, cost);
      relax(side, shortcuts(end), x, cost);
    }
    side.top = x;
    if (last == kNoNode || x == kNoNode) return;
    // The heads of a node are heads or ancestors of its parent: all that is reached is here.
    for (const NodeId head : e_.heads(last)) {
      const W cost = side.cost[upper_.depth[head]];
      if (cost < best_) side.entries.push_back({head, cost});
    }
  }

  void relax(Side& side, const ShortcutSide<W>& shortcuts, NodeId u, W cost) const {
    for (ArcIndex a = e_.first[u]; a < e_.first[u + 1];) {
      for (const W more : shortcuts.cost.run(a, e_.first[u + 1])) {
        W& known = side.cost[upper_.depth[e_.head[a++]]];
        known = std::min(known, cost + more);
      }
    }
  }

  // The costs to the first `count` ancestors, by depth.
  void combine_rows(int end, std::size_t count, std::uint64_t& expansions) {
    Side& side = sides_[end];
    std::fill_n(side.row.data(), index::whole_lanes(count), kNoWay<W>);
    for (const Entry& entry : side.entries) {
      const std::size_t depth = upper_.depth[entry.node];
      // A path over a lower entry is at least as short, also to all above.
      if (depth < count && side.row[depth] <= entry.cost) continue;
      ++expansions;
      if (watch_ != nullptr) tell(end, entry.node, entry.cost);
      index::lower_row(side.row.data(), row_of(end, entry.node),
                       index::whole_lanes(std::min(count, depth + 1)), entry.cost);
    }
  }

  const W* row_of(int end, NodeId x) const {
    return costs_.rows->of(costs_, costs_.symmetric ? 0 : end, x);
  }

  // The shortcuts from an end up to the meeting node. Noting them during the search would take
  // longer than finding those of a path: the sums are the same again.
  void climb(int end) const {
    const Side& side = sides_[end];
    climb_.clear();
    Entry below{meeting_, kNoWay<W>};
    std::size_t depth = 0;
    if (upper_.contains(meeting_)) {
      depth = upper_.depth[meeting_];
      for (const Entry& entry : side.entries) {
        if (upper_.depth[entry.node] < depth ||
            entry.cost + row_of(end, entry.node)[depth] != side.row[depth]) {
          continue;
        }
        below = entry;
        break;
      }
    } else {
      below.cost = side.cost[upper_.depth[meeting_]];
    }
    for (Entry at = below; at.node != side.root;) {
      const auto [from, arc] = reached_by(end, at);
      climb_.push_back(arc);
      at = from;
    }
    std::reverse(climb_.begin(), climb_.end());
    for (NodeId x = below.node; x != meeting_; x = e_.head[climb_.back()]) {
      climb_.push_back(next_up(end, x, depth));
    }
  }

  // The node of the walk from which another one was reached, and the shortcut.
  std::pair<Entry, ArcIndex> reached_by(int end, const Entry& at) const {
    const Side& side = sides_[end];
    for (NodeId u = side.root; u < at.node && u != side.top; u = e_.parent[u]) {
      const ArcIndex arc = e_.find(u, at.node);
      const W cost = side.cost[upper_.depth[u]];
      if (arc == kNoNode || !(cost < kNoWay<W>)) continue;
      if (cost + shortcuts(end).cost[arc] == at.cost) return {{u, cost}, arc};
    }
    throw Error("the hierarchy is inconsistent: a node of a path has no predecessor");
  }

  // The first shortcut on the way from x to its ancestor of this depth.
  ArcIndex next_up(int end, NodeId x, std::size_t depth) const {
    const W whole = row_of(end, x)[depth];
    for (ArcIndex a = e_.first[x]; a < e_.first[x + 1]; ++a) {
      const NodeId head = e_.head[a];
      if (upper_.depth[head] < depth) break;
      if (shortcuts(end).cost[a] + row_of(end, head)[depth] == whole) return a;
    }
    throw Error("the hierarchy is inconsistent: a node of a path has no successor");
  }

  void tell(int end, NodeId u, W cost) const {
    const NodeId root = sides_[end].root;
    const NodeId parent = u == root ? kNoNode : e_.node[reached_by(end, {u, cost}).first.node];
    watch_->push_back(
        {e_.node[u], unit_ * static_cast<Cost>(cost), parent, static_cast<Direction>(end)});
  }

  const Elimination& e_;
  const index::UpperNodes& upper_;
  const ShortcutCosts<W>& costs_;
  Side sides_[2];
  mutable std::vector<ArcIndex> climb_;
  mutable std::vector<Step> steps_;  // of a path, still to be unpacked, the next one last
  std::vector<IndexStep>* watch_ = nullptr;
  double unit_ = 1;
  W best_ = 0;
  NodeId meeting_ = kNoNode;
};

class CchSearcher::Impl {
 public:
  explicit Impl(std::shared_ptr<const CchMetric::Weights> weights) : weights_(std::move(weights)) {
    const Cch::Topology& topology = *weights_->topology;
    if (const auto* narrow = std::get_if<ShortcutCosts<std::uint32_t>>(&weights_->costs)) {
      walk_.emplace<Walk<std::uint32_t>>(topology, *narrow);
    } else {
      walk_.emplace<Walk<double>>(topology, std::get<ShortcutCosts<double>>(weights_->costs));
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
