// Orders nodes so that neighbours are close together in memory.
#pragma once

#include <vector>

#include "lodestar/graph.h"

namespace lodestar {

// order[i] is the i-th node. Nodes are grouped into small connected clusters, clusters into larger
// clusters and so on; each cluster is contiguous. Takes near-linear time.
std::vector<NodeId> locality_order(const Graph& graph);

}  // namespace lodestar
