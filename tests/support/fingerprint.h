// One number for all of a graph: coordinates, arcs and weights.
#pragma once

#include <bit>

#include "lodestar/graph.h"
#include "lodestar/rng.h"

namespace lodestar::testing {

inline std::uint64_t fingerprint(const Graph& graph) {
  std::uint64_t hash = graph.node_count();
  const auto add = [&](std::uint64_t word) { hash = mix64(hash ^ word); };
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    if (graph.has_coordinates()) {
      add(std::bit_cast<std::uint64_t>(graph.points()[u].x));
      add(std::bit_cast<std::uint64_t>(graph.points()[u].y));
    }
    for (const Arc arc : graph.arcs(u)) {
      add(arc.head);
      add(std::bit_cast<std::uint64_t>(static_cast<double>(arc.weight)));
    }
  }
  return hash;
}

}  // namespace lodestar::testing
