// ALT: distances from a few landmarks as potentials (Goldberg, Harrelson 2005).
//
//   LandmarkOptions options;
//   options.potential_count = 16;                                // values per node
//   options.method = LandmarkMethod::kAvoid;
//   const Potentials potentials = landmark_potentials(graph, options);
//
// On a symmetric graph a landmark gives one potential, d(L, ·). On a directed one it gives two,
// d(L, ·) and -d(·, L), so the same memory holds half as many landmarks. The baseline to beat, and
// where training starts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/potentials.h"

namespace lodestar {

enum class LandmarkMethod : std::uint8_t {
  kFarthest,  // each as far as possible from those before it
  kAvoid,     // where the bounds of those before are worst (Goldberg, Werneck 2005)
  kGreedy,    // from candidates of both kinds, those that serve the sample queries best
};

struct LandmarkOptions {
  std::uint32_t potential_count = 16;
  LandmarkMethod method = LandmarkMethod::kAvoid;
  std::uint64_t seed = 1;
  std::span<const Query> queries;  // for kGreedy; uniform pairs when empty
};

Potentials landmark_potentials(const Graph& graph, const LandmarkOptions& options);

// "farthest", "avoid", "greedy".
std::string to_string(LandmarkMethod method);
LandmarkMethod parse_landmark_method(const std::string& text);

}  // namespace lodestar
