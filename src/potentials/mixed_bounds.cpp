#include "potentials/mixed_bounds.h"

#include <algorithm>

#include "base/simd.h"

namespace lodestar {
namespace {

// Differences of values fit their type: 32-bit values are within ±2^30, 16-bit values not negative.
template <class Value>
__attribute__((always_inline)) inline Rises rises_of(const Value* row, const Value* source,
                                                     const Value* target, std::uint32_t count,
                                                     bool both_ways) {
  Value up = 0, down = 0, up_back = 0, down_back = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    const Value to = static_cast<Value>(target[k] - row[k]);
    const Value from = static_cast<Value>(row[k] - source[k]);
    up = std::max(up, to);
    down = std::max(down, from);
    up_back = std::min(up_back, to);
    down_back = std::min(down_back, from);
  }
  if (!both_ways) return {up, down};
  return {std::max<std::int32_t>(up, -std::int32_t{up_back}),
          std::max<std::int32_t>(down, -std::int32_t{down_back})};
}

}  // namespace

LODESTAR_AVX512_CLONE Rises largest_rises(const std::int32_t* row, const std::int32_t* source,
                                          const std::int32_t* target, std::uint32_t count,
                                          bool both_ways) {
  // The usual number, so that the loop is unrolled.
  if (count == 16) return rises_of(row, source, target, 16, both_ways);
  return rises_of(row, source, target, count, both_ways);
}

LODESTAR_AVX2_CLONE Rises largest_rises(const std::int16_t* row, const std::int16_t* source,
                                        const std::int16_t* target, std::uint32_t count,
                                        bool both_ways) {
  if (count == 16) return rises_of(row, source, target, 16, both_ways);
  return rises_of(row, source, target, count, both_ways);
}

}  // namespace lodestar
