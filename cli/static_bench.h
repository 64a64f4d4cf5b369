// Several ways to answer the same queries on one graph, measured side by side.
//
//   StaticBench bench(graph, queries);
//   bench.add({.name = "dijkstra"}, [&](Query q) { return searcher.run(q, Zero{}); });
//   bench.measure(3);
//   for (const MethodResult& method : bench.results()) …
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lodestar/fit.h"
#include "lodestar/landmarks.h"
#include "lodestar/search.h"

namespace lodestar::cli {

struct MethodResult {
  std::string name;
  std::size_t bytes = 0;  // what it keeps beside the graph
  double preparation_seconds = 0;
  double expansions = 0;  // mean per query
  double seconds = 0;     // per query, median of the passes
  std::size_t wrong = 0;  // answers that differ from bidirectional search's
};

class StaticBench {
 public:
  using Run = std::function<SearchResult(Query)>;

  StaticBench(const Graph& graph, std::vector<Query> queries);

  void add(MethodResult described, Run run);
  // Passes over all methods in turn, so that a noisy moment hits all of them.
  void measure(int passes, const std::function<void(double)>& progress = {});

  const std::vector<MethodResult>& results() const { return results_; }
  const MethodResult& result(const std::string& name) const;
  double path_nodes() const { return path_nodes_; }  // mean number of nodes on a shortest path

 private:
  std::vector<Query> queries_;
  std::vector<Cost> costs_;
  double path_nodes_ = 0;
  std::vector<MethodResult> results_;
  std::vector<Run> runs_;
};

// A table and how long it took.
struct PreparedTable {
  PotentialTable table;
  double seconds;
};
PreparedTable prepare_landmarks(const Graph& graph, LandmarkMethod method, std::uint32_t potentials,
                                std::uint64_t seed);
// How long to train. Processor time is what a machine of its own would take: on a busy one the
// clock on the wall measures the others.
struct TrainingTime {
  double seconds = 30;
  bool processor = false;    // of all threads together
  std::uint64_t rounds = 0;  // instead, when above 0
};
// `progress` is told the share done.
PreparedTable prepare_learned(const Graph& graph, const FitOptions& options,
                              const TrainingTime& time,
                              const std::function<void(double)>& progress = {});

// Mean expansions of A* with the table.
double mean_expansions(Searcher& searcher, const PotentialTable& table,
                       const std::vector<Query>& queries);

// `count` reachable pairs, uniform.
std::vector<Query> uniform_queries(const Graph& graph, std::size_t count, std::uint64_t seed);

// `count` pairs whose target is the 2^exponent-th node Dijkstra settles; none when the graph is
// too small.
std::vector<Query> rank_queries(const Graph& graph, int exponent, std::size_t count,
                                std::uint64_t seed);

}  // namespace lodestar::cli
