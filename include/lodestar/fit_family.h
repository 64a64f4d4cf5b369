// Fits potentials for all blends of some metrics of a graph.
//
//   const FamilyResult fitted = fit_family(file.graph, file.metrics, {.metrics = {"time",
//   "length"}}); fitted.family.save("town.lsp");
//
// Every metric alone is a knot. Further knots are added one by one at the blend where sample
// searches expand most nodes compared with what potentials of that blend alone would need: the
// geometric mean of the expansions at the knots around it. The potentials of a new knot start as
// sums of those around it, unless these bound badly. Each knot is trained (fit.h) on searches by
// its own weights when it is added. The time that is left at the end goes to searches by random
// blends between the knots, so that they serve these as well.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lodestar/fit.h"
#include "lodestar/metrics.h"
#include "lodestar/potential_family.h"

namespace lodestar {

struct FamilyOptions {
  std::vector<std::string> metrics = {};  // at most four; empty: all of the graph's
  // 0: until searches by no blend expand more than `tolerance` above potentials of their own, as
  // long as time is left, at most kMostChosen.
  std::size_t knots = 0;
  static constexpr std::size_t kMostChosen = 12;
  double tolerance = 0.1;
  // Blends that requests will ask for, each with one share per metric, in units as in
  // Preferences::blend. Empty: all blends.
  std::vector<std::vector<double>> log = {};
  int bits = 32;   // of a value: 32 or 16
  FitOptions fit;  // of each knot, except that `seconds` is the time for all of them
};

struct KnotReport {
  // The part of each metric in the mean weight of the knot, from 0 to 1.
  std::vector<double> parts;
  // The further nodes, relative, that searches by this blend expanded with the knots before it; 0
  // for single metrics.
  double loss = 0;
  double expansions_before = 0;
  double expansions = 0;  // mean of held-out queries by the knot's weights
  std::uint64_t rounds = 0;
};

struct FamilyResult {
  PotentialFamily family;
  std::vector<KnotReport> knots;
  double loss = 0;                 // the largest that is left, by sample searches
  std::vector<double> worst = {};  // and its blend, in parts as KnotReport
  double seconds = 0;
  bool stopped = false;  // by FamilyHooks::stop; the family has the knots made so far
};

struct FamilyHooks {
  // Called now and then with the share done and what is being done.
  std::function<void(double share, const std::string& doing)> progress = {};
  std::function<bool()> stop = {};  // true: return the best so far
};

// Throws Error if a metric is unknown or the options are invalid, and as fit() does. Throws Stopped
// if it is stopped before the first knot.
FamilyResult fit_family(const Graph& graph, const Metrics& metrics,
                        const FamilyOptions& options = {}, const FamilyHooks& hooks = {});

}  // namespace lodestar
