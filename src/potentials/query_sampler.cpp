#include <bit>

#include "potentials/integer_graph.h"
#include "potentials/pair_source.h"

namespace lodestar {

QuerySampler::QuerySampler(const Graph& graph, QueryKind kind, std::span<const Query> log)
    : kind_(kind), part_(largest_part_nodes(graph)) {
  if (part_.size() < 2)
    throw Error("the graph connects no two nodes, so there is nothing to train");
  for (const Query& query : log) {
    if (query.source >= graph.node_count() || query.target >= graph.node_count()) {
      throw Error("the query log contains a node that is not in the graph");
    }
    if (query.source != query.target) log_.push_back(query);
  }
  if (kind == QueryKind::kLog && log_.empty()) {
    throw Error(
        "in every query of the log source and target are equal; add others, or omit the log");
  }
}

Query QuerySampler::draw(Rng& rng, Searcher& searcher) const {
  if (kind_ == QueryKind::kLog) return log_[rng.below(static_cast<std::uint32_t>(log_.size()))];
  const auto size = static_cast<std::uint32_t>(part_.size());
  Query query{part_[rng.below(size)], part_[rng.below(size)]};
  if (kind_ == QueryKind::kRank) {
    constexpr int kLeast = 8;
    const int most = std::max(kLeast, static_cast<int>(std::bit_width(size)) - 1);
    SearchOptions options;
    options.max_expansions = std::uint64_t{1}
                             << (kLeast + rng.below(static_cast<std::uint32_t>(most - kLeast + 1)));
    struct Last {
      NodeId node = kNoNode;
      void on_settle(NodeId v, Cost, NodeId) { node = v; }
    } last;
    searcher.run({query.source, kNoNode}, Zero{}, options, last);
    query.target = last.node;
  }
  while (query.source == query.target) query.target = part_[rng.below(size)];
  return query;
}

}  // namespace lodestar
