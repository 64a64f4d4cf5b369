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
  Value to = 0, from = 0;
  if (both_ways) {
    for (std::uint32_t k = 0; k < count; ++k) {
      const Value ahead = static_cast<Value>(target[k] - row[k]);
      const Value back = static_cast<Value>(row[k] - source[k]);
      to = std::max<Value>(to, static_cast<Value>(ahead < 0 ? -ahead : ahead));
      from = std::max<Value>(from, static_cast<Value>(back < 0 ? -back : back));
    }
  } else {
    for (std::uint32_t k = 0; k < count; ++k) {
      to = std::max(to, static_cast<Value>(target[k] - row[k]));
      from = std::max(from, static_cast<Value>(row[k] - source[k]));
    }
  }
  return {to, from};
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
