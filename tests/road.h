// A road-like graph, small and always the same.
#pragma once

#include "lodestar/generate.h"

namespace lodestar::testing {

inline Graph road(NodeId nodes, std::uint64_t seed = 1) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = nodes;
  spec.seed = seed;
  return generate(spec);
}

}  // namespace lodestar::testing
