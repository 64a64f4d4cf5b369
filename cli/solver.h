// Any algorithm with any heuristic, chosen by name: what `solve` and `bench` run.
//
//   const SolverPlan plan(graph, {.algorithm = "astar", .heuristic = "geometric"});  // shared
//   Solver solver(plan);                                                            // per thread
//   const SearchResult found = solver.solve({s, t});
//
// The plan holds what is prepared once per graph; a Solver what one thread needs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lodestar/bidirectional.h"
#include "lodestar/focal.h"
#include "lodestar/graph.h"
#include "lodestar/heuristic.h"
#include "lodestar/learned.h"
#include "lodestar/potentials.h"
#include "lodestar/search.h"

namespace lodestar::cli {

enum class Algorithm {
  kAuto,  // bidirectional without a heuristic, A* with one
  kDijkstra,
  kAStar,
  kWeighted,
  kGreedy,
  kFocal,
  kBidirectional,
  kBidirectionalTextbook,
  kBidirectionalSorted,
  kBidirectionalAStar,
};

struct SolverOptions {
  std::string algorithm = "auto";
  std::string heuristic = "zero";
  std::string potentials;      // table of `lodestar fit`, joined with the heuristic by the larger
  double bound = 0;            // ε of focal and bidirectional search
  double weight = 1.5;         // of weighted A*
  double constant = 0;         // c of the constant heuristic
  std::string model = "deep";  // of the learned heuristic: embedded, or a file
  std::uint32_t steps = 0;     // 0: the model's own
  double scale = 0;            // 0: the model's own
  bool exact = false;          // close the learned potential: optimal answers
  std::uint64_t seed = 0;
  Reopen reopen = Reopen::kAlways;
  std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max();
  bool times = false;  // measure heuristic and search apart; costs a few percent
};

Algorithm parse_algorithm(const std::string& name);
std::string algorithm_names();  // for --help

// The heuristic of one query.
using AnyHeuristic = std::variant<Zero, Constant, Random, Geometry::To, TableHeuristic,
                                  MaxOf<TableHeuristic, Geometry::To>>;

class SolverPlan {
 public:
  SolverPlan(Graph graph, SolverOptions options);

  const Graph& graph() const { return graph_; }
  const SolverOptions& options() const { return options_; }
  Algorithm algorithm() const { return algorithm_; }
  double preparation_seconds() const { return preparation_seconds_; }
  // What had to be done to the table of potentials; empty when it fitted as it was.
  const std::string& table_note() const { return table_note_; }

  AnyHeuristic to_target(Query query) const;
  // The same seen from the other end, for bidirectional A*.
  AnyHeuristic from_source(Query query) const;

 private:
  friend class Solver;
  AnyHeuristic towards(NodeId node, Direction direction) const;
  void prepare_learned();
  void prepare_table();

  Graph graph_;
  SolverOptions options_;
  Algorithm algorithm_;
  std::optional<Geometry> geometry_;
  std::shared_ptr<const LookAhead> look_ahead_;
  std::optional<PotentialTable> table_;
  std::string table_note_;
  std::optional<PotentialNet> net_;
  LearnedOptions learned_options_;
  double preparation_seconds_ = 0;
};

class Solver {
 public:
  explicit Solver(const SolverPlan& plan);
  SearchResult solve(Query query);
  std::vector<NodeId> path() const;

 private:
  SearchResult dispatch(Query query, double* heuristic_seconds);

  const SolverPlan& plan_;
  std::unique_ptr<LearnedSearcher> learned_;  // instead of searcher_
  std::variant<std::monostate, Searcher, BidirectionalSearcher, FocalSearcher> searcher_;
};

}  // namespace lodestar::cli
