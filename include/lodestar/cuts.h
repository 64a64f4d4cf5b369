// Cut potentials: signed distances to separators (Chen, Gotsman 2018).
//
//   CutOptions options;
//   options.potential_count = 16;                                // values per node
//   const Potentials potentials = cut_potentials(graph, options);
//
// They need no training. On lattices they are much better than landmarks; elsewhere not always.
//
// A separator S divides the nodes into a low side and a high side, such that every path from low to
// high meets S. Then f(v) = -d(v, S) on the low side and d(S, v) on the high side is feasible. Its
// bound is exact for pairs whose shortest path crosses S where S is nearest to both. A sweep orders
// the nodes by coordinates in some direction, or by d(a, ·) - d(b, ·) for two remote nodes a and b.
// It is cut at quantiles; S consists of the nodes below a cut with an arc to a node above it. On a
// symmetric graph a cut gives one potential, on a directed graph two (one for each direction).
#pragma once

#include <cstdint>

#include "lodestar/graph.h"
#include "lodestar/potentials.h"

namespace lodestar {

struct CutOptions {
  std::uint32_t potential_count = 16;
  std::uint64_t seed = 1;
  // Number of sweeps, each cut at equally many quantiles. 0: tries 2, 4 and 8 sweeps by distances
  // and, if there are any, by coordinates, and keeps the one with the fewest expansions on 100
  // queries.
  std::uint32_t sweeps = 0;
  bool by_coordinates = false;     // requires `sweeps` above 0
  std::uint32_t arrangements = 6;  // tried at most; each takes about as long as landmarks
};

Potentials cut_potentials(const Graph& graph, const CutOptions& options);

}  // namespace lodestar
