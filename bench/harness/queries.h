// Queries to measure with. The same generator gives the same queries everywhere.
//
//   const std::vector<Query> queries = reachable_pairs(graph, 1000, Rng(7));
#pragma once

#include <cstddef>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/rng.h"

namespace lodestar::bench {

// `count` uniform pairs. Source and target may be equal, and there may be no path.
std::vector<Query> any_pairs(const Graph& graph, std::size_t count, Rng rng);

// `count` pairs of different nodes with a path between them, uniform among such. Throws Error when
// hardly any two nodes are connected.
std::vector<Query> reachable_pairs(const Graph& graph, std::size_t count, Rng rng);

// `count` pairs whose target is the 2^exponent-th node Dijkstra settles; fewer, or none, when the
// graph is too small.
std::vector<Query> rank_pairs(const Graph& graph, int exponent, std::size_t count, Rng rng);

}  // namespace lodestar::bench
