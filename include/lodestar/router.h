// Router: any algorithm with any heuristic on one graph, thread-safe.
//
//   const Router router(graph, {.algorithm = "astar", .heuristic = "geometric"});
//   const Route route = router.path({s, t});             // route.result, route.nodes
//   const auto costs = router.costs(queries, 8);         // on eight threads
//   const auto from_s = router.distances(s);             // to every node
//   const auto matrix = router.matrix(sources, targets);  // [sources × targets]
//   const auto mine = router.request({s, t}, preferences);  // with weights of its own
//
// The program, the Python package and the server use this class. A Router is a handle: it is cheap
// to copy, and copies share their memory. It keeps the graph and all potentials alive. All
// functions may be called from any number of threads; each call borrows a searcher from a pool. In
// a hot loop, borrow one explicitly:
//
//   Router::Lease lease = router.lease();                // one per thread
//   for (const Query& query : queries) use(lease.run(query).cost);
//
// Nodes out of range and conflicting options throw Error; "no path" is a result. For your own
// heuristics in C++, Searcher::run accepts any type without a virtual call.
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
#include "lodestar/metrics.h"
#include "lodestar/potential_family.h"
#include "lodestar/potentials.h"
#include "lodestar/preferences.h"
#include "lodestar/request_route.h"
#include "lodestar/search.h"
#include "lodestar/shape.h"
#include "lodestar/travel_times.h"
#include "lodestar/types.h"

namespace lodestar {

namespace detail {
class Engine;  // src/router/engine.h
}

namespace requests {
class RequestEngine;  // src/requests/engine.h
}

class Index;  // index.h

// One number per node, and an owner that keeps the memory alive.
struct PotentialArray {
  std::span<const double> values;
  std::shared_ptr<const void> keeper;

  PotentialArray() = default;
  PotentialArray(std::span<const double> y, std::shared_ptr<const void> kept)
      : values(y), keeper(std::move(kept)) {}
  explicit PotentialArray(std::vector<double> y);  // owns the values
};

// Returns the estimated cost from v to query.target, a finite number. Must be thread-safe.
using HeuristicFunction = std::function<Cost(NodeId v, Query query)>;

struct RouterOptions {
  // The name of an algorithm (algorithms.h), or "auto": core with an index, bidirectional without a
  // heuristic, focal with a heuristic and a bound, otherwise A*.
  std::string algorithm = "auto";

  // "zero", "geometric" (requires coordinates), "learned" (a model), "constant", "random",
  // "potential" or "function". The last two are implied by the options of the same names.
  std::string heuristic = "zero";

  // Potentials of this graph (fit.h) or their file, combined with the heuristic by the maximum. If
  // weights fell since the potentials were made, a repaired copy is used. They also serve requests
  // with preferences. With an index they serve only those.
  std::string potentials_file = {};
  std::shared_ptr<const Potentials> potentials = nullptr;
  // Potentials for blends of metrics; `potentials_file` may name a file of these as well.
  std::shared_ptr<const PotentialFamily> family = nullptr;
  bool trust = false;  // true: potentials and prover are known to be feasible and not checked

  // For requests with preferences: further weights and classes of the arcs, the lines of roads for
  // areas to avoid, and travel times by the time of day.
  Metrics metrics = {};
  Shape shape = {};
  std::shared_ptr<const TravelTimes> travel_times = nullptr;

  // An index (index.h) or its file; implies the algorithm "core". A file made for other weights of
  // the same arcs is customized. If the algorithm is "core" and neither is given, an index is
  // built, which takes seconds.
  std::string index_file = {};
  std::shared_ptr<const Index> index = nullptr;

  // For the heuristic "learned": the name of an embedded model, a file, or the model itself.
  std::string model = "deep";
  std::shared_ptr<const Model> model_object = nullptr;
  std::uint32_t steps = 0;  // 0: those of the model
  double scale = 0;         // 0: that of the model
  bool exact = false;       // makes the potential feasible for each query, so costs are optimal

  // y of the heuristic h(v) = y(t) - y(v). Checked for feasibility unless `guarantee` is set.
  PotentialArray potential = {};
  // For focal search: a feasible potential that proves the bound, while `potential` orders nodes.
  PotentialArray prover = {};
  HeuristicFunction function = {};
  // The guarantee of `potential` or `function`. If it is false, results may be wrong.
  std::optional<Guarantee> guarantee = {};

  double constant = 0;     // for the heuristic "constant"
  std::uint64_t seed = 0;  // for the heuristic "random"

