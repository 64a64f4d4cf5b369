// Elimination orders by nested dissection: a small separator splits the graph; both sides come
// first and the separator last.
//
// Separators are minimum vertex cuts between the two ends of a sweep (inertial flow, Schild and
// Sommer 2015). Sweeps follow coordinates in four directions, or the number of hops from remote
// nodes if there are no coordinates. Weights are ignored, so the order stays valid when weights
// change.
#pragma once

#include <vector>

#include "lodestar/graph.h"

namespace lodestar::index {

// order[i] is the i-th node to eliminate.
std::vector<NodeId> nested_dissection_order(const Graph& graph);

}  // namespace lodestar::index
