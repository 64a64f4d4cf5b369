#include "bench/harness/queries.h"

#include "lodestar/bidirectional.h"
#include "lodestar/graph_stats.h"
#include "lodestar/search.h"

namespace lodestar::bench {

std::vector<Query> any_pairs(const Graph& graph, std::size_t count, Rng rng) {
  if (graph.node_count() == 0) throw Error("the graph is empty: there is nothing to ask");
  std::vector<Query> queries(count);
  for (Query& query : queries) {
    query = {rng.below(graph.node_count()), rng.below(graph.node_count())};
  }
  return queries;
}

std::vector<Query> reachable_pairs(const Graph& graph, std::size_t count, Rng rng) {
  // A component answers at once where a search would take milliseconds.
  const bool symmetric = graph.symmetric();
  const Components parts = symmetric ? weak_components(graph) : strong_components(graph);
  BidirectionalSearcher searcher(graph);
  const auto reachable = [&](Query query) {
    if (parts.of[query.source] == parts.of[query.target]) return true;
    return !symmetric && searcher.run(query).reached();
  };
  std::vector<Query> queries;
  const std::size_t most_tries = 100 * count + 10'000;
  for (std::size_t tries = 0; queries.size() < count; ++tries) {
    if (graph.node_count() < 2 || tries == most_tries) {
      throw Error("hardly any two nodes of the graph are connected; give queries of your own");
    }
    const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
    if (query.source != query.target && reachable(query)) queries.push_back(query);
  }
  return queries;
}

std::vector<Query> rank_pairs(const Graph& graph, int exponent, std::size_t count, Rng rng) {
  struct Last {
    NodeId node = kNoNode;
    void on_settle(NodeId v, Cost, NodeId) { node = v; }
  };
  std::vector<Query> queries;
  if (graph.node_count() == 0) return queries;
  Searcher searcher(graph);
  SearchOptions options;
  options.max_expansions = std::uint64_t{1} << exponent;
  for (std::size_t tries = 0; queries.size() < count && tries < 4 * count; ++tries) {
    const NodeId source = rng.below(graph.node_count());
    Last last;
    if (searcher.run({source, kNoNode}, Zero{}, options, last).capped) {
      queries.push_back({source, last.node});
    }
  }
  return queries;
}

}  // namespace lodestar::bench
