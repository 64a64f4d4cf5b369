// The units in which an index counts costs: 32-bit integers if that is exact, otherwise doubles.
//
// If every weight is a multiple of 2^k and every distance at most 2^29 of these units, sums are
// exact in any order, an arc takes 8 bytes, and labels are compared as integers. Weights with few
// decimal places (0.25, 0.017) are counted in units of 10^-k if that is allowed. A cost is then the
// exact sum of the decimals, rounded once; other searches round after each arc. Other graphs are
// contracted in doubles, whose sums are exact below 2^53 units: multiples of a power of two, or
// decimals as whole numbers of 10^-k. Above, a shortcut may have a rounding error, so the searcher
// adds up the arcs of the path in order, as every other search does.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "lodestar/graph.h"

namespace lodestar::index {

struct Units {
  double unit = 1;           // a power of two; 1 for doubles and decimals
  double parts = 1;          // a cost is unit · n / parts; a power of ten, for decimals
  bool wide = false;         // doubles
  bool exact = true;         // sums do not depend on their order
  Cost longest = kInfinity;  // upper bound on distances; longer arcs are on no shortest path
};

// The largest power of ten for decimals: those of more places are not told from their neighbours.
inline constexpr double kMostParts = 1e15;
// The largest distance in 32-bit units; two distances and a potential do not overflow.
inline constexpr double kLongest32 = 1 << 29;

enum class Decimals : std::uint8_t { kNo, kAllowed };
Units choose_units(const Graph& graph, Decimals decimals);
// The same with a known bound on all distances (distance_bound.h).
Units choose_units(const Graph& graph, Decimals decimals, Cost longest);

// A cost in units, as a real number.
inline double in_units(const Units& units, Cost cost) {
  return cost / units.unit * units.parts;
}
// A weight in units.
template <class W>
W weight_in_units(const Units& units, Weight weight) {
  const double real = in_units(units, weight);
  return static_cast<W>(units.wide && units.parts == 1 ? real : std::round(real));  // decimals
}

template <class W>
inline constexpr W kNever = std::numeric_limits<W>::max();
template <>
inline constexpr double kNever<double> = kInfinity;

}  // namespace lodestar::index
