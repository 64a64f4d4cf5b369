// Draws queries of the distribution that potentials are trained for.
#pragma once

#include <vector>

#include "lodestar/fit.h"
#include "lodestar/rng.h"
#include "lodestar/search.h"

namespace lodestar {

class QuerySampler {
 public:
  QuerySampler(const Graph& graph, QueryKind kind, std::span<const Query> log);

  // source ≠ target; on a directed graph the target may be unreachable. `searcher` is used to
  // measure ranks.
  Query draw(Rng& rng, Searcher& searcher) const;

 private:
  QueryKind kind_;
  std::vector<Query> log_;
  std::vector<NodeId> part_;  // the nodes of the largest component
};

}  // namespace lodestar
