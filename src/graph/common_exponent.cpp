#include "graph/common_exponent.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lodestar {

int common_exponent(const Graph& graph) {
  int exact = kNoExponent;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      if (arc.weight == 0) continue;
      int exponent = 0;
      const double mantissa = std::frexp(arc.weight, &exponent);
      const auto bits = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
      exact = std::min(exact, exponent - 53 + std::countr_zero(bits));
    }
  }
  return exact;
}

}  // namespace lodestar
