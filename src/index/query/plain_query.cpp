#include "index/query/plain_query.h"

namespace lodestar::index {
namespace {

struct Teller {
  std::vector<IndexStep>& steps;
  void on_settle(NodeId node, Cost cost, NodeId parent, Direction side) {
    steps.push_back({node, cost, parent, side});
  }
};

}  // namespace

PlainGraph::PlainGraph(const Graph& given)
    : graph(given.ordered(ArcOrder::kByWeight)),
      look_ahead(std::make_shared<const LookAhead>(graph)) {}

std::size_t PlainGraph::bytes() const {
  return graph.adjacency_bytes() + sizeof(float) * graph.node_count() * (graph.symmetric() ? 1 : 2);
}

PlainQuery::PlainQuery(const Data& data)
    : data_(data), searcher_(data.sorted->graph, data.sorted->look_ahead) {}

SearchResult PlainQuery::run(Query query) {
  SearchResult found = watch != nullptr
                           ? searcher_.run(query, BidirectionalOptions{}, Teller{*watch})
                           : searcher_.run(query);
  effort = {};
  effort.expanded = found.expansions;
  // Sums of both sides are rounded differently from the sum along the path.
  if (found.reached() && !data_.exact) {
    found.cost = found.lower_bound = path_cost(data_.graph, searcher_.path());
  }
  return found;
}

void PlainQuery::path(std::vector<NodeId>& nodes) const {
  nodes = searcher_.path();
  if (!nodes.empty() && !data_.paths) {
    throw Error("the index was built without paths; build it again with paths");
  }
}

}  // namespace lodestar::index
