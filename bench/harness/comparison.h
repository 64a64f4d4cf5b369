// Several methods on the same queries of one graph, measured side by side, every answer checked.
//
//   Comparison comparison(graph, reachable_pairs(graph, 1000, Rng(7)));
//   comparison.add(method, *prepare_timed(method, workshop));
//   comparison.measure({.passes = 3});
//   for (const MethodResult& result : comparison.results()) …
//
// The judge is bidirectional search: exact without any potentials, and quicker than Dijkstra.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/harness/method.h"
#include "lodestar/bidirectional.h"

namespace lodestar::eval {

struct MethodResult {
  std::string id;
  std::string name;
  std::size_t bytes = 0;  // what it keeps beside the graph
  double preparation_seconds = 0;
  double expansions = 0;  // mean per query
  double seconds = 0;     // per query, median of the passes
  double within = 0;      // what it promises, see Method
  std::size_t wrong = 0;  // answers the judge does not accept, in all passes; bad paths too
};

struct ComparisonOptions {
  int passes = 3;
  // Pairs nobody has asked for before in every pass of every method: a query that is asked again
  // finds its data in the caches. Expansions are still counted on the common queries.
  bool fresh = false;
  std::uint64_t seed = 1;  // of fresh pairs
  // Fresh pairs are judged by the first method, which the judge has checked on the common queries:
  // for graphs on which the judge takes long.
  bool first_judges = false;
  bool paths = false;  // times include the path; its cost is checked too
};

class Comparison {
 public:
  Comparison(const Graph& graph, std::vector<Query> queries);

  void add(const Method& method, ReadyMethod ready);
  // Passes over all methods in turn, so that a noisy moment hits all of them. Throws Error when
  // paths are asked for and a method has none.
  void measure(const ComparisonOptions& options, const std::function<void(double)>& progress = {});

  const std::vector<MethodResult>& results() const { return results_; }
  const MethodResult* find(const std::string& id) const;  // nullptr when it took no part
  // The one with the fewest expansions among those; nullptr when none took part.
  const MethodResult* best_of(const std::vector<std::string>& ids) const;
  double path_nodes() const { return path_nodes_; }  // mean number of nodes on a shortest path
  std::size_t query_count() const { return common_.queries.size(); }

 private:
  struct Judged {
    std::vector<Query> queries;
    std::vector<Cost> costs;  // optimal
    double path_nodes = 0;    // of all together
  };
  Judged judge(std::vector<Query> queries);
  Judged judge_by_first(std::vector<Query> queries) const;
  bool accepts(std::size_t method, Cost optimum, Cost found) const;
  // Asks all queries, counts what is wrong, returns the mean expansions.
  double answer(std::size_t method, const Judged& judged, bool paths);
  void check_paths(std::size_t method);

  Graph graph_;
  BidirectionalSearcher judge_;
  Judged common_;
  double path_nodes_ = 0;
  std::vector<NodeId> last_path_;  // kept, so that making it is not left out
  std::vector<MethodResult> results_;
  std::vector<ReadyMethod> ready_;
};

// Whether a cost is the optimum: costs of real weights are sums in different orders, whole numbers
// must agree to the last bit.
bool same_cost(Cost a, Cost b);

// Mean expansions of a method over the queries.
double mean_expansions(const ReadyMethod& ready, const std::vector<Query>& queries);

}  // namespace lodestar::eval
