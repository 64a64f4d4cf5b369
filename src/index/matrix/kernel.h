// The inner loops of matrices, on vector registers: (min, +) products and conversion to costs.
//
// Integers stay below 2^31, so that signed comparisons are right: distances and kFar are at most
// 2^30. Each lane performs the same operations in any version, so results do not depend on the
// processor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "index/matrix/item.h"

namespace lodestar::index {

// Rows of lanes are padded to a multiple of this.
inline constexpr std::size_t kLaneStep = 16;
constexpr std::size_t padded(std::size_t lanes) {
  return (lanes + kLaneStep - 1) / kLaneStep * kLaneStep;
}

// least[i] = min(least[i], rows[key · stride + i] + distance) over all terms, for i < lanes.
void min_plus(const std::uint32_t* rows, std::size_t stride, const Item<std::uint32_t>* terms,
              std::size_t count, std::uint32_t* least, std::size_t lanes);
void min_plus(const double* rows, std::size_t stride, const Item<double>* terms, std::size_t count,
              double* least, std::size_t lanes);

// costs[i] = unit · units[i] / parts; infinite from kFar on. One of unit and parts is 1.
void to_costs(const std::uint32_t* units, std::size_t count, double unit, double parts,
              double* costs);

}  // namespace lodestar::index
