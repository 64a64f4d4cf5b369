#include "index/matrix/kernel.h"

#include <algorithm>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/simd.h"

namespace lodestar::index {
namespace {

// Vectors of 32 bytes; the compiler splits them for processors with shorter ones.
template <class T>
struct VectorOf {
  typedef T Value __attribute__((vector_size(32)));
  typedef T InMemory __attribute__((vector_size(32), aligned(sizeof(T)), may_alias));
  static constexpr std::size_t kLanes = 32 / sizeof(T);
};

// kVectors accumulators stay in registers while all terms pass by: one load per lane and term.
template <class T, std::size_t kVectors, class W>
inline __attribute__((always_inline)) void min_plus_step(const W* rows, std::size_t stride,
                                                         const Item<W>* terms, std::size_t count,
                                                         W* least) {
  using V = VectorOf<T>;
  auto* out = reinterpret_cast<typename V::InMemory*>(least);
  typename V::Value sums[kVectors];
  for (std::size_t k = 0; k < kVectors; ++k) sums[k] = out[k];
  for (const Item<W>*term = terms, *end = terms + count; term != end; ++term) {
    const auto* row = reinterpret_cast<const typename V::InMemory*>(rows + term->key * stride);
    const T distance = static_cast<T>(term->distance);
    for (std::size_t k = 0; k < kVectors; ++k) {
      const typename V::Value sum = row[k] + distance;
      sums[k] = sum < sums[k] ? sum : sums[k];
    }
  }
  for (std::size_t k = 0; k < kVectors; ++k) out[k] = sums[k];
}

template <class T, class W>
inline __attribute__((always_inline)) void min_plus_lanes(const W* rows, std::size_t stride,
                                                          const Item<W>* terms, std::size_t count,
                                                          W* least, std::size_t lanes) {
  constexpr std::size_t kWide = 8 * VectorOf<T>::kLanes, kNarrow = VectorOf<T>::kLanes;
  std::size_t i = 0;
  for (; i + kWide <= lanes; i += kWide) {
    min_plus_step<T, 8>(rows + i, stride, terms, count, least + i);
  }
  for (; i + kNarrow <= lanes; i += kNarrow) {
    min_plus_step<T, 1>(rows + i, stride, terms, count, least + i);
  }
  for (; i < lanes; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      least[i] = std::min<W>(least[i], rows[terms[k].key * stride + i] + terms[k].distance);
    }
  }
}

typedef std::int32_t Units __attribute__((vector_size(16)));
typedef std::int32_t UnitsInMemory __attribute__((vector_size(16), aligned(4), may_alias));
typedef std::int64_t Mask __attribute__((vector_size(32)));
typedef double Costs __attribute__((vector_size(32)));
typedef double CostsInMemory __attribute__((vector_size(32), aligned(8), may_alias));

// Sixteen bytes at an aligned address, past the caches if kStream is set.
template <bool kStream, class V>
inline __attribute__((always_inline)) void store(void* to, V value) {
  static_assert(sizeof value == 16);
#if defined(__SSE2__)
  if constexpr (kStream) {
    _mm_stream_si128(static_cast<__m128i*>(to), reinterpret_cast<__m128i>(value));
    return;
  }
#endif
  __builtin_memcpy(to, &value, sizeof value);
}

// Calls one(i) for single cells and four(i) for four of them; streams need aligned addresses.
template <bool kStream, class T, class One, class Four>
inline __attribute__((always_inline)) void by_fours(const T* cells, std::size_t count,
                                                    const One& one, const Four& four) {
  std::size_t i = 0;
  if constexpr (kStream) {
    for (; i < count && reinterpret_cast<std::uintptr_t>(cells + i) % 16 != 0; ++i) one(i);
  }
  for (; i + 4 <= count; i += 4) four(i);
  for (; i < count; ++i) one(i);
}

template <bool kDivided, bool kStream>
inline __attribute__((always_inline)) void costs_of(const std::uint32_t* units, std::size_t count,
                                                    double factor, double* costs) {
  constexpr auto kNone = static_cast<std::int32_t>(kFar);
  const Costs infinite = {kInfinity, kInfinity, kInfinity, kInfinity};
  by_fours<kStream>(
      costs, count,
      [&](std::size_t i) __attribute__((always_inline)) {
        const double whole = static_cast<std::int32_t>(units[i]);
        costs[i] = units[i] < kFar ? (kDivided ? whole / factor : whole * factor) : kInfinity;
      },
      [&](std::size_t i) __attribute__((always_inline)) {
        const Units n = *reinterpret_cast<const UnitsInMemory*>(units + i);
        const Costs whole = __builtin_convertvector(n, Costs);
        const Costs cost = kDivided ? whole / factor : whole * factor;
        const Mask reached = __builtin_convertvector(n < kNone, Mask);
        const Costs result = reached ? cost : infinite;
        store<kStream>(costs + i, __builtin_shufflevector(result, result, 0, 1));
        store<kStream>(costs + i + 2, __builtin_shufflevector(result, result, 2, 3));
      });
}

template <bool kStream>
inline __attribute__((always_inline)) void wholes_of(const std::uint32_t* units, std::size_t count,
                                                     std::uint32_t* cells) {
  const Units none = {-1, -1, -1, -1};
  by_fours<kStream>(
      cells, count,
      [&](std::size_t i)
          __attribute__((always_inline)) { cells[i] = units[i] < kFar ? units[i] : 0xffffffffu; },
      [&](std::size_t i) __attribute__((always_inline)) {
        const Units n = *reinterpret_cast<const UnitsInMemory*>(units + i);
        store<kStream>(cells + i, n < static_cast<std::int32_t>(kFar) ? n : none);
      });
}

// Simple loops, which the compiler turns into vectors.
template <bool kDivided, class T>
inline __attribute__((always_inline)) bool cells_of(const std::uint32_t* units, std::size_t count,
                                                    double factor, T* cells) {
  int inexact = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double whole = static_cast<std::int32_t>(units[i]);
    const double cost = kDivided ? whole / factor : whole * factor;
    inexact |= !to_cell(units[i] < kFar ? cost : kInfinity, cells[i]);
  }
  return inexact == 0;
}

}  // namespace

