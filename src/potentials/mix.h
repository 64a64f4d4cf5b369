// A start of both kinds: the landmarks and cuts of a large pool that spare most expansions.
#pragma once

#include <span>

#include "lodestar/fit.h"

namespace lodestar {

// Chosen greedily: A* with landmarks alone settles nodes off the path; each was settled because its
// bound was too small. The column that makes most of these bounds large enough is taken first, then
// the one that helps most of the rest, and so on. The pool has four times as many landmarks as are
// wanted and four times as many cuts.
Potentials mixed_potentials(const Graph& graph, std::span<const Query> queries,
                            std::uint32_t potentials, std::uint64_t seed);

}  // namespace lodestar
