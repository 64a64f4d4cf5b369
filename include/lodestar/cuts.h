// Cuts: signed distances to separators as potentials (Chen, Gotsman 2018).
//
//   CutOptions options;
//   options.potential_count = 16;                                // values per node
//   const Potentials potentials = cut_potentials(graph, options);
//
// A separator S splits the nodes into a low side and a high side: every way from low to high meets
// S. Then f(v) = -d(v, S) on the low side and d(S, v) on the high one is feasible, and its bound is
// exact for pairs whose shortest path crosses S where it is nearest to both. A sweep orders the
// nodes, by coordinates in some direction or by d(a, ·) - d(b, ·) for far-apart a and b; it is cut
// at quantiles, and S is the nodes below with an arc to one above. On a symmetric graph a cut gives
// one potential. On a directed one it gives two, low to high and high to low.
//
// Nothing is learned. On lattices cuts are a far better table than landmarks; elsewhere not always.
#pragma once

#include <cstdint>

#include "lodestar/graph.h"
#include "lodestar/potentials.h"

namespace lodestar {

struct CutOptions {
  std::uint32_t potential_count = 16;
  std::uint64_t seed = 1;
  // Sweeps, each cut at equally many quantiles. 0: several arrangements are tried, 2, 4 and 8
  // sweeps by distances and, where there are coordinates, by these; the one with the fewest
  // expansions on 100 queries is taken.
  std::uint32_t sweeps = 0;
  bool by_coordinates = false;     // with `sweeps` above 0
  std::uint32_t arrangements = 6;  // tried at most; each takes as long as landmarks do
};

Potentials cut_potentials(const Graph& graph, const CutOptions& options);

}  // namespace lodestar
