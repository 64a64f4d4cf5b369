// Converts a query log of the whole graph into pairs of core nodes: where shortest paths enter and
// leave the core.
#pragma once

#include <span>
#include <vector>

#include "lodestar/index.h"
#include "lodestar/types.h"

namespace lodestar::index {

// Queries that do not cross the core give no pair. Of a long log, a few thousand evenly spaced
// queries are used. Throws Error if a node is not in the graph or the index has no paths.
std::vector<Query> core_log(const Index& index, std::span<const Query> log);

}  // namespace lodestar::index
