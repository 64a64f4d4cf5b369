// Small families of potentials for random cases: trained for one round.
#pragma once

#include <memory>

#include "lodestar/fit_family.h"
#include "request_oracle.h"

namespace lodestar::testing {

inline FamilyOptions quick_family(std::size_t knots, int bits = 32) {
  FamilyOptions options;
  options.knots = knots;
  options.bits = bits;
  options.fit.potential_count = knots % 2 == 0 ? 16 : 4;  // a kernel of its own serves 16
  options.fit.start = FitStart::kFarthest;
  options.fit.rounds = 1;
  options.fit.pairs = 200;
  options.fit.queries = 10;
  options.fit.held_back = 5;
  return options;
}

// Null if the graph has no two connected nodes to train on.
inline std::shared_ptr<const PotentialFamily> family_of(const RequestCase& graph, std::size_t knots,
                                                        int bits) {
  try {
    PotentialFamily family =
        fit_family(graph.graph, graph.metrics, quick_family(knots, bits)).family;
    family.set_from_source(knots % 2 == 0);  // both ways are tested
    return std::make_shared<const PotentialFamily>(std::move(family));
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace lodestar::testing
