// Fits potentials for all blends of some metrics of a graph.
//
//   const FamilyResult fitted = fit_family(file.graph, file.metrics, {.metrics = {"time",
//   "length"}}); fitted.family.save("town.lsp");
//
// Every metric alone is a knot. Further knots are placed one by one at the blend where the knots so
// far lose most: where the distances of sample pairs exceed the best bound of knots with exact
// distances by so much that searches would settle the most further nodes. Knots placed before are
// moved where that helps. Then the potentials of each knot are trained (fit.h), first on searches
// by its own weights, then on searches by random blends between the knots, so that they serve these
// as well.
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
  // 0: until a further knot would gain less than `tolerance`, at most 4 for each pair of metrics
  // beside the metrics themselves.
  std::size_t knots = 0;
  double tolerance = 0.15;
  // Blends that requests will ask for, each with one share per metric, in units as in
  // Preferences::blend. Empty: all blends.
  std::vector<std::vector<double>> log = {};
  int bits = 32;   // of a value: 32 or 16
  FitOptions fit;  // of each knot, except that `seconds` is the time for all of them
};

struct KnotReport {
  // The part of each metric in the mean weight of the knot, from 0 to 1.
  std::vector<double> parts;
  // The further nodes, relative, that searches by this blend would settle with the knots before it;
  // 0 for single metrics.
  double loss = 0;
  double expansions_before = 0;
  double expansions = 0;  // mean of held-out queries by the knot's weights
  std::uint64_t rounds = 0;
};

struct FamilyResult {
  PotentialFamily family;
  std::vector<KnotReport> knots;
  double loss = 0;  // the largest that is left
  double seconds = 0;
  double placing_seconds = 0;
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
