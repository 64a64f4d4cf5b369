// The inner loops of matrices, on vector registers: (min, +) products and conversion to costs.
//
// Integers stay below 2^31 (64-bit ones below 2^63), so that signed comparisons are right:
// distances and kFar are at most 2^30. Each lane performs the same operations in any version, so
// results do not depend on the processor.
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
void min_plus(const std::uint64_t* rows, std::size_t stride, const Item<std::uint64_t>* terms,
              std::size_t count, std::uint64_t* least, std::size_t lanes);
void min_plus(const double* rows, std::size_t stride, const Item<double>* terms, std::size_t count,
              double* least, std::size_t lanes);

// cells[i] = unit · units[i] / parts; infinite from kFar on. One of unit and parts is 1. Returns
// false if a cell is not exact in the narrower types. `stream` may write past the caches, which is
// faster for cells that do not fit into them; call finish_streams() before another thread reads.
bool to_costs(const std::uint32_t* units, std::size_t count, double unit, double parts,
              double* cells, bool stream);
bool to_costs(const std::uint32_t* units, std::size_t count, double unit, double parts,
              float* cells, bool stream);
bool to_costs(const std::uint32_t* units, std::size_t count, double unit, double parts,
              std::uint32_t* cells, bool stream);
void finish_streams();

// One cost as a cell; false if it is not exact. An integer has its largest value if there is no
// path.
inline bool to_cell(double cost, double& cell) {
  cell = cost;
  return true;
}
inline bool to_cell(double cost, float& cell) {
  cell = static_cast<float>(cost);
  return static_cast<double>(cell) == cost;
}
inline bool to_cell(double cost, std::uint32_t& cell) {
  constexpr double kEnd = 4294967295.0;
  cell = cost < kEnd ? static_cast<std::uint32_t>(cost) : 0xffffffffu;
  return cost == kInfinity || (cost < kEnd && static_cast<double>(cell) == cost);
}

}  // namespace lodestar::index
