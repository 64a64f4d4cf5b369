#include "index/units.h"

#include <cmath>

#include "graph/common_exponent.h"
#include "index/distance_bound.h"

namespace lodestar::index {
namespace {

// The least power of ten, 10 … 10^15, in whose parts every weight is a whole number, as far as
// doubles can tell; 0 if there is none.
double common_parts(const Graph& graph) {
  double parts = 10;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      while (std::round(arc.weight * parts) / parts != arc.weight) {
        if (parts >= kMostParts) return 0;
        parts *= 10;
      }
    }
  }
  return parts;
}

}  // namespace

Units choose_units(const Graph& graph, Decimals decimals) {
  return choose_units(graph, decimals, distance_bound(graph));
}

Units choose_units(const Graph& graph, Decimals decimals, Cost longest) {
  Units units;
  units.longest = longest;
  const int exponent = common_exponent(graph);
  if (exponent == kNoExponent) return units;  // zeros count in any unit
  const double unit = std::ldexp(1.0, exponent);
  if (unit > 0 && units.longest <= kLongest32 * unit) {
    units.unit = unit;
    return units;
  }
  const double parts = decimals == Decimals::kAllowed ? common_parts(graph) : 0;
  // One more than the bound: its terms are rounded, it is not.
  if (parts > 0 && units.longest * parts + 1 <= kLongest32) {
    units.parts = parts;
    units.exact = false;
    return units;
  }
  units.wide = true;
  units.longest *= 1 + 1e-9;  // sums of doubles are rounded
  units.exact = unit > 0 && units.longest <= 0x1p52 * unit;
  if (!units.exact && parts > 0 && units.longest * parts + 1 <= 0x1p52) units.parts = parts;
  return units;
}

}  // namespace lodestar::index
