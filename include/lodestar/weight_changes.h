// Other weights for some arcs of a graph.
//
//   graph = with_weights(graph, arcs, weights);       // arcs: positions in the order of weights()
//
// Graph::with_weights takes all weights and sorts the arcs again. This function copies the arcs and
// changes a few, which takes a millisecond for a million arcs.
#pragma once

#include <span>

#include "lodestar/graph.h"

namespace lodestar {

// Of equal positions the last counts. Parallel arcs are sorted by their new weights. Throws Error
// if a position is out of range, the numbers of arcs and weights differ, or a weight is outside its
// domain.
Graph with_weights(const Graph& graph, std::span<const ArcIndex> arcs,
                   std::span<const Weight> weights);

// Whether an arc may have parallel arcs, so that with_weights may change its position.
bool may_be_parallel(const Graph& graph, ArcIndex arc);

}  // namespace lodestar
