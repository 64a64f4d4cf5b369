// One way to ask: any algorithm with any heuristic on one graph, shared by all threads.
//
//   const Router router(graph, {.algorithm = "astar", .heuristic = "geometric"});
//   const Route route = router.path({s, t});             // route.result, route.nodes
//   const auto costs = router.costs(queries, 8);         // on eight threads
//   const auto from_s = router.distances(s);             // to every node
//   const auto potentials = router.matrix(sources, targets);  // [sources × targets]
//
// A Router is a handle on what was prepared once. Copying it is cheap and copies share their
// memory; it keeps the graph and every potentials it was given alive. All functions may be called
// from any number of threads at once: each call borrows a searcher from a pool. In a hot loop
// borrow one yourself:
//
//   Router::Lease lease = router.lease();                // one per thread
//   for (const Query& query : queries) use(lease.run(query).cost);
//
// Node ids out of range and options that contradict each other throw Error; "no path" is a value.
// For a heuristic of your own in C++, Searcher::run takes any type without a virtual call.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lodestar/algorithms.h"
#include "lodestar/graph.h"
#include "lodestar/heuristic.h"
#include "lodestar/infer.h"
#include "lodestar/potentials.h"
#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

namespace detail {
class Engine;  // src/router/engine.h
}

class Index;  // index.h

// One number per node, and what keeps the memory alive.
struct PotentialArray {
  std::span<const double> values;
  std::shared_ptr<const void> keeper;

  PotentialArray() = default;
  PotentialArray(std::span<const double> y, std::shared_ptr<const void> kept)
      : values(y), keeper(std::move(kept)) {}
  explicit PotentialArray(std::vector<double> y);  // owns them
};

// The estimated cost from v to query.target. Called from every thread that searches, so it must be
// safe to call from several at once. Must return finite numbers.
using HeuristicFunction = std::function<Cost(NodeId v, Query query)>;

struct RouterOptions {
  // The name of an algorithm (algorithms.h), or "auto": core with an index, bidirectional without a
  // heuristic, focal with one and a bound, A* otherwise.
  std::string algorithm = "auto";

  // "zero", "geometric" (needs coordinates), "learned" (a model), "constant", "random"; "potential"
  // and "function" stand for `potential` and `function` below and are implied by them.
  std::string heuristic = "zero";

  // Potentials of one graph (fit.h), joined with the heuristic by the larger of both. A file, or
  // the potentials itself. Where weights fell below what it was made for, a copy is mended and
  // used.
  std::string potentials_file = {};
  std::shared_ptr<const Potentials> potentials = nullptr;
  bool trust = false;  // true: table and prover are known to be feasible on this graph

  // Of the algorithm "core", which it implies: an index (index.h) or its file. A file made for
  // other weights of the same arcs is customised. Without either the index is built, which takes
  // seconds.
  std::string index_file = {};
  std::shared_ptr<const Index> index = nullptr;

  // Of the heuristic "learned": an embedded model's name or a file, or the model itself.
  std::string model = "deep";
  std::shared_ptr<const Model> model_object = nullptr;
  std::uint32_t steps = 0;  // 0: the model's own
  double scale = 0;         // 0: the model's own
  bool exact = false;       // close its potential for each query: optimal answers

  // y of h(v) = y(t) - y(v). Whether it is feasible is checked, unless `guarantee` says so.
  PotentialArray potential = {};
  // A second, feasible potential that proves while the first one orders: focal search.
  PotentialArray prover = {};
  HeuristicFunction function = {};
  // What is known of `potential` or `function`. A false claim makes answers wrong.
  std::optional<Guarantee> guarantee = {};

  double constant = 0;     // of the heuristic "constant"
  std::uint64_t seed = 0;  // of the heuristic "random"

  double bound = 0;     // ε: accept paths of up to (1 + ε) times the optimum
  double weight = 1.5;  // of weighted A*
  Reopen reopen = Reopen::kAlways;
  bool prune = true;  // of A*, weighted and greedy: see SearchOptions
  std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max();  // of one query
  bool times = false;  // measure heuristic and search apart; costs a few percent
};

