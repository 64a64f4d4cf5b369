// Estimates the query time for a core, to decide when contraction should stop.
#pragma once

#include <cstdint>

#include "index/data.h"

namespace lodestar::index {

// The estimated mean time of sample queries in nanoseconds, computed from operation counts, so it
// is the same on every machine. The core is searched with landmarks, which are a little worse than
// the potentials that will be trained.
double estimated_cost(Data data, std::uint64_t seed);
// The same for queries that cross the core by core distances, which need not exist yet. Integer
// weights only.
double estimated_sweep_cost(Data data, std::uint64_t seed);

// Whether sample queries are cheaper than `cost` (of estimated_cost) if the graph is searched from
// both ends without an index.
bool plain_is_cheaper(const Graph& graph, std::uint64_t seed, double cost);

}  // namespace lodestar::index
