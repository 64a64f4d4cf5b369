#include "potentials/fit_start.h"

#include <algorithm>
#include <iterator>

#include "lodestar/cuts.h"
#include "lodestar/landmarks.h"
#include "lodestar/version.h"
#include "potentials/columns.h"
#include "potentials/pair_source.h"
#include "potentials/training.h"

namespace lodestar {
namespace {

// Seconds of the first landmarks are about this times n·K; below this share of the limit they say
// nothing about the machine.
constexpr double kTreeSeconds = 5e-8;
constexpr double kTellingShare = 0.05;
constexpr NodeId kAvoidUpTo = 100'000;  // above, it is not worth twice the time of farthest
// Its time is about this times that of farthest, and may take this share of the training.
constexpr double kAvoidTime = 3, kAvoidShare = 0.22;
// Seconds of a greedy choice are about this times n·K². It may take this share of the training …
constexpr double kGreedySeconds = 8.6e-8;
constexpr double kGreedyShare = 0.22;
// … and must be clearly better: from equally good landmarks farthest ones train better (road-like,
// 260,000 nodes: 3 % more expansions at the start became 6 % more at equal rounds).
constexpr double kGreedyMargin = 0.95;
// Seconds of one arrangement of cuts are about this times n·K, and of the sweeps twice that of one.
constexpr double kCutSeconds = 3e-7;
constexpr double kCutShare = 0.15;
// Untrained cuts over landmarks: 0.15 to 0.2 on road-like lattices, where cuts win by far; 0.7 on
// cal, where both end alike; 0.8 and more on DE, NY, grid maps and baltimore, where they lose.
constexpr double kFarFewer = 0.4, kClearlyFewer = 0.8;
constexpr double kClearLead = 0.9;
// Further landmarks may take half of the time for the start, the first ones all of it.
constexpr double kFurtherShare = 0.5;
constexpr int kMixQueries = 100;
constexpr std::uint64_t kMixStream = 6;

Potentials landmarks(const Graph& graph, const FitOptions& options, LandmarkMethod method) {
  LandmarkOptions chosen;
  chosen.potential_count = options.potential_count;
  chosen.method = method;
  chosen.seed = options.seed;
  return landmark_potentials(graph, chosen);
}

// As many as the limit allows.
Potentials farthest(const Graph& graph, const FitOptions& options, const TimeLimit& limit) {
  LandmarkOptions chosen;
  chosen.potential_count = options.potential_count;
  chosen.method = LandmarkMethod::kFarthest;
  chosen.seed = options.seed;
  const PotentialColumns columns = landmark_columns(graph, chosen, limit);
  Potentials potentials(graph, columns.columns, columns.unit);
  potentials.origin() = {"alt-farthest", kVersion, kCommit, options.seed, 0, 0};
  return potentials;
}

Start best_landmarks(const Graph& graph, const FitOptions& options, const TimeLimit& limit) {
  const TimeLimit further = limit.share(kFurtherShare);
  const auto stopwatch = lodestar::stopwatch(options);
  Potentials start = farthest(graph, options, limit);
  const double nodes = graph.node_count(), k = options.potential_count;
  const double spent = options.rounds > 0 ? 0 : stopwatch(), expected = kTreeSeconds * nodes * k;
  const bool telling = spent > std::max(expected, kTellingShare * options.seconds);
  const double worth = options.seconds * (telling ? expected / spent : 1);
  const bool avoid = graph.node_count() <= kAvoidUpTo &&
                     (!telling || kAvoidTime * spent <= kAvoidShare * options.seconds);
  const bool greedy = kGreedySeconds * nodes * k * k <= kGreedyShare * worth;
  if (!(avoid || greedy)) return {std::move(start), worth};

  try {
    const StopScope scope(further.stop());
    check_stop();
    FitOptions judging = options;
    judging.pairs = 0;
    PairSource judge(graph, judging);
    double fewest = judge.search_held_back(start);
    const auto consider = [&](LandmarkMethod method, double margin) {
      Potentials other = landmarks(graph, options, method);
      const double expansions = judge.search_held_back(other);
      if (expansions >= margin * fewest) return;
      fewest = expansions;
      start = std::move(other);
    };
    if (avoid) consider(LandmarkMethod::kAvoid, 1);
    if (greedy) consider(LandmarkMethod::kGreedy, kGreedyMargin);
  } catch (const Stopped&) {
    if (StopScope::pressed()) throw;
  }
  return {std::move(start), worth};
}

Potentials cut_start(const Graph& graph, const FitOptions& options, std::uint32_t arrangements) {
  CutOptions chosen;
  chosen.arrangements = arrangements;
  chosen.potential_count = options.potential_count;
  chosen.seed = options.seed;
  return cut_potentials(graph, chosen);
}

Potentials mix_start(const Graph& graph, const FitOptions& options) {
  const QuerySampler sampler(graph, options.kind, options.log);
  Searcher searcher(graph);
  Rng rng = Rng(options.seed).fork(kMixStream);
  std::vector<Query> queries(kMixQueries);
  for (Query& query : queries) query = sampler.draw(rng, searcher);
  return mixed_potentials(graph, queries, options.potential_count, options.seed);
}

constexpr const char* kNames[] = {"race",   "landmarks", "farthest", "avoid",
                                  "greedy", "cuts",      "mix"};

Potentials chosen_start(const Graph& graph, const FitOptions& options, FitStart start) {
  switch (start) {
    case FitStart::kAvoid:
      return landmarks(graph, options, LandmarkMethod::kAvoid);
    case FitStart::kGreedy:
      return landmarks(graph, options, LandmarkMethod::kGreedy);
    case FitStart::kCuts:
      return cut_start(graph, options, CutOptions{}.arrangements);
    default:
      return mix_start(graph, options);
  }
}

}  // namespace

Start make_start(const Graph& graph, const FitOptions& options, FitStart start,
                 const TimeLimit& limit) {
  if (start == FitStart::kRace || start == FitStart::kLandmarks) {
    return best_landmarks(graph, options, limit);
  }
  if (start == FitStart::kFarthest) return {farthest(graph, options, limit)};
  try {
    const TimeLimit most = limit.share(kFurtherShare);
    const StopScope scope(most.stop());
    return {chosen_start(graph, options, start)};
  } catch (const Stopped&) {
    if (StopScope::pressed()) throw;
    return {farthest(graph, options, limit)};
  }
}

std::optional<Potentials> StartRace::cuts(const Graph& graph, const FitOptions& options,
                                          double worth) {
  const double one = kCutSeconds * graph.node_count() * options.potential_count;
  const double affordable = kCutShare * worth / one - 1;
  if (affordable < 1) return {};
  const std::uint32_t most = CutOptions{}.arrangements;
  return cut_start(graph, options,
                   affordable < most ? static_cast<std::uint32_t>(affordable) : most);
}

StartRace::Verdict StartRace::untrained(double landmarks, double cuts) {
  if (cuts <= kFarFewer * landmarks) return Verdict::kCuts;
  return cuts <= kClearlyFewer * landmarks ? Verdict::kTrainBoth : Verdict::kLandmarks;
}

bool StartRace::cuts_lead(double landmarks, double cuts) {
  return cuts <= kClearLead * landmarks;
}

std::string to_string(FitStart start) {
  return kNames[static_cast<int>(start)];
}

FitStart parse_fit_start(const std::string& text) {
  for (int i = 0; i < static_cast<int>(std::size(kNames)); ++i) {
    if (text == kNames[i]) return static_cast<FitStart>(i);
  }
  throw Error("unknown start '" + text +
              "'; choose race, landmarks, farthest, avoid, greedy, cuts or mix");
}

}  // namespace lodestar
