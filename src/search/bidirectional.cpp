#include "lodestar/bidirectional.h"

#include <cassert>
#include <cmath>

namespace lodestar {

LookAhead::LookAhead(const Graph& graph) {
  for (int d = 0; d < (graph.symmetric() ? 1 : 2); ++d) {
    half_[d].resize(graph.node_count());
    graph.visit(static_cast<Direction>(d), [&](auto adjacency) {
      for (NodeId v = 0; v < graph.node_count(); ++v) {
        double least = kInfinity;
        for (const auto& arc : adjacency.of(v)) {
          if (arc.head != v) least = std::min(least, static_cast<double>(arc.weight));
        }
        const double half = least / 2;
        // A node without arcs is a dead end, so an infinite key is correct.
        float rounded = half > std::numeric_limits<float>::max() && std::isfinite(half)
                            ? std::numeric_limits<float>::max()
                            : static_cast<float>(half);
        if (rounded > half) rounded = std::nextafterf(rounded, 0.0f);
        half_[d][v] = rounded;
      }
    });
  }
}

BidirectionalSearcher::BidirectionalSearcher(Graph graph,
                                             std::shared_ptr<const LookAhead> look_ahead)
    : graph_(std::move(graph)), look_ahead_(std::move(look_ahead)) {
  if (look_ahead_ && look_ahead_->node_count() != graph_.node_count()) {
    detail::refuse_misfit(look_ahead_->node_count(), graph_.node_count());
  }
  labels_.resize(graph_.node_count());
  for (LazyHeap& queue : queue_) queue = LazyHeap(graph_.node_count());
  if (graph_.arc_order() == ArcOrder::kByWeight) {
    for (auto& next : next_arc_) next.resize(graph_.node_count());
  }
}

void BidirectionalSearcher::begin_run(Query query, const BidirectionalOptions& options) {
  detail::check_query(query, graph_.node_count());
  detail::check_factor(options.bound, "the bound");
  run_.next([&] {
    for (Label& label : labels_) label = {};
    for (Estimate& estimate : estimates_) estimate.run = 0;
  });
  for (LazyHeap& queue : queue_) queue.clear();
  meeting_ = kNoNode;
  path_is_one_sided_ = false;
}

const LookAhead& BidirectionalSearcher::look_ahead() {
  if (!look_ahead_) look_ahead_ = std::make_shared<const LookAhead>(graph_);
  return *look_ahead_;
}

SearchResult BidirectionalSearcher::start_again(Query query, const SearchResult& before,
                                                std::uint64_t max_expansions) {
  if (!one_sided_) one_sided_.emplace(graph_);
  SearchResult found =
      one_sided_->run(query, Zero{}, {.max_expansions = max_expansions - before.expansions});
  path_is_one_sided_ = found.cost <= before.cost;
  found.cost = std::min(found.cost, before.cost);
  found.lower_bound = std::min(found.cost, std::max(found.lower_bound, before.lower_bound));
  found.expansions += before.expansions;
  found.pushes += before.pushes;
  assert(found.expansions <= most_expansions(graph_.node_count()));
  return found;
}

SearchResult BidirectionalSearcher::run(Query query, const BidirectionalOptions& options) {
  return run(query, options, NoObserver{});
}

std::vector<NodeId> BidirectionalSearcher::path() const {
  if (path_is_one_sided_ && one_sided_) return one_sided_->path();
  std::vector<NodeId> nodes;
  collect_path(nodes);
  return nodes;
}

// A run that stops early may have found a cheaper path to a node without expanding it again. The
// path is then cheaper than the labels say.
void BidirectionalSearcher::walk_path(SearchResult& result) {
  if (!result.reached()) return;
  collect_path(path_);
  result.cost = std::min(result.cost, path_cost(graph_, path_));
  result.lower_bound = std::min(result.lower_bound, result.cost);
}

void BidirectionalSearcher::collect_path(std::vector<NodeId>& nodes) const {
  nodes.clear();
  if (meeting_ >= labels_.size()) return;
  for (NodeId v = meeting_; v != kNoNode; v = labels_[v].side[0].parent) nodes.push_back(v);
  std::reverse(nodes.begin(), nodes.end());
  for (NodeId v = labels_[meeting_].side[1].parent; v != kNoNode; v = labels_[v].side[1].parent) {
    nodes.push_back(v);
  }
}

}  // namespace lodestar
