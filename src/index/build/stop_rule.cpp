#include "index/build/stop_rule.h"

#include "index/core_distances.h"
#include "index/runner.h"
#include "lodestar/bidirectional.h"
#include "lodestar/detail/stop.h"
#include "lodestar/landmarks.h"
#include "lodestar/rng.h"
#include "potentials/integer_graph.h"

namespace lodestar::index {
namespace {

constexpr int kQueries = 200;
constexpr std::uint64_t kStream = 11;
// Nanoseconds per step, fitted to measured queries. The core is searched with landmarks here;
// trained potentials expand about half as many nodes, so steps in the core count half.
constexpr double kClimb = 60, kClimbArc = 25, kExpand = 40, kExpandArc = 15;

// For a search of the graph from both ends.
constexpr double kSide = 20, kPush = 20;

// For queries with core distances, which use no queue.
constexpr double kSweep = 40, kSweepArc = 14, kLookUp = 3;

template <class Cost>
double mean_cost(const Data& data, std::uint64_t seed, Cost&& cost) {
  const std::unique_ptr<Runner> runner = make_runner(data);
  Rng rng = Rng(seed).fork(kStream);
  double sum = 0;
  for (int i = 0; i < kQueries; ++i) {
    check_stop();
    runner->run({rng.below(data.nodes), rng.below(data.nodes)});
    sum += cost(runner->effort);
  }
  return sum / kQueries;
}

}  // namespace

double estimated_sweep_cost(Data data, std::uint64_t seed) {
  if (data.nodes == 0) return 0;
  const std::vector<std::uint32_t> nowhere(std::size_t{data.core} * data.core, kFar);
  data.has_core_distances = true;
  data.between = std::as_bytes(std::span(nowhere));
  return mean_cost(data, seed, [](const IndexEffort& effort) {
    return kSweep * static_cast<double>(effort.climbed) +
           kSweepArc * static_cast<double>(effort.climbed_arcs) +
           kLookUp * static_cast<double>(effort.expanded_arcs);
  });
}

double estimated_cost(Data data, std::uint64_t seed) {
  constexpr std::uint32_t kPotentials = 8;
  if (data.nodes == 0) return 0;
  const Graph core = core_graph(data);
  if (largest_part_nodes(core).size() >= 2) {
    LandmarkOptions options;
    options.potential_count = kPotentials;
    options.method = LandmarkMethod::kFarthest;
    options.seed = seed;
    set_potentials(data, landmark_potentials(core, options));
  }
  return mean_cost(data, seed, [](const IndexEffort& effort) {
    return kClimb * static_cast<double>(effort.climbed) +
           kClimbArc * static_cast<double>(effort.climbed_arcs) +
           kExpand * static_cast<double>(effort.expanded) +
           kExpandArc * static_cast<double>(effort.expanded_arcs);
  });
}

bool plain_is_cheaper(const Graph& graph, std::uint64_t seed, double cost) {
  BidirectionalSearcher searcher(graph.ordered(ArcOrder::kByWeight));
  Rng rng = Rng(seed).fork(kStream);
  double sum = 0;
  for (int i = 0; i < kQueries; ++i) {
    const SearchResult found =
        searcher.run({rng.below(graph.node_count()), rng.below(graph.node_count())});
    sum +=
        kSide * static_cast<double>(found.expansions) + kPush * static_cast<double>(found.pushes);
    if (sum > kQueries * cost) return false;
  }
  return true;
}

}  // namespace lodestar::index