  double bound = 0;     // ε: accept paths that cost at most (1 + ε) times the optimum
  double weight = 1.5;  // for weighted A*
  Reopen reopen = Reopen::kAlways;
  bool prune = true;  // for astar, weighted and greedy: see SearchOptions
  std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max();  // of one query
  bool times = false;  // measure heuristic and search separately; costs a few percent
};

struct Route {
  SearchResult result;
  std::vector<NodeId> nodes;  // from source to target; empty if there is no path
};

// A settled node. A reopened node is settled again.
struct Settled {
  NodeId node = kNoNode;
  Cost cost = 0;  // of the best known path to it, from the source or from the target
  NodeId parent = kNoNode;
  Direction side = Direction::kForward;  // kBackward: settled by the search from the target
  friend bool operator==(const Settled&, const Settled&) = default;
};

struct SearchTrace {
  Route route;
  std::vector<Settled> settled;  // in order
};

struct Distances {
  std::vector<Cost> costs;      // [n]; infinite if there is no path
  std::vector<NodeId> parents;  // [n] if requested: the next node on the path to the root
  // [n] if requested: the nearest root by its position in the list, kNoNode if there is no path.
  // One of them if several are equally near.
  std::vector<NodeId> nearest;
};

struct DistanceOptions {
  Direction direction = Direction::kForward;  // kBackward: distances to the node, not from it
  bool parents = false;
  bool nearest = false;
  Cost limit = kInfinity;  // nodes farther away count as unreachable
};

struct ReachedNode {
  NodeId node = kNoNode;
  Cost cost = 0;
  NodeId parent = kNoNode;    // the next node on the path to the root
  std::uint32_t nearest = 0;  // the nearest root by its position in the list
};

// An arc that is used within the limit, at least in part.
struct ReachedArc {
  NodeId tail = kNoNode;
  NodeId head = kNoNode;
  Weight weight = 0;
  // The part of the arc within the limit, in (0, 1]: from the tail if the direction is forward,
  // from the head otherwise.
  double share = 1;
  ArcIndex arc = 0;  // in the forward rows
};

struct Reach {
  std::vector<ReachedNode> nodes;  // by ascending cost
  std::vector<ReachedArc> arcs;    // if requested
};

struct ReachOptions {
  Direction direction = Direction::kForward;  // kBackward: nodes from which a root is reached
  bool arcs = false;
  std::span<const Cost> spent = {};  // before each root, such as on the way to it; empty: 0
};

// The arcs that leave the nodes (forward) or enter them, as far as the limit allows.
std::vector<ReachedArc> reached_arcs(const Graph& graph, std::span<const ReachedNode> nodes,
                                     Cost limit, Direction direction = Direction::kForward);

// The k nearest of a list of facilities, for each source: [sources × k], by ascending cost.
struct NearestFacilities {
  std::vector<NodeId> facilities;  // positions in the list; kNoNode if fewer are reachable
  std::vector<Cost> costs;         // infinite there
};

struct BatchOptions {
  unsigned threads = 1;  // 0: all cores; results do not depend on it
  // Called repeatedly on the caller's thread, and at the end, with the number of items done. It may
  // throw to stop; the exception reaches the caller when all threads have stopped.
  std::function<void(std::size_t done)> progress = {};
};

// Receives one line of a matrix: the costs from a source to all targets, or from all sources to a
// target.
using MatrixLine = std::function<void(std::size_t index, std::span<const Cost> costs)>;
enum class MatrixBy : std::uint8_t { kFewer, kSource, kTarget };
inline constexpr std::uint32_t kNoCell = 0xffffffffu;

// Whether a matrix without an index is faster if one is built first. The times are estimates for
// one thread: one search is timed, and indexes of samples are built if searches take long.
struct MatrixPlan {
  bool build = false;
  double search_seconds = 0;  // one search per line
  double index_seconds = 0;   // building an index; 0 if it was not estimated
};
// For the smaller of both lists. An index is not built if sums of weights might depend on their
// order, because costs could then differ in their last digits.
MatrixPlan plan_matrix(const Graph& graph, std::size_t lines, unsigned threads = 1);

class Router {
 public:
  // Prepares the search. Throws Error if options conflict or do not fit the graph.
  explicit Router(Graph graph, RouterOptions options = {});
  // Copies share their state. Moving copies.
  Router(const Router&) = default;
  Router& operator=(const Router&) = default;
  ~Router() = default;

  const Graph& graph() const;
  const RouterOptions& options() const;
  const AlgorithmRow& algorithm() const;  // the one that "auto" selected
  // The guarantee of the heuristic in use, after closure or repair.
  Guarantee guarantee() const;
  double preparation_seconds() const;  // without the searchers of the threads
  // Says that potentials were repaired or an index customized; empty if neither was necessary.
  const std::string& note() const;

  class Lease;
  Lease lease() const;

  Route path(Query query) const;

  std::vector<SearchResult> results(std::span<const Query> queries,
                                    const BatchOptions& batch = {}) const;
  std::vector<Route> paths(std::span<const Query> queries, const BatchOptions& batch = {}) const;
  // The costs of the paths found. They are distances if the algorithm is exact.
  std::vector<Cost> costs(std::span<const Query> queries, const BatchOptions& batch = {}) const;

