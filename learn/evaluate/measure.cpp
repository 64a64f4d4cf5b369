#include "learn/evaluate/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bench/harness/stopwatch.h"
#include "bench/harness/turns.h"
#include "lodestar/closure.h"

namespace lodestar::evaluate {
namespace {

// By SearchAlgorithm.
struct SearchRow {
  const char* name;
  const char* algorithm;  // the router's
  bool needs_proof;       // requires a feasible potential from every method
};
constexpr SearchRow kSearches[] = {
    {"astar", "astar", false},
    {"weighted", "weighted", false},
    {"greedy", "greedy", false},
    {"focal", "focal", true},
    {"bidirectional", "bidirectional-astar", true},
};

const SearchRow& row_of(SearchAlgorithm algorithm) {
  return kSearches[static_cast<std::size_t>(algorithm)];
}

}  // namespace

SearchAlgorithm parse_search(const std::string& name) {
  for (std::size_t i = 0; i < std::size(kSearches); ++i) {
    if (name == kSearches[i].name) return static_cast<SearchAlgorithm>(i);
  }
  throw Error("unknown search '" + name + "'; choose one of " + search_names());
}

std::string search_names() {
  std::string names;
  for (const SearchRow& row : kSearches) {
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

std::string SearchPlan::identity() const {
  const std::string name = row_of(algorithm).name;
  if (algorithm == SearchAlgorithm::kWeighted) return fmt::format("{} {}", name, weight);
  if (algorithm == SearchAlgorithm::kFocal) return fmt::format("{} {}", name, bound);
  return name;
}

void Measurer::begin(const Instance& instance, std::uint64_t number) {
  instance_ = &instance;
  number_ = number;
  source_identity_.clear();
  searcher_.emplace(instance.graph);
  closure_.reset();
  truth_ = searcher_->run(instance.query, Zero{});
  path_ = static_cast<double>(searcher_->path().size());
}

void Measurer::prepare_potential(const Method& method, Sample& sample) {
  const std::string identity = method.source_identity();
  if (identity != source_identity_) {
    source_seconds_ = source_.fill(method, *instance_, number_, y_);
    source_identity_ = identity;
  }
  sample.preparation_seconds = source_seconds_.preparation;
  sample.heuristic_seconds = source_seconds_.heuristic;
  used_ = y_;
  if (method.scale != 1) {
    for (double& value : used_) value *= method.scale;
  }
  if (!method.close && (!row_of(plan_.algorithm).needs_proof || method.consistent())) {
    proven_ = used_;
    return;
  }
  const bench::Stopwatch ordering;
  if (!closure_) {
    closure_.emplace(instance_->graph);
    ordering_seconds_ = ordering.seconds();
  }
  sample.preparation_seconds += ordering_seconds_;
  const bench::Stopwatch closing;
  proven_ = used_;
  const ClosureResult closed = closure_->apply(proven_, instance_->query.target);
  sample.closed = static_cast<double>(closed.settled);
  sample.closure_seconds = closing.seconds();
  if (method.close) used_ = proven_;
}

// The arrays are this measurer's own, and outlive the router.
Router Measurer::router_for(const Method& method) const {
  RouterOptions options;
  if (method.source == Source::kBidirectional) {
    options.algorithm = "bidirectional";
    return Router(instance_->graph, options);
  }
  options.algorithm = row_of(plan_.algorithm).algorithm;
  options.weight = plan_.weight;
  options.prune = method.prune;
  const AlgorithmRow& row = *find_algorithm(options.algorithm);
  // Not by way of an array of zeros: Dijkstra's time is compared with itself.
  if (method.source == Source::kZero && plan_.algorithm == SearchAlgorithm::kAStar) {
    return Router(instance_->graph, options);
  }
  const bool both_ends = row.heuristic == HeuristicUse::kConsistent;
  const bool sure = both_ends || method.close || method.consistent();
  options.potential = {both_ends ? proven_ : used_, nullptr};
  options.guarantee = sure ? Guarantee::kConsistent : Guarantee::kNone;
  if (plan_.algorithm == SearchAlgorithm::kFocal) {
    options.bound = plan_.bound;
    options.prover = {proven_, nullptr};
    options.trust = true;  // closed by prepare_potential
  }
  return Router(instance_->graph, options);
}

Sample Measurer::measure(const Method& method) {
  Sample sample;
  const Graph& graph = instance_->graph;
  sample.dijkstra = static_cast<double>(truth_.expansions);
  sample.path = path_;
  sample.arcs = static_cast<double>(graph.arc_count());
  SearchResult found;
  const bool searches_alone = method.source == Source::kBidirectional;  // without a potential
  if (!searches_alone) {
    prepare_potential(method, sample);
    sample.violated = static_cast<double>(count_violated_arcs(graph, used_));
  }
  const Router router = router_for(method);
  if (searches_alone) sample.preparation_seconds = router.preparation_seconds();
  Router::Lease lease = router.lease();
  // The best of a few runs of each: a search of some microseconds becomes faster every time it is
  // repeated, as caches and branch prediction learn it, so whatever is timed later would win.
  const bench::Times times = bench::time_in_turns(2, {.turns = 3}, [&](std::size_t i, int) {
    if (i == 0) {
      searcher_->run(instance_->query, Zero{});
    } else {
      found = lease.run(instance_->query);
    }
  });
  sample.dijkstra_seconds = *std::min_element(times[0].begin(), times[0].end());
  sample.search_seconds = *std::min_element(times[1].begin(), times[1].end());
  sample.iterations = static_cast<double>(found.expansions);
  sample.reopened = static_cast<double>(found.reopened);
  if (truth_.cost > 0) {
    sample.distance = (found.cost - truth_.cost) / truth_.cost;
    sample.gap = (found.cost - std::min(found.lower_bound, found.cost)) / truth_.cost;
  }
  return sample;
}

}  // namespace lodestar::evaluate
