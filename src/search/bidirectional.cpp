#include "lodestar/bidirectional.h"

#include <algorithm>
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
        // A node without arcs is a dead end: an infinite key is right.
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
  labels_.resize(graph_.node_count());
  for (LazyHeap& queue : queue_) queue = LazyHeap(graph_.node_count());
  if (graph_.arc_order() == ArcOrder::kByWeight) {
    for (auto& next : next_arc_) next.resize(graph_.node_count());
  }
}

void BidirectionalSearcher::begin_run() {
  if (++run_ == 0) {  // after 2^32 queries old labels would look new
    for (Label& label : labels_) label = {};
    for (Estimate& estimate : estimates_) estimate.run = 0;
    run_ = 1;
  }
  for (LazyHeap& queue : queue_) queue.clear();
  meeting_ = kNoNode;
}

const LookAhead& BidirectionalSearcher::look_ahead() {
  if (!look_ahead_) look_ahead_ = std::make_shared<const LookAhead>(graph_);
  return *look_ahead_;
}

SearchResult BidirectionalSearcher::run(Query query, BidirectionalKeys keys, double bound) {
  return run(query, keys, bound, NoObserver{});
}

std::vector<NodeId> BidirectionalSearcher::path() const {
  std::vector<NodeId> nodes;
  if (meeting_ == kNoNode) return nodes;
  for (NodeId v = meeting_; v != kNoNode; v = labels_[v].side[0].parent) nodes.push_back(v);
  std::reverse(nodes.begin(), nodes.end());
  for (NodeId v = labels_[meeting_].side[1].parent; v != kNoNode; v = labels_[v].side[1].parent) {
    nodes.push_back(v);
  }
  return nodes;
}

}  // namespace lodestar
