// A query of an index of a graph that does not contract: a search of the graph from both ends.
#pragma once

#include <memory>
#include <vector>

#include "index/runner.h"
#include "lodestar/bidirectional.h"

namespace lodestar::index {

// What all searchers of an index share.
struct PlainGraph {
  explicit PlainGraph(const Graph& graph);
  Graph graph;  // with arcs by weight
  std::shared_ptr<const LookAhead> look_ahead;
  std::size_t bytes() const;
};

class PlainQuery final : public Runner {
 public:
  explicit PlainQuery(const Data& data);
  SearchResult run(Query query) override;
  void path(std::vector<NodeId>& nodes) const override;

 private:
  const Data& data_;
  BidirectionalSearcher searcher_;
};

}  // namespace lodestar::index
