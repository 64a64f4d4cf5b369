// The weights of a knot, rounded down, potentials to start its training from, and the check of a
// family's potentials.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lodestar/potential_family.h"
#include "requests/request_weights.h"

namespace lodestar::requests {

// sum of share · weight, minus a little: never above what a request with this blend costs. `names`
// are the metrics that the shares belong to. Throws Error if the graph lacks one.
std::vector<Weight> knot_weights(const Graph& graph, const Metrics& metrics,
                                 std::span<const std::string> names, std::span<const double> blend);

// Potentials that are feasible for the weights of a new knot, `graph`, made of the knots around it.
// For coefficients c_k >= 0 with sum c_k w_k <= w, sum c_k f_k is feasible for w. Of each knot one
// potential goes into such a sum, and those sums are taken whose largest bounds the pairs most.
Potentials blended_potentials(const Graph& graph, std::span<const Knot> knots,
                              const PotentialFamily::Mix& mix, std::span<const Query> pairs);

// The family itself if the potentials of every knot are feasible for its weights, otherwise a copy
// in which they are repaired. Throws Error if the family does not fit the graph and its metrics.
std::shared_ptr<const PotentialFamily> verified(std::shared_ptr<const PotentialFamily> family,
                                                const RequestData& data);

}  // namespace lodestar::requests
