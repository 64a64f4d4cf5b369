// A road-like graph, small and always the same.
#pragma once

#include "lodestar/generate.h"
#include "lodestar/graph_io.h"

namespace lodestar::testing {

inline Graph road(NodeId nodes, std::uint64_t seed = 1) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = nodes;
  spec.seed = seed;
  return generate(spec);
}

// As if read from a file whose first node has this number.
inline GraphFile road_file(NodeId nodes, NodeId first, std::uint64_t seed = 1) {
  GraphFile file;
  file.graph = road(nodes, seed);
  file.names = NodeNames::numbered(first, file.graph.node_count());
  return file;
}

}  // namespace lodestar::testing