struct Route {
  SearchResult result;
  std::vector<NodeId> nodes;  // from source to target; empty when there is no path
};

// A node as the search settles it. A node re-opened is settled again.
struct Settled {
  NodeId node = kNoNode;
  Cost cost = 0;  // of the way to it found so far, from its side's end
  NodeId parent = kNoNode;
  Direction side = Direction::kForward;  // kBackward: by the search from the target
  friend bool operator==(const Settled&, const Settled&) = default;
};

struct SearchTrace {
  Route route;
  std::vector<Settled> settled;  // in order
};

struct Distances {
  std::vector<Cost> costs;      // [n]; infinite where there is no way
  std::vector<NodeId> parents;  // [n] if asked for: the neighbour on the way to the root
};

struct DistanceOptions {
  Direction direction = Direction::kForward;  // kBackward: distances to the node, not from it
  bool parents = false;
};

struct BatchOptions {
  unsigned threads = 1;  // 0: all processors; results do not depend on it
  // Called on the caller's thread now and then, and at the end, with the number of items done. May
  // throw to stop: the exception reaches the caller once every thread has stopped.
  std::function<void(std::size_t done)> progress = {};
};

// One line of a matrix: the costs from one source to all targets, or to one target from all
// sources.
using MatrixLine = std::function<void(std::size_t index, std::span<const Cost> costs)>;
enum class MatrixBy : std::uint8_t { kFewer, kSource, kTarget };

class Router {
 public:
  // Prepares what the options ask for. Throws Error when they contradict each other or do not fit
  // the graph.
  explicit Router(Graph graph, RouterOptions options = {});
  // Copies are handles on the same thing. There is no move: what is moved from stays as it was.
  Router(const Router&) = default;
  Router& operator=(const Router&) = default;
  ~Router() = default;

  const Graph& graph() const;
  const RouterOptions& options() const;
  const AlgorithmRow& algorithm() const;  // what "auto" became
  // What is known of the heuristic as it is used, after any closing or mending.
  Guarantee guarantee() const;
  double preparation_seconds() const;  // of what threads share, without their searchers
  // What had to be done to the potentials; empty when it fitted as it was.
  const std::string& note() const;

  class Lease;
  Lease lease() const;

  Route path(Query query) const;

  std::vector<SearchResult> results(std::span<const Query> queries,
                                    const BatchOptions& batch = {}) const;
  std::vector<Route> paths(std::span<const Query> queries, const BatchOptions& batch = {}) const;
  // Of the paths found: the distances, unless the algorithm may fall short of them.
  std::vector<Cost> costs(std::span<const Query> queries, const BatchOptions& batch = {}) const;

  // Every settled node in order. The callback form keeps nothing and may throw to stop.
  SearchTrace trace(Query query) const;
  SearchResult trace(Query query, const std::function<void(const Settled&)>& on_settle) const;

  // Exact, by Dijkstra, whatever the algorithm of the router.
  Distances distances(NodeId node, const DistanceOptions& options = {}) const;

  // Exact distances, [sources × targets] row by row; one search per source or per target, whichever
  // are fewer.
  std::vector<Cost> matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                           const BatchOptions& batch = {}) const;
  // The same line by line, in order and on the caller's thread; keeps a few lines at a time. Lines
  // belong to sources or to targets, as `by` says; returns which it was.
  MatrixBy matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                  const MatrixLine& line, MatrixBy by = MatrixBy::kFewer,
                  const BatchOptions& batch = {}) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// A searcher borrowed from a router's pool, for one thread. Keeps alive what it needs; goes back to
// the pool when it is destroyed.
class Router::Lease {
 public:
  Lease(Lease&&) noexcept;
  Lease& operator=(Lease&&) noexcept;
  ~Lease();

  SearchResult run(Query query);
  SearchResult run(Query query, const std::function<void(const Settled&)>& on_settle);
  // Of the last run; empty when there was none, or it found no path.
  std::vector<NodeId> path() const;

 private:
  friend class Router;
  explicit Lease(std::shared_ptr<State> state);
  void give_back() noexcept;

  std::shared_ptr<State> state_;
  std::unique_ptr<detail::Engine> engine_;
};

}  // namespace lodestar
