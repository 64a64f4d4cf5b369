// The nodes below the core by their height: one above the highest neighbour below.
#pragma once

#include <vector>

#include "index/data.h"

namespace lodestar::index {

// Numbers of the index. Arcs up lead from a level to higher ones.
std::vector<std::vector<NodeId>> levels_of(const Data& data);

}  // namespace lodestar::index
