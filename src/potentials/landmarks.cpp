#include "lodestar/landmarks.h"

#include <algorithm>

#include "lodestar/detail/stop.h"
#include "lodestar/rng.h"
#include "lodestar/version.h"
#include "potentials/columns.h"
#include "potentials/integer_distances.h"
#include "potentials/integer_graph.h"

namespace lodestar {
namespace {

using Column = std::vector<std::int32_t>;

// Selects landmarks one after the other and appends their potentials to `columns`.
class Selector {
 public:
  Selector(const IntegerGraph& graph, NodeId start, std::uint64_t seed,
           std::vector<Column>& columns)
      : graph_(graph), tree_(graph), rng_(seed), columns_(columns) {
    // Landmarks and roots are taken from the component of `start`; others give no bounds.
    tree_.run(start, Direction::kForward);
    part_.assign(tree_.order().begin(), tree_.order().end());
    nearest_.assign(graph.node_count(), IntegerTree::kUnreached);
  }

  std::size_t per_landmark() const { return graph_.symmetric() ? 1 : 2; }

  NodeId farthest() {
    if (!any_) {  // the first: far from a random node
      tree_.run(random_node(), Direction::kForward);
      return tree_.order().back();
    }
    NodeId best = part_.front();
    for (const NodeId v : part_) {
      if (nearest_[v] > nearest_[best]) best = v;
    }
    return best;
  }

  // In the shortest path tree of a random root, follow the subtree whose bounds are worst down to
  // a leaf, without entering subtrees that have a landmark.
  NodeId avoid() {
    if (!any_) return farthest();
    const NodeId root = random_node();
    tree_.run(root, Direction::kForward);
    const auto order = tree_.order();
    std::vector<std::int64_t> weight(graph_.node_count(), 0);
    std::vector<bool> taken(graph_.node_count(), false);
    for (const NodeId landmark : landmarks_) taken[landmark] = true;
    std::vector<NodeId> heavy_child(graph_.node_count(), kNoNode);
    NodeId best = kNoNode;
    for (std::size_t at = order.size(); at-- > 0;) {
      const NodeId v = order[at];
      weight[v] += tree_.distance(v) - bound(root, v);
      if (taken[v]) weight[v] = 0;
      if (best == kNoNode || weight[v] > weight[best]) best = v;
      const NodeId parent = tree_.parent(v);
      if (parent == kNoNode) continue;
      weight[parent] += weight[v];
      if (taken[v]) taken[parent] = true;
      if (heavy_child[parent] == kNoNode || weight[v] > weight[heavy_child[parent]]) {
        heavy_child[parent] = v;
      }
    }
    // `best` may be an ancestor of the worst subtree; follow it to its leaf.
    while (heavy_child[best] != kNoNode) best = heavy_child[best];
    return best;
  }

  void add(NodeId landmark) {
    any_ = true;
    landmarks_.push_back(landmark);
    add_column(landmark, Direction::kForward);
    if (!graph_.symmetric()) add_column(landmark, Direction::kBackward);
    // On directed graphs distances in both directions count, because nodes that are hard to reach
    // would otherwise always seem remote.
    const Column& out = columns_[columns_.size() - per_landmark()];
    for (const NodeId v : part_) {
      const std::int32_t round_trip =
          graph_.symmetric() ? out[v] : out[v] / 2 - columns_.back()[v] / 2;
      nearest_[v] = std::min(nearest_[v], round_trip);
    }
  }

  NodeId random_node() { return part_[rng_.below(static_cast<std::uint32_t>(part_.size()))]; }

 private:
  // Unreached nodes get the largest distance: min(d, C) is feasible too.
  void add_column(NodeId landmark, Direction direction) {
    tree_.run(landmark, direction);
    const std::int32_t most = tree_.distance(tree_.order().back());
    const std::int32_t sign = direction == Direction::kForward ? 1 : -1;
    Column& column = columns_.emplace_back(graph_.node_count(), sign * most);
    for (const NodeId v : tree_.order()) column[v] = sign * tree_.distance(v);
  }

  std::int32_t bound(NodeId from, NodeId to) const {
    std::int32_t best = 0;
    for (const Column& column : columns_) {
      const std::int32_t rise = column[to] - column[from];
      best = std::max(best, graph_.symmetric() ? std::abs(rise) : rise);
    }
    return best;
  }

