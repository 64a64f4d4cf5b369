#include "lodestar/generate.h"
#include "lodestar/search.h"

namespace lodestar {

Query random_reachable_query(Searcher& searcher, Rng& rng) {
  const NodeId n = searcher.graph().node_count();
  if (n >= 2) {
    for (int attempt = 0; attempt < 10'000; ++attempt) {
      const Query query{rng.below(n), rng.below(n)};
      if (query.source != query.target && searcher.run(query, Zero{}).reached()) return query;
    }
  }
  throw Error("no pair of connected nodes found; the graph has too few arcs");
}

}  // namespace lodestar
