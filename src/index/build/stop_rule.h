// When contraction should stop: sample queries on the core as it shrinks.
#pragma once

#include <cstdint>

#include "index/data.h"

namespace lodestar::index {

// Mean time of sample queries by a model of what each step costs, in nanoseconds; counts only, so
// it is the same on every machine. The core gets landmarks for it, a little worse than what will be
// learned.
double estimated_cost(Data data, std::uint64_t seed);
// The same for queries that sweep up to the core and cross it by a table, which is not needed for
// it. Whole numbers only.
double estimated_sweep_cost(Data data, std::uint64_t seed);

}  // namespace lodestar::index