  const IntegerGraph& graph_;
  IntegerTree tree_;
  Rng rng_;
  std::vector<NodeId> part_;
  std::vector<std::int32_t> nearest_;  // to the nearest landmark
  std::vector<NodeId> landmarks_;
  std::vector<Column>& columns_;
  bool any_ = false;
};

// Keeps the groups of candidate columns that improve the bounds of the queries most.
std::vector<Column> choose_greedily(std::vector<Column> candidates, std::size_t group,
                                    std::size_t count, bool symmetric,
                                    std::span<const Query> queries) {
  std::vector<std::int32_t> best(queries.size(), 0);
  const auto bound = [&](std::size_t at, const Query& query) {
    std::int32_t most = 0;
    for (std::size_t i = at; i < at + group; ++i) {
      const std::int32_t rise = candidates[i][query.target] - candidates[i][query.source];
      most = std::max(most, symmetric ? std::abs(rise) : rise);
    }
    return most;
  };
  std::vector<bool> used(candidates.size(), false);
  std::vector<Column> chosen;
  while (chosen.size() < count) {
    std::int64_t most_gain = -1;
    std::size_t choice = 0;
    for (std::size_t at = 0; at < candidates.size(); at += group) {
      if (used[at]) continue;
      check_stop();
      std::int64_t gain = 0;
      for (std::size_t q = 0; q < queries.size(); ++q) {
        gain += std::max(0, bound(at, queries[q]) - best[q]);
      }
      if (gain > most_gain) {
        most_gain = gain;
        choice = at;
      }
    }
    used[choice] = true;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      best[q] = std::max(best[q], bound(choice, queries[q]));
    }
    for (std::size_t i = choice; i < choice + group && chosen.size() < count; ++i) {
      chosen.push_back(candidates[i]);
    }
  }
  return chosen;
}

}  // namespace

PotentialColumns landmark_columns(const Graph& graph, const LandmarkOptions& options,
                                  const TimeLimit& limit) {
  if (graph.node_count() == 0) throw Error("a graph without nodes has no landmarks");
  if (options.potential_count == 0 || options.potential_count > 4096) {
    throw Error("the number of potentials must be between 1 and 4096");
  }
  const NodeId start = largest_part_nodes(graph).front();
  PotentialColumns result;
  result.unit = choose_unit(graph, longest_distance_bound(graph, start));
  const IntegerGraph whole(graph, result.unit);

  if (options.method != LandmarkMethod::kGreedy) {
    try {
      const StopScope scope(limit.stop());
      Selector selector(whole, start, options.seed, result.columns);
      while (result.columns.size() < options.potential_count) {
        selector.add(options.method == LandmarkMethod::kFarthest ? selector.farthest()
                                                                 : selector.avoid());
      }
    } catch (const Stopped&) {
      if (StopScope::pressed()) throw;
    }
    if (result.columns.empty()) result.columns.emplace_back(graph.node_count(), 0);
    for (std::size_t i = 0; result.columns.size() < options.potential_count; ++i) {
      result.columns.push_back(result.columns[i]);
    }
    result.columns.resize(options.potential_count);
    return result;
  }
  std::vector<Column> candidates;
  Selector selector(whole, start, options.seed, candidates);
  constexpr std::size_t kCandidatesPerChoice = 4;
  for (std::size_t i = 0; candidates.size() < kCandidatesPerChoice * options.potential_count; ++i) {
    selector.add(i % 2 == 0 ? selector.avoid() : selector.farthest());
  }
  std::vector<Query> queries(options.queries.begin(), options.queries.end());
  constexpr std::size_t kSampleQueries = 20'000;
  while (options.queries.empty() && queries.size() < kSampleQueries) {
    queries.push_back({selector.random_node(), selector.random_node()});
  }
  result.columns = choose_greedily(std::move(candidates), selector.per_landmark(),
                                   options.potential_count, whole.symmetric(), queries);
  return result;
}

Potentials landmark_potentials(const Graph& graph, const LandmarkOptions& options) {
  const PotentialColumns columns = landmark_columns(graph, options);
  Potentials potentials(graph, columns.columns, columns.unit);
  potentials.origin() = {"alt-" + to_string(options.method), kVersion, kCommit, options.seed, 0, 0};
  return potentials;
}

std::string to_string(LandmarkMethod method) {
  constexpr const char* kNames[] = {"farthest", "avoid", "greedy"};
  return kNames[static_cast<int>(method)];
}

LandmarkMethod parse_landmark_method(const std::string& text) {
  for (const auto method :
       {LandmarkMethod::kFarthest, LandmarkMethod::kAvoid, LandmarkMethod::kGreedy}) {
    if (text == to_string(method)) return method;
  }
  throw Error("unknown landmark method '" + text + "'; choose farthest, avoid or greedy");
}

}  // namespace lodestar
