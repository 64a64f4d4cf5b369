// The inner loop of customization, which combines two rows of shortcuts.
//
// The heads of a row are contained in the row of each of its heads, mostly as consecutive entries.
// Eight consecutive entries are recognised by the first and the last and processed at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lodestar/types.h"

namespace lodestar::index {

// Lowers cost[to[heads[i]]] to first + other[i] with middle `over`, if that is less.
void lower_over(const NodeId* heads, const std::uint32_t* other, std::size_t count,
                const ArcIndex* to, std::uint32_t first, NodeId over, std::uint32_t* cost,
                NodeId* middle);
void lower_over(const NodeId* heads, const double* other, std::size_t count, const ArcIndex* to,
                double first, NodeId over, double* cost, NodeId* middle);

}  // namespace lodestar::index
