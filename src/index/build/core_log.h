// Queries of the whole graph as the core sees them: where their shortest paths enter and leave it.
#pragma once

#include <span>
#include <vector>

#include "lodestar/index.h"
#include "lodestar/types.h"

namespace lodestar::index {

// Pairs of the core graph's nodes. Queries that do not cross the core give none. Of a long log a
// few thousand, evenly taken. Throws Error when a query names a node the graph has not, or when
// the index has no paths.
std::vector<Query> core_log(const Index& index, std::span<const Query> log);

}  // namespace lodestar::index
