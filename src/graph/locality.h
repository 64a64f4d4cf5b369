// An order of the nodes in which neighbours lie close together in memory.
#pragma once

#include <vector>

#include "lodestar/graph.h"

namespace lodestar {

// order[i] = the node that comes i-th. Nodes are gathered into small connected clusters, clusters
// into clusters of clusters and so on; each is contiguous in the order. Near-linear time.
std::vector<NodeId> locality_order(const Graph& graph);

}  // namespace lodestar
