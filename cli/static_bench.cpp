#include "static_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "lodestar/bidirectional.h"
#include "lodestar/rng.h"

namespace lodestar::cli {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Costs of real weights are sums in different orders; whole numbers must agree to the last bit.
bool same(Cost a, Cost b) {
  if (a == b) return true;
  if (a == std::floor(a) && b == std::floor(b)) return false;
  return std::abs(a - b) <= 1e-9 * std::abs(b);
}

}  // namespace

StaticBench::StaticBench(const Graph& graph, std::vector<Query> queries)
    : queries_(std::move(queries)) {
  if (queries_.empty()) throw Error("there are no queries to measure with");
  BidirectionalSearcher searcher(graph);  // exact without any table, and quicker than Dijkstra
  double nodes = 0;
  for (const Query& query : queries_) {
    costs_.push_back(searcher.run(query).cost);
    nodes += static_cast<double>(searcher.path().size());
  }
  path_nodes_ = nodes / static_cast<double>(queries_.size());
}

void StaticBench::add(MethodResult described, Run run) {
  results_.push_back(std::move(described));
  runs_.push_back(std::move(run));
}

void StaticBench::measure(int passes, const std::function<void(double)>& progress) {
  const auto count = static_cast<double>(queries_.size());
  std::vector<std::vector<double>> seconds(results_.size());
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t m = 0; m < results_.size(); ++m) {
      MethodResult& result = results_[m];
      double expansions = 0;
      result.wrong = 0;
      const auto begin = Clock::now();
      for (std::size_t i = 0; i < queries_.size(); ++i) {
        const SearchResult found = runs_[m](queries_[i]);
        expansions += static_cast<double>(found.expansions);
        result.wrong += !same(found.cost, costs_[i]);
      }
      seconds[m].push_back(since(begin) / count);
      result.expansions = expansions / count;
      if (progress) {
        progress(static_cast<double>(static_cast<std::size_t>(pass) * results_.size() + m + 1) /
                 static_cast<double>(static_cast<std::size_t>(passes) * results_.size()));
      }
    }
  }
  for (std::size_t m = 0; m < results_.size(); ++m) {
    std::sort(seconds[m].begin(), seconds[m].end());
    if (!seconds[m].empty()) results_[m].seconds = seconds[m][seconds[m].size() / 2];
  }
}

const MethodResult& StaticBench::result(const std::string& name) const {
  return *std::find_if(results_.begin(), results_.end(),
                       [&](const MethodResult& result) { return result.name == name; });
}

PreparedTable prepare_landmarks(const Graph& graph, LandmarkMethod method, std::uint32_t potentials,
                                std::uint64_t seed) {
  LandmarkOptions options;
  options.method = method;
  options.potentials = potentials;
  options.seed = seed;
  const auto begin = Clock::now();
  PotentialTable table = landmark_table(graph, options);
  return {std::move(table), since(begin)};
}

PreparedTable prepare_learned(const Graph& graph, const FitOptions& options,
                              const TrainingTime& time,
                              const std::function<void(double)>& progress) {
  const auto begin = Clock::now();
  const std::clock_t processor_begin = std::clock();
  const auto used = [&] {
    if (!time.processor) return since(begin);
    return static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC;
  };
  FitOptions timed = options;
  if (time.rounds == 0) timed.seconds = time.seconds;
  Fitter fitter(graph, timed);
  const auto stop = [&] { return time.rounds == 0 && used() >= time.seconds; };
  while (time.rounds > 0 ? fitter.rounds() < time.rounds : !stop()) {
    if (progress) {
      progress(time.rounds > 0
                   ? static_cast<double>(fitter.rounds()) / static_cast<double>(time.rounds)
                   : used() / time.seconds);
    }
    fitter.round(stop);
  }
  return {fitter.table(), used()};
}

double mean_expansions(Searcher& searcher, const PotentialTable& table,
                       const std::vector<Query>& queries) {
  double sum = 0;
  for (const Query& query : queries) {
    sum += static_cast<double>(searcher.run(query, table.to(query.target)).expansions);
  }
  return queries.empty() ? 0 : sum / static_cast<double>(queries.size());
}

std::vector<Query> uniform_queries(const Graph& graph, std::size_t count, std::uint64_t seed) {
  BidirectionalSearcher searcher(graph);
  Rng rng(mix64(seed));
  std::vector<Query> queries;
  const std::size_t most_tries = 100 * count + 1000;
  for (std::size_t tries = 0; queries.size() < count; ++tries) {
    if (graph.node_count() < 2 || tries == most_tries) {
      throw Error("hardly any two nodes of the graph are connected; give --queries");
    }
    const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
    if (query.source != query.target && searcher.run(query).reached()) queries.push_back(query);
  }
  return queries;
}

std::vector<Query> rank_queries(const Graph& graph, int exponent, std::size_t count,
                                std::uint64_t seed) {
  struct Last {
    NodeId node = kNoNode;
    void on_settle(NodeId v, Cost, NodeId) { node = v; }
  };
  Searcher searcher(graph);
  Rng rng(mix64(seed) + static_cast<std::uint64_t>(exponent));
  SearchOptions options;
  options.max_expansions = std::uint64_t{1} << exponent;
  std::vector<Query> queries;
  for (std::size_t tries = 0; queries.size() < count && tries < 4 * count; ++tries) {
    const NodeId source = rng.below(graph.node_count());
    Last last;
    if (searcher.run({source, kNoNode}, Zero{}, options, last).capped) {
      queries.push_back({source, last.node});
    }
  }
  return queries;
}

}  // namespace lodestar::cli
