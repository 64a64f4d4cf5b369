#include "lodestar/focal.h"

namespace lodestar {

FocalSearcher::FocalSearcher(Graph graph) : graph_(std::move(graph)) {
  labels_.resize(graph_.node_count());
  for (NodeHeap* heap : {&open_, &waiting_, &focal_}) *heap = NodeHeap(graph_.node_count());
}

void FocalSearcher::check(Query query, const FocalOptions& options) const {
  detail::check_query(query, graph_.node_count());
  detail::check_factor(options.bound, "the bound");
  detail::check_factor(options.weight, "the weight of the order");
}

void FocalSearcher::begin_run(NodeId target) {
  run_.next([&] {
    for (Label& label : labels_) label.run = 0;
  });
  for (NodeHeap* heap : {&open_, &waiting_, &focal_}) heap->clear();
  target_ = target;
}

void FocalSearcher::focal_by_cost() {
  focal_.rekey([&](NodeId v) {
    return HeapEntry{labels_[v].g, static_cast<float>(-labels_[v].g), v};
  });
}

void FocalSearcher::collect_path(std::vector<NodeId>& nodes) const {
  nodes.clear();
  if (target_ >= labels_.size() || labels_[target_].run != run_) return;
  for (NodeId v = target_; v != kNoNode; v = labels_[v].parent) nodes.push_back(v);
  std::reverse(nodes.begin(), nodes.end());
}

std::vector<NodeId> FocalSearcher::path() const {
  std::vector<NodeId> nodes;
  collect_path(nodes);
  return nodes;
}

}  // namespace lodestar
