// Initial potentials of both kinds: the landmarks and cuts of a large pool that save most
// expansions.
#pragma once

#include <span>

#include "lodestar/fit.h"

namespace lodestar {

// The choice is greedy. A* with landmarks settles nodes off the path, because their bounds are too
// small. The column that makes most of these bounds large enough is taken first, then the one that
// helps most of the remaining nodes, and so on. The pool has four times the requested number of
// landmarks and of cuts.
Potentials mixed_potentials(const Graph& graph, std::span<const Query> queries,
                            std::uint32_t potentials, std::uint64_t seed);

}  // namespace lodestar
