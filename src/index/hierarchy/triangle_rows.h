// The two loops that customisation consists of: along one row of shortcuts, against another.
//
// A row's heads lie within those of the row of any of its heads, and mostly in runs: eight of them
// in a row are recognised by the first and the last and done at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lodestar/types.h"

namespace lodestar::index {

// cost[to[heads[i]]] falls to first + other[i], over the node `over`, where that is less.
void lower_over(const NodeId* heads, const std::uint32_t* other, std::size_t count,
                const ArcIndex* to, std::uint32_t first, NodeId over, std::uint32_t* cost,
                NodeId* middle);
void lower_over(const NodeId* heads, const double* other, std::size_t count, const ArcIndex* to,
                double first, NodeId over, double* cost, NodeId* middle);

// mine[i] falls to low + along[to[heads[i]]]; returns the least mine[i] + against[to[heads[i]]], or
// low when that is less.
std::uint32_t shorten(const NodeId* heads, std::uint32_t* mine, std::size_t count,
                      const ArcIndex* to, const std::uint32_t* along, const std::uint32_t* against,
                      std::uint32_t low);
double shorten(const NodeId* heads, double* mine, std::size_t count, const ArcIndex* to,
               const double* along, const double* against, double low);

}  // namespace lodestar::index
