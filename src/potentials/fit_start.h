// The initial potentials of training.
#pragma once

#include <optional>
#include <span>

#include "lodestar/detail/stop.h"
#include "lodestar/fit.h"

namespace lodestar {

struct Start {
  Potentials potentials;
  // What the time limit is worth, in seconds of an idle machine. On a busy one the first landmarks
  // take longer than their counted steps should, and the rest of the work will, too.
  double worth = 0;
};

// Computes initial potentials; kRace gives kLandmarks. At the limit they are what was made so far:
// landmarks of a simpler kind, or fewer of them.
Start make_start(const Graph& graph, const FitOptions& options, FitStart start,
                 const TimeLimit& limit);

// Selects between landmarks and cuts. Cuts are considered if computing them takes a small share of
// what the time is worth and they need clearly fewer expansions untrained.
// They win at once if they need far fewer, otherwise if they still lead clearly after `kRounds`
// rounds of training each. Untrained quality says little about the final quality; a few rounds say
// more. In doubt landmarks train better (docs/design/notebook/fit.md).
class StartRace {
 public:
  static constexpr int kRounds = 2;
  enum class Verdict { kLandmarks, kCuts, kTrainBoth };

  // Empty if there is no time for cuts.
  static std::optional<Potentials> cuts(const Graph& graph, const FitOptions& options,
                                        double worth);
  static Verdict untrained(double landmarks, double cuts);  // by expansions
  static bool cuts_lead(double landmarks, double cuts);     // after kRounds rounds
};

// Initial potentials of both kinds: the landmarks and cuts of a large pool that save most
// expansions.
// The choice is greedy. A* with landmarks settles nodes off the path, because their bounds are too
// small. The column that makes most of these bounds large enough is taken first, then the one that
// helps most of the remaining nodes, and so on. The pool has four times the requested number of
// landmarks and of cuts.
Potentials mixed_potentials(const Graph& graph, std::span<const Query> queries,
                            std::uint32_t potentials, std::uint64_t seed);

}  // namespace lodestar
