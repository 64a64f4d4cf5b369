// The searcher of one thread, and what a router prepares for all threads. An algorithm is an Engine
// and a row in algorithms.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lodestar/bidirectional.h"
#include "lodestar/heuristic.h"
#include "lodestar/infer.h"
#include "lodestar/learned.h"
#include "lodestar/potentials.h"
#include "lodestar/router.h"

namespace lodestar::detail {

using OnSettle = std::function<void(const Settled&)>;

class Engine {
 public:
  virtual ~Engine() = default;
  // The caller has checked that both nodes are in the graph.
  virtual SearchResult run(Query query) = 0;
  // The same search, which also calls on_settle for every settled node.
  virtual SearchResult run(Query query, const OnSettle& on_settle) = 0;
  virtual std::vector<NodeId> path() const = 0;
};

// An observer for any search that forwards settled nodes to a callback.
struct SettleObserver {
  const OnSettle& tell;
  void on_settle(NodeId v, Cost cost, NodeId parent) {
    tell({v, cost, parent, Direction::kForward});
  }
  void on_settle(NodeId v, Cost cost, NodeId parent, Direction side) {
    tell({v, cost, parent, side});
  }
};

struct RouterPlan;

// Prepares what all threads share, and makes the engine of one thread, as the algorithm's row says.
void prepare_engines(const AlgorithmRow& row, RouterPlan& plan);
std::unique_ptr<Engine> make_engine(const AlgorithmRow& row, const RouterPlan& plan);

// One function of each kind per row. bidirectional_engines.cpp:
void prepare_look_ahead(RouterPlan& plan);
void prepare_sorted_arcs(RouterPlan& plan);
std::unique_ptr<Engine> make_bidirectional(const RouterPlan& plan);
std::unique_ptr<Engine> make_bidirectional_textbook(const RouterPlan& plan);
std::unique_ptr<Engine> make_bidirectional_astar(const RouterPlan& plan);
// astar_engines.cpp:
std::unique_ptr<Engine> make_dijkstra(const RouterPlan& plan);
std::unique_ptr<Engine> make_astar(const RouterPlan& plan);
std::unique_ptr<Engine> make_weighted(const RouterPlan& plan);
std::unique_ptr<Engine> make_greedy(const RouterPlan& plan);
// focal_engine.cpp and core_engine.cpp:
std::unique_ptr<Engine> make_focal(const RouterPlan& plan);
void prepare_core(RouterPlan& plan);
std::unique_ptr<Engine> make_core(const RouterPlan& plan);

// The prepared state of a router, shared by its threads: the graph in search order, the heuristic
// and the algorithm.

// y(v) - y(s): a lower bound on the cost from the source, for a feasible y.
struct PotentialFromSource {
  const double* y;
  Cost at_source;
  Cost operator()(NodeId v) const { return y[v] - at_source; }
  static constexpr Guarantee guarantee() { return Guarantee::kConsistent; }
};

// A user's function for one query.
struct FunctionHeuristic {
  const HeuristicFunction* function;
  Query query;
  Guarantee promised;
  Cost operator()(NodeId v) const { return (*function)(v, query); }
  Guarantee guarantee() const { return promised; }
};

// The heuristic of one query.
using AnyHeuristic =
    std::variant<Zero, Constant, Random, Geometry::To, PotentialsHeuristic,
                 MaxOf<PotentialsHeuristic, Geometry::To>, PotentialHeuristic, FunctionHeuristic>;

// Any of them behind one type, if speed does not matter.
struct ErasedHeuristic {
  std::function<Cost(NodeId)> value;
  Guarantee promised;
  Cost operator()(NodeId v) const { return value(v); }
  Guarantee guarantee() const { return promised; }
};
ErasedHeuristic erased(const AnyHeuristic& heuristic);

struct RouterPlan {
  Graph given;  // the caller's graph
  Graph graph;  // the same graph, possibly with its arcs in another order
  RouterOptions options;
  const AlgorithmRow* row = nullptr;
  std::string note;
  Guarantee guarantee = Guarantee::kConsistent;

  std::optional<Geometry> geometry;
  std::shared_ptr<const Potentials> potentials;
  std::shared_ptr<const PotentialFamily> family;  // for requests
  std::shared_ptr<const LookAhead> look_ahead;    // for bidirectional search
  std::shared_ptr<const Index> index;             // for the algorithm "core"
  std::optional<PotentialNet> net;                // for the heuristic "learned"

  AnyHeuristic to_target(Query query) const;
};

// Checks that the options fit each other and the graph, and prepares the search.
void prepare(RouterPlan& plan);

// Searches with a model's potentials, computed for each query (learned.h).
std::unique_ptr<Engine> make_learned(const RouterPlan& plan, const SearchOptions& search,
                                     Promise promise);

// heuristic_seconds is an estimate; it is limited to the total time.
inline void split_seconds(SearchResult& found, double heuristic, double total) {
  found.heuristic_seconds = std::min(heuristic, total);
  found.search_seconds = total - found.heuristic_seconds;
}

}  // namespace lodestar::detail
