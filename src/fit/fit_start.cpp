#include "fit/fit_start.h"

#include "fit/pair_source.h"

namespace lodestar {
namespace {

constexpr NodeId kAvoidUpTo = 100'000;  // above, twice the time of farthest has not paid
// Seconds of a greedy choice are about this times n·K². It may take this share of the training …
constexpr double kGreedySeconds = 8.6e-8;
constexpr double kGreedyShare = 0.22;
// … and must be clearly better: from equally good landmarks farthest ones train better (road-like,
// 260,000 nodes: 3 % more expansions at the start became 6 % more at equal rounds).
constexpr double kGreedyMargin = 0.95;

}  // namespace

PotentialTable choose_start(const Graph& graph, const FitOptions& options) {
  const auto landmarks = [&](LandmarkMethod method) {
    LandmarkOptions chosen;
    chosen.potentials = options.potentials;
    chosen.method = method;
    chosen.seed = options.seed;
    return landmark_table(graph, chosen);
  };
  PotentialTable start = landmarks(options.start.value_or(LandmarkMethod::kFarthest));
  const double nodes = graph.node_count(), k = options.potentials;
  const bool avoid = graph.node_count() <= kAvoidUpTo;
  const bool greedy = kGreedySeconds * nodes * k * k <= kGreedyShare * options.seconds;
  if (options.start || !(avoid || greedy)) return start;

  FitOptions judging = options;
  judging.pairs = 0;
  PairSource judge(graph, judging);
  double fewest = judge.search_held_back(start);
  const auto consider = [&](LandmarkMethod method, double margin) {
    PotentialTable other = landmarks(method);
    const double expansions = judge.search_held_back(other);
    if (expansions >= margin * fewest) return;
    fewest = expansions;
    start = std::move(other);
  };
  if (avoid) consider(LandmarkMethod::kAvoid, 1);
  if (greedy) consider(LandmarkMethod::kGreedy, kGreedyMargin);
  return start;
}

}  // namespace lodestar
