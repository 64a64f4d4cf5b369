// How an index counts costs: whole numbers of a unit in 32 bits where that is exact, doubles
// otherwise.
//
// With every weight a whole number of 2^k and every distance at most 2^29 of them, sums are exact
// in any order, an arc takes 8 bytes, and labels are compared as integers. Weights with few decimal
// places (0.25, 0.017) are counted in 10^-k where that is allowed: a cost is then the true sum of
// the decimals, rounded once, where other searches round after each arc. Other graphs are
// contracted in doubles. Sums of doubles are exact too while they stay below 2^53 of the unit;
// when they do not, a shortcut may be off by a rounding, and the searcher adds up the original
// arcs of the path it found, in its order, as every other search does.
#pragma once

#include <cstdint>
#include <limits>

#include "lodestar/graph.h"

namespace lodestar::index {

struct Units {
  double unit = 1;           // a power of two; 1 for doubles and decimals
  double parts = 1;          // a cost is unit · n / parts; a power of ten, for decimals
  bool wide = false;         // doubles
  bool exact = true;         // sums are the same in any order
  Cost longest = kInfinity;  // no distance is longer; an arc that is serves no shortest path
};

// No distance may be longer than this many units in 32 bits: two distances and a potential then
// still fit.
inline constexpr double kLongest32 = 1 << 29;

enum class Decimals : std::uint8_t { kNo, kAllowed };
Units choose_units(const Graph& graph, Decimals decimals);
// With a bound on all distances that is known already (distance_bound.h).
Units choose_units(const Graph& graph, Decimals decimals, Cost longest);

// What a weight or cost is in units, as a real number.
inline double in_units(const Units& units, Cost cost) {
  return units.wide ? cost : cost / units.unit * units.parts;
}

template <class W>
inline constexpr W kNever = std::numeric_limits<W>::max();
template <>
inline constexpr double kNever<double> = kInfinity;

}  // namespace lodestar::index
