#include "index/core_bound.h"

#include "base/simd.h"

namespace lodestar::index {
namespace {

typedef std::int32_t Lanes __attribute__((vector_size(32)));
typedef std::int32_t LanesInMemory __attribute__((vector_size(32), aligned(4), may_alias));
typedef std::int32_t HalfLanes __attribute__((vector_size(16)));

#define LODESTAR_LOAD(from) (*reinterpret_cast<const LanesInMemory*>(from))

// Inlined, so that it is compiled for the processor of its caller.
[[gnu::always_inline]] inline std::int32_t largest(const Lanes& most) {
  const HalfLanes low = {most[0], most[1], most[2], most[3]};
  const HalfLanes high = {most[4], most[5], most[6], most[7]};
  const HalfLanes half = low > high ? low : high;
  const std::int32_t a = half[0] > half[1] ? half[0] : half[1];
  const std::int32_t b = half[2] > half[3] ? half[2] : half[3];
  return a > b ? a : b;
}

}  // namespace

LODESTAR_AVX2_CLONE
std::int32_t rise_bound(const std::int32_t* f, const std::int32_t* tp, std::uint32_t row) {
  Lanes most = {};
  for (std::uint32_t i = 0; i < row; i += kRowLanes) {
    const Lanes rise = LODESTAR_LOAD(tp + i) - LODESTAR_LOAD(f + i);
    most = most > rise ? most : rise;
  }
  return largest(most);
}

LODESTAR_AVX2_CLONE
std::int32_t both_bound(const std::int32_t* f, const std::int32_t* tp, const std::int32_t* tm,
                        std::uint32_t row) {
  Lanes most = {};
  for (std::uint32_t i = 0; i < row; i += kRowLanes) {
    const Lanes at = LODESTAR_LOAD(f + i);
    const Lanes rise = LODESTAR_LOAD(tp + i) - at;
    const Lanes fall = at - LODESTAR_LOAD(tm + i);
    const Lanes more = rise > fall ? rise : fall;
    most = most > more ? most : more;
  }
  return largest(most);
}

}  // namespace lodestar::index
