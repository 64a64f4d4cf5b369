// Orders of elimination by nested dissection: split the graph by a small separator, order both
// sides first, one after the other, and the separator last.
//
// Separators are smallest vertex cuts between the two ends of a sweep (inertial flow, Schild and
// Sommer 2015): by coordinates in four directions where there are any, otherwise by hops from
// nodes far apart. No weight is looked at, so that the order outlives every change of weights.
#pragma once

#include <vector>

#include "lodestar/graph.h"

namespace lodestar::index {

// order[i] = the node that is eliminated i-th.
std::vector<NodeId> nested_dissection_order(const Graph& graph);

}  // namespace lodestar::index
