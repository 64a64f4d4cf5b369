// Measures several methods side by side on the same queries of one graph and checks every answer.
//
//   Comparison comparison(graph, reachable_pairs(graph, 1000, Rng(7)));
//   comparison.add(method, *prepare_timed(method, workshop));
//   comparison.measure({.passes = 3});
//   for (const MethodResult& result : comparison.results()) …
//
// The reference is bidirectional search: exact without potentials, and faster than Dijkstra.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/harness/method.h"
#include "lodestar/bidirectional.h"

namespace lodestar::bench {

struct MethodResult {
  std::string id;
  std::string name;
  std::size_t bytes = 0;  // memory beside the graph
  double preparation_seconds = 0;
  double expansions = 0;  // mean per query
  double seconds = 0;     // per query, median of the passes
  double within = 0;      // the promised bound, see Method
  std::size_t wrong = 0;  // wrong costs and paths, in all passes
};

struct ComparisonOptions {
  int passes = 3;
  // Draws new pairs for every pass of every method, because a repeated query finds its data in the
  // caches. Expansions are still counted on the common queries.
  bool fresh = false;
  std::uint64_t seed = 1;  // of fresh pairs
  // Checks fresh pairs by the first method, which the reference has checked on the common queries.
  // For graphs on which the reference is slow.
  bool first_is_reference = false;
  bool paths = false;  // times include the path; its cost is checked too
};

class Comparison {
 public:
  Comparison(const Graph& graph, std::vector<Query> queries);

  void add(const Method& method, ReadyMethod ready);
  // The methods take turns in every pass, so that a busy moment affects all of them. Throws Error
  // if paths are requested and a method has none.
  void measure(const ComparisonOptions& options, const std::function<void(double)>& progress = {});

  const std::vector<MethodResult>& results() const { return results_; }
  const MethodResult* find(const std::string& id) const;  // nullptr if absent
  // The one of them with the fewest expansions; nullptr if none was added.
  const MethodResult* best_of(const std::vector<std::string>& ids) const;
  double path_nodes() const { return path_nodes_; }  // mean number of nodes on a shortest path
  std::size_t query_count() const { return common_.queries.size(); }

 private:
  struct Checked {
    std::vector<Query> queries;
    std::vector<Cost> costs;  // optimal
    double path_nodes = 0;    // of all together
  };
  Checked reference(std::vector<Query> queries);
  Checked reference_of_first(std::vector<Query> queries) const;
  bool accepts(std::size_t method, Cost optimum, Cost found) const;
  // Answers all queries, counts wrong answers and returns the mean expansions.
  double answer(std::size_t method, const Checked& checked, bool paths);
  void check_paths(std::size_t method);

  Graph graph_;
  BidirectionalSearcher searcher_;
  Checked common_;
  double path_nodes_ = 0;
  std::vector<NodeId> last_path_;  // kept, so that the compiler does not remove its computation
  std::vector<MethodResult> results_;
  std::vector<ReadyMethod> ready_;
};

// Whether two costs are equal. Whole numbers must be identical; other costs may differ by rounding,
// because methods add weights in different orders.
bool same_cost(Cost a, Cost b);

// Measures fresh pairs twice, first costs alone, then with paths, and checks them by the first
// method.
struct CostsAndPaths {
  std::vector<MethodResult> costs, paths;
  std::size_t wrong(std::size_t method) const { return costs[method].wrong + paths[method].wrong; }
};
CostsAndPaths measure_costs_and_paths(Comparison& comparison, int passes);

// Mean expansions of a method over the queries.
double mean_expansions(const ReadyMethod& ready, const std::vector<Query>& queries);

}  // namespace lodestar::bench
