// The potentials that training starts from.
#pragma once

#include <optional>

#include "lodestar/fit.h"

namespace lodestar {

// The start of this name; kRace counts as kLandmarks.
Potentials make_start(const Graph& graph, const FitOptions& options, FitStart start);

// The race of starts. Landmarks are there anyway; cuts join if making them takes a small share of
// the training (`seconds` of the options), and if they need clearly fewer expansions untrained.
// They win at once when they need far fewer, and otherwise when they still lead clearly after
// `kRounds` rounds of training each. How close a start is untrained says little about where its
// training ends; a few rounds say more, and in doubt landmarks train better
// (docs/design/notebook/fit.md).
class StartRace {
 public:
  static constexpr int kRounds = 2;
  enum class Verdict { kLandmarks, kCuts, kTrainBoth };

  // Nothing when there is no time for them.
  static std::optional<Potentials> cuts(const Graph& graph, const FitOptions& options);
  static Verdict untrained(double landmarks, double cuts);  // by expansions
  static bool cuts_lead(double landmarks, double cuts);     // after kRounds rounds
};

}  // namespace lodestar
