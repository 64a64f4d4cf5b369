// The nodes below the core by level. The level of a node is one above its highest lower neighbour.
#pragma once

#include <vector>

#include "index/data.h"

namespace lodestar::index {

// Nodes are numbers of the index. Up-arcs lead to higher levels.
std::vector<std::vector<NodeId>> levels_of(const Data& data);

}  // namespace lodestar::index
