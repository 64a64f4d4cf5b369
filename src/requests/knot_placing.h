// Finds the blend that needs a knot of its own most, by sample searches.
//
//   KnotPlacer placer(data, chosen, options);
//   const PlacedKnot worst = placer.worst(family, parts_of_its_knots);
//
// Expansions with potentials of a blend alone change little from blend to blend. So those at the
// knots around a blend, where the family has such potentials, say how many it should take: their
// geometric mean, weighted with the coefficients of the knots.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "lodestar/fit_family.h"
#include "requests/engine.h"

namespace lodestar::requests {

// Shares are given as parts of the mean weight: the parts of a blend sum to 1, and parts (0, 1) is
// the second metric alone, scaled to the mean of the first.
struct PlacedKnot {
  std::vector<double> parts;
  double loss = 0;  // see KnotReport::loss
};

// The shares of a blend in units of the graph's own weights (Knot::blend). `chosen` are indices of
// metrics.
std::vector<double> shares_of(const RequestData& data, std::span<const std::size_t> chosen,
                              std::span<const double> parts);
// Preferences with the same shares.
Preferences preferences_of(const RequestData& data, std::span<const std::size_t> chosen,
                           std::span<const double> parts);
// A source and a target, from the log if there is one.
Query random_query(const Graph& graph, const FitOptions& options, Rng& rng);

class KnotPlacer {
 public:
  // Throws Error if the log of blends is malformed.
  KnotPlacer(std::shared_ptr<const RequestData> data, std::span<const std::size_t> chosen,
             const FamilyOptions& options);

  // Without parts if all blends are near knots already. Measures only what may have changed since
  // the last call; `anew`: everything. check_stop() may end it.
  PlacedKnot worst(const std::shared_ptr<const PotentialFamily>& family,
                   std::span<const std::vector<double>> knots, bool anew = false);

 private:
  double expansions(std::span<const double> parts);
  std::vector<std::vector<double>> candidates(std::span<const std::vector<double>> knots) const;

  std::shared_ptr<const RequestData> data_;
  std::span<const std::size_t> chosen_;
  double tolerance_;
  RequestEngine engine_;
  std::vector<std::string> names_;
  std::vector<Query> queries_;
  std::vector<std::vector<double>> log_;            // blends as parts
  std::vector<double> at_knots_;                    // expansions
  std::map<std::vector<double>, double> measured_;  // losses
  std::map<std::vector<double>, double> usual_;     // expansions to compare with
};

}  // namespace lodestar::requests
