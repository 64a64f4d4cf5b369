// The two inner loops of customization, which combine two rows of shortcuts.
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

// Lowers mine[i] to low + along[to[heads[i]]]. Returns the minimum of low and all
// mine[i] + against[to[heads[i]]].
std::uint32_t shorten(const NodeId* heads, std::uint32_t* mine, std::size_t count,
                      const ArcIndex* to, const std::uint32_t* along, const std::uint32_t* against,
                      std::uint32_t low);
double shorten(const NodeId* heads, double* mine, std::size_t count, const ArcIndex* to,
               const double* along, const double* against, double low);

}  // namespace lodestar::index