LODESTAR_AVX512_CLONE
void min_plus(const std::uint32_t* rows, std::size_t stride, const Item<std::uint32_t>* terms,
              std::size_t count, std::uint32_t* least, std::size_t lanes) {
  min_plus_lanes<std::int32_t>(rows, stride, terms, count, least, lanes);
}

LODESTAR_AVX512_CLONE
void min_plus(const std::uint64_t* rows, std::size_t stride, const Item<std::uint64_t>* terms,
              std::size_t count, std::uint64_t* least, std::size_t lanes) {
  min_plus_lanes<std::int64_t>(rows, stride, terms, count, least, lanes);
}

LODESTAR_AVX512_CLONE
void min_plus(const double* rows, std::size_t stride, const Item<double>* terms, std::size_t count,
              double* least, std::size_t lanes) {
  min_plus_lanes<double>(rows, stride, terms, count, least, lanes);
}

LODESTAR_AVX512_CLONE
bool to_costs(const std::uint32_t* units, std::size_t count, double unit, double parts,
              double* cells, bool stream) {
  if (parts == 1) {
    stream ? costs_of<false, true>(units, count, unit, cells)
           : costs_of<false, false>(units, count, unit, cells);
  } else {
    stream ? costs_of<true, true>(units, count, parts, cells)
           : costs_of<true, false>(units, count, parts, cells);
  }
  return true;
}

LODESTAR_AVX512_CLONE
bool to_costs(const std::uint32_t* units, std::size_t count, double unit, double parts,
              float* cells, bool) {
  return parts == 1 ? cells_of<false>(units, count, unit, cells)
                    : cells_of<true>(units, count, parts, cells);
}

LODESTAR_AVX512_CLONE
bool to_costs(const std::uint32_t* units, std::size_t count, double unit, double parts,
              std::uint32_t* cells, bool stream) {
  if (unit == 1 && parts == 1) {
    stream ? wholes_of<true>(units, count, cells) : wholes_of<false>(units, count, cells);
    return true;
  }
  return parts == 1 ? cells_of<false>(units, count, unit, cells)
                    : cells_of<true>(units, count, parts, cells);
}

void finish_streams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace lodestar::index
