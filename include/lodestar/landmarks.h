// Landmark potentials (ALT): distances from a few nodes (Goldberg, Harrelson 2005).
//
//   LandmarkOptions options;
//   options.potential_count = 16;                                // values per node
//   options.method = LandmarkMethod::kAvoid;
//   const Potentials potentials = landmark_potentials(graph, options);
//
// They are the usual baseline, and training can start from them. On a symmetric graph a landmark L
// gives one potential, d(L, ·). On a directed graph it gives two, d(L, ·) and -d(·, L), so the same
// memory holds half as many landmarks.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lodestar/graph.h"
#include "lodestar/potentials.h"

namespace lodestar {

enum class LandmarkMethod : std::uint8_t {
  kFarthest,  // each as far as possible from the previous ones
  kAvoid,     // where the bounds of the previous ones are worst (Goldberg, Werneck 2005)
  kGreedy,    // candidates of both kinds with the best bounds on sample queries
};

struct LandmarkOptions {
  std::uint32_t potential_count = 16;
  LandmarkMethod method = LandmarkMethod::kAvoid;
  std::uint64_t seed = 1;
  std::span<const Query> queries;  // for kGreedy; empty: uniform pairs
};

Potentials landmark_potentials(const Graph& graph, const LandmarkOptions& options);

// "farthest", "avoid", "greedy".
std::string to_string(LandmarkMethod method);
LandmarkMethod parse_landmark_method(const std::string& text);

}  // namespace lodestar
