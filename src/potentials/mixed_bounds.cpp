#include "potentials/mixed_bounds.h"

#include <algorithm>

#include "base/simd.h"

namespace lodestar {
namespace {

// The largest rise from `row` to `target` and from `source` to `row` over `count` values, at least
// 0; if `both_ways`, the largest difference.
struct Rises {
  std::int32_t to_target;
  std::int32_t from_source;
};

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

// floor(a/q) - floor(b/q) = d means a - b >= q d - (q - 1).
double in_units(std::int32_t steps, std::int32_t coarse) {
  return steps > 0 ? static_cast<double>(std::int64_t{steps} * coarse - (coarse - 1)) : 0;
}

}  // namespace

LODESTAR_AVX512_CLONE BothBounds MixedBounds::usual_sum(const Term* terms, std::uint32_t count,
                                                        NodeId v) {
  BothBounds sum;
  for (const Term* term = terms; term != terms + count; ++term) {
    const Rises rises =
        rises_of(reinterpret_cast<const std::int32_t*>(term->rows + std::size_t{v} * kUsualBytes),
                 reinterpret_cast<const std::int32_t*>(term->source),
                 reinterpret_cast<const std::int32_t*>(term->target), 16, term->both_ways);
    sum.to_target += term->factor * rises.to_target;
    sum.from_source += term->factor * rises.from_source;
  }
  return sum;
}

LODESTAR_AVX512_CLONE BothBounds MixedBounds::sum(const Term* terms, std::uint32_t count,
                                                  NodeId v) {
  BothBounds sum;
  const auto add = [&]<class Value>(const Term& term, const Value*) __attribute__((always_inline)) {
    const Rises rises = rises_of(
        reinterpret_cast<const Value*>(term.rows + std::size_t{v} * term.row_bytes),
        reinterpret_cast<const Value*>(term.source), reinterpret_cast<const Value*>(term.target),
        static_cast<std::uint32_t>(term.row_bytes / sizeof(Value)), term.both_ways);
    sum.to_target += term.factor * in_units(rises.to_target, term.coarse);
    sum.from_source += term.factor * in_units(rises.from_source, term.coarse);
  };
  for (const Term* term = terms; term != terms + count; ++term) {
    if (term->wide) {
      add(*term, static_cast<const std::int32_t*>(nullptr));
    } else {
      add(*term, static_cast<const std::int16_t*>(nullptr));
    }
  }
  return sum;
}

}  // namespace lodestar
