// Chooses the blends of a family's knots.
#pragma once

#include <vector>

#include "lodestar/fit_family.h"
#include "requests/request_weights.h"

namespace lodestar::requests {

// Shares are given as parts of the mean weight: the parts of a blend sum to 1, and parts (0, 1) is
// the second metric alone, scaled to the mean of the first.
struct PlacedKnot {
  std::vector<double> parts;
  double loss = 0;  // see KnotReport::loss
};

struct Placing {
  std::vector<PlacedKnot> knots;
  double loss = 0;  // the largest that is left
};

// The shares of a blend in units of the graph's own weights (Knot::blend). `chosen` are indices of
// metrics.
std::vector<double> shares_of(const RequestData& data, std::span<const std::size_t> chosen,
                              std::span<const double> parts);

Placing place_knots(const std::shared_ptr<const RequestData>& data,
                    std::span<const std::size_t> chosen, const FamilyOptions& options);

}  // namespace lodestar::requests