  // The best route by the weights of the request. Exact; `result.optimal()` says so. Throws Error
  // if the preferences are malformed or refer to what the graph does not have.
  RequestRoute request(Query query, const Preferences& preferences) const;
  // Up to options.count routes, the best one first. Each carries its own cost, and the cost of the
  // best one as lower bound.
  std::vector<RequestRoute> alternatives(Query query, const Preferences& preferences = {},
                                         const AlternativeOptions& options = {}) const;
  // For many queries with the same preferences, in one thread.
  class Requests;
  Requests requests(const Preferences& preferences) const;
  // Records the nodes that a request settles, as trace() does.
  SearchTrace trace(Query query, const Preferences& preferences) const;

  // Records every settled node in order. The callback may throw to stop the search.
  SearchTrace trace(Query query) const;
  SearchResult trace(Query query, const std::function<void(const Settled&)>& on_settle) const;

  // Exact distances from one node to all, or from the nearest of several: by Dijkstra's algorithm,
  // or with an index by a pass down its hierarchy.
  Distances distances(NodeId node, const DistanceOptions& options = {}) const;
  Distances distances(std::span<const NodeId> roots, const DistanceOptions& options = {}) const;

  // The nodes within a limit of the nearest root, and arcs with the part that is within it. The
  // time depends on the result, not on the graph.
  Reach within(std::span<const NodeId> roots, Cost limit, const ReachOptions& options = {}) const;

  // The k nearest facilities of each source. Facilities listed twice count twice.
  NearestFacilities nearest(std::span<const NodeId> sources, std::span<const NodeId> facilities,
                            std::size_t k, const BatchOptions& batch = {}) const;

  // Exact distances [sources × targets], row by row. With an index, nodes are climbed once and
  // cells are a (min, +) product; otherwise one search runs per source or per target, whichever
  // are fewer.
  std::vector<Cost> matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                           const BatchOptions& batch = {}) const;
  // The same into memory of the caller.
  void matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
              std::span<Cost> costs, const BatchOptions& batch = {}) const;
  // The same as float32 or as 32-bit integers, in half the memory; kNoCell: no path. Throws Error
  // if a cost is not exact in the type.
  void matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
              std::span<float> costs, const BatchOptions& batch = {}) const;
  void matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
              std::span<std::uint32_t> costs, const BatchOptions& batch = {}) const;
  // The same, and for each pair the sum of `along` over the arcs of one optimal path, such as its
  // length: `along` has a number of at least 0 per arc, in the order of Graph::weights().
  void matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
              std::span<const double> along, std::span<Cost> costs, std::span<double> sums,
              const BatchOptions& batch = {}) const;
  // The same line by line, in order and on the caller's thread, with memory for a block of lines
  // (32 MB or 64 lines). `by` selects whether a line belongs to a source or to a target; returns
  // the choice.
  MatrixBy matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                  const MatrixLine& line, MatrixBy by = MatrixBy::kFewer,
                  const BatchOptions& batch = {}) const;

 private:
  struct State;
  class Lines;
  // Returns an engine to the pool of the state, which it keeps alive.
  struct GiveBack {
    std::shared_ptr<State> state;
    void operator()(detail::Engine* engine) const noexcept;
    void operator()(requests::RequestEngine* engine) const noexcept;
  };
  template <class T>
  void fill_matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                   std::span<T> cells, const BatchOptions& batch) const;
  bool costs_by_matrix(std::span<const Query> queries, std::span<Cost> found,
                       const BatchOptions& batch) const;
  Distances searched(NodeId root, const DistanceOptions& options) const;
  std::shared_ptr<State> state_;
};

// Searches with the weights of a request, for one thread. After the first queries no memory is
// allocated.
class Router::Requests {
 public:
  SearchResult run(Query query);
  // The path of the last run and its arcs; empty if no path was found.
  std::vector<NodeId> path() const;
  std::vector<ArcIndex> arcs() const;
  RequestRoute route(Query query);
  std::vector<RequestRoute> alternatives(Query query, const AlternativeOptions& options);
  // The weight of an arc in this request, infinite if it is closed. With a time of departure: of a
  // vehicle that enters it at that time.
  Cost weight(ArcIndex arc) const;
  bool has_potentials() const;

 private:
  friend class Router;
  Requests(std::shared_ptr<State> state, const Preferences& preferences);
  State& state() const { return *engine_.get_deleter().state; }

  std::unique_ptr<requests::RequestEngine, GiveBack> engine_;
};

// A searcher borrowed from a router's pool, for one thread. It keeps the router's state alive and
// returns to the pool when destroyed.
class Router::Lease {
 public:
  SearchResult run(Query query);
  SearchResult run(Query query, const std::function<void(const Settled&)>& on_settle);
  // The path of the last run; empty if no path was found.
  std::vector<NodeId> path() const;

 private:
  friend class Router;
  explicit Lease(std::shared_ptr<State> state);
  State& state() const { return *engine_.get_deleter().state; }

  std::unique_ptr<detail::Engine, GiveBack> engine_;
};

}  // namespace lodestar
