#include "lodestar/search.h"

namespace lodestar {

Cost path_cost(const Graph& graph, std::span<const NodeId> path) {
  Cost sum = 0;
  const bool by_head = graph.arc_order() == ArcOrder::kByHead;
  graph.visit(Direction::kForward, [&](auto rows) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      detail::check_node(path[i], graph.node_count());
      const auto row = rows.of(path[i]);
      const NodeId head = path[i + 1];
      Cost least = kInfinity;
      auto arc = row.begin();
      // Rows of dense graphs are long.
      if (by_head) {
        arc = std::lower_bound(row.begin(), row.end(), head,
                               [](const auto& one, NodeId v) { return one.head < v; });
      }
      for (; arc != row.end() && (!by_head || arc->head == head); ++arc) {
        if (arc->head == head) least = std::min<Cost>(least, arc->weight);
      }
      sum += least;
    }
  });
  return sum;
}

Cost Searcher::cost_of_parents(NodeId v) const {
  return path_cost(graph_, path(v));
}

void Searcher::check(Query query, const SearchOptions& options) const {
  detail::check_node(query.source, graph_.node_count());
  if (query.target != kNoNode) detail::check_node(query.target, graph_.node_count());
  detail::check_factor(options.weight, "the weight of the heuristic");
}

void Searcher::begin_run(NodeId target) {
  run_.next([&] {
    for (Label& label : labels_) label.run = 0;
  });
  queue_.clear();
  left_out_.clear();
  target_ = target;
}

void Searcher::queue_by_cost() {
  queue_.rekey([&](NodeId v) {
    return HeapEntry{labels_[v].g, static_cast<float>(-labels_[v].g), v};
  });
}

std::vector<NodeId> Searcher::path(NodeId v) const {
  std::vector<NodeId> nodes;
  if (!is_labelled(v)) return nodes;
  for (; v != kNoNode; v = labels_[v].parent) nodes.push_back(v);
  // In a backward search the parents already lead from the node to the target.
  if (direction_ == Direction::kForward) std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace lodestar
