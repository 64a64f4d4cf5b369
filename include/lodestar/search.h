// Point-to-point search on a Graph: A*, and Dijkstra as A* with Zero.
//
//   Searcher searcher(graph);                        // one per thread, reused
//   const SearchResult found = searcher.run({s, t}, Zero{});
//   if (found.reached()) use(searcher.path());
//
// One loop serves A*, weighted A*, greedy best-first search and Dijkstra's algorithm. The result is
// optimal if the heuristic is consistent, or admissible with Reopen::kAlways. A learned heuristic
// guarantees neither, so every result has a lower bound that is valid for any heuristic.
//
// Lower bound. At any time some node v of an optimal path is queued with its true g, or belongs to
// a push or reopening that was left out. The distance is therefore at least the minimum of g(v) +
// p(v) over all of these nodes, for any p that never overestimates (the prover, Zero by default).
//
// Termination. A node is expanded again only after a cheaper path to it was found. With a bad
// heuristic this could happen 2^n times (Martelli 1977). After a number of reopenings that depends
// on n, the queue is therefore ordered by g alone, so that no node is expanded twice from then on.
// No run expands more than most_expansions(n) nodes.
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "lodestar/detail/contract.h"
#include "lodestar/detail/heap.h"
#include "lodestar/detail/run_number.h"
#include "lodestar/detail/stop.h"
#include "lodestar/graph.h"
#include "lodestar/heuristic.h"
#include "lodestar/types.h"

namespace lodestar {

enum class Reopen : std::uint8_t {
  kAlways,  // a settled node is queued again if a cheaper path to it is found
  kNever,   // each node is expanded once; the cost may be higher, the lower bound is valid
};

struct SearchOptions {
  Reopen reopen = Reopen::kAlways;
  double weight = 1;    // key = g + weight · h; finite and ≥ 0
  bool greedy = false;  // greedy best-first search: key = h
  // Skips paths that cost as much as the best known path to the target. It makes no difference with
  // a consistent heuristic. Textbook A* and the paper do not prune.
  bool prune = true;
  std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max();
};

struct SearchResult {
  Cost cost = kInfinity;          // of the path found; infinite if there is none
  Cost lower_bound = kInfinity;   // no path is cheaper than this
  std::uint64_t expansions = 0;   // nodes taken from the queue, including the target
  std::uint64_t reopened = 0;     // expansions of nodes that were settled before
  std::uint64_t pushes = 0;       // insertions and decrease-key operations
  std::uint64_t evaluations = 0;  // calls of the heuristic
  bool capped = false;            // stopped by max_expansions or an observer; a path may exist
  double heuristic_seconds = 0;   // 0 unless measured (RouterOptions::times)
  double closure_seconds = 0;     // to make a learned potential feasible (learned.h)
  double search_seconds = 0;

  bool reached() const { return cost < kInfinity; }
  // Also true if it is proven that there is no path.
  bool optimal() const { return cost <= lower_bound; }
  // (cost - lower_bound) / lower_bound: 0 if optimal, infinite if the lower bound is 0.
  double gap() const {
    if (optimal()) return 0;
    return lower_bound > 0 ? (cost - lower_bound) / lower_bound : kInfinity;
  }
};

// The cost of a path along the cheapest arcs between its nodes. Infinite if two consecutive nodes
// are not adjacent; 0 for a single node.
Cost path_cost(const Graph& graph, std::span<const NodeId> path);

// Default observer. An observer is any type with on_settle(v, g, parent), on_label(v, g, parent) or
// both, which the search calls. If on_settle returns bool, false stops the search like
// max_expansions.
struct NoObserver {};

namespace detail {
// Returns false if the observer stops the search.
template <class O>
bool notify_settle(O& observer, NodeId v, Cost g, NodeId parent) {
  if constexpr (requires {
                  { observer.on_settle(v, g, parent) } -> std::same_as<bool>;
                }) {
    return observer.on_settle(v, g, parent);
  } else if constexpr (requires { observer.on_settle(v, g, parent); }) {
    observer.on_settle(v, g, parent);
  }
  return true;
}
// The same for bidirectional search.
template <class O>
void notify_settle(O& observer, NodeId v, Cost g, NodeId parent, Direction side) {
  if constexpr (requires { observer.on_settle(v, g, parent, side); }) {
    observer.on_settle(v, g, parent, side);
  }
}
// At the limit of expansions: whether the search ends. Otherwise the limit moves on.
inline bool must_end(SearchResult& result, std::uint64_t most, std::uint64_t& limit) {
  result.capped = result.expansions >= most;
  if (result.capped) return true;
  check_stop();
  limit = std::min(most, result.expansions + kStopEvery);
  return false;
}
// The arcs of u, which is left at cost g.
template <class Rows>
decltype(auto) arcs_of(const Rows& rows, NodeId u, Cost g) {
  if constexpr (requires { rows.of(u, g); }) {
    return rows.of(u, g);
  } else {
    return rows.of(u);
  }
}
template <class O>
void notify_label(O& observer, NodeId v, Cost g, NodeId parent) {
  if constexpr (requires { observer.on_label(v, g, parent); }) observer.on_label(v, g, parent);
}
}  // namespace detail

class Searcher {
 public:
  explicit Searcher(Graph graph) : graph_(std::move(graph)) {
    labels_.resize(graph_.node_count());
    queue_ = NodeHeap(graph_.node_count());
  }

  const Graph& graph() const { return graph_; }

  // With kBackward the search uses reversed arcs and computes distances to the source node.
  void set_direction(Direction direction) { direction_ = direction; }

  // With target kNoNode all reachable nodes are settled. Throws Error if a node is not in the
  // graph, an option is invalid, a heuristic was made for another number of nodes, or an estimate
  // is not finite.
  template <Heuristic H, class Observer = NoObserver, Heuristic Prover = Zero>
  SearchResult run(Query query, H&& h, const SearchOptions& options = {}, Observer&& observer = {},
                   Prover&& prover = {}) {
    check(query, options);
    detail::check_fit(h, graph_.node_count());
    detail::check_fit(prover, graph_.node_count());
    return graph_.visit(direction_, [&](auto adjacency) {
      // A template parameter, because a test in the inner loop costs 3 % on dense graphs.
      return graph_.arc_order() == ArcOrder::kByWeight
                 ? search<ArcOrder::kByWeight>(adjacency, query, h, options, observer, prover)
                 : search<ArcOrder::kByHead>(adjacency, query, h, options, observer, prover);
    });
  }

  // The same with other arcs or weights than the graph's: rows.of(u) are the arcs of u, or
  // rows.of(u, g) if they depend on the cost g at which u is left. An arc has a head and a weight;
  // an infinite weight closes it. Used for weights that belong to one request.
  template <class Rows, Heuristic H, class Observer = NoObserver>
  SearchResult run_on(const Rows& rows, Query query, H&& h, const SearchOptions& options = {},
                      Observer&& observer = {}) {
    check(query, options);
    detail::check_fit(h, graph_.node_count());
    Zero prover;
    return search<ArcOrder::kByHead>(rows, query, h, options, observer, prover);
  }

  // Settles all nodes reachable from `source`.
  template <class Observer = NoObserver>
  SearchResult run_all(NodeId source, Observer&& observer = {}) {
    return run({source, kNoNode}, Zero{}, {}, observer);
  }

  // The following describe the last run.
  // The cost of the best path found to v; infinite if v was not reached.
  Cost distance(NodeId v) const { return is_labelled(v) ? labels_[v].g : kInfinity; }
  NodeId parent(NodeId v) const { return is_labelled(v) ? labels_[v].parent : kNoNode; }
  // The path from the source to v or to the target; empty if it was not reached.
  std::vector<NodeId> path(NodeId v) const;
  std::vector<NodeId> path() const { return path(target_); }

 private:
  enum class State : std::uint32_t { kQueued, kLeftOut, kSettled };

  // 32 bytes, two per cache line. h is stored, so each node is evaluated once per query.
  struct Label {
    Cost g;
    Cost h;
    NodeId parent;
    std::uint32_t run = 0;  // the query it belongs to
    State state;
  };

  bool is_labelled(NodeId v) const { return v < labels_.size() && labels_[v].run == run_; }
  void check(Query query, const SearchOptions& options) const;
  void begin_run(NodeId target);
  void queue_by_cost();
  Cost cost_of_parents(NodeId v) const;

  template <ArcOrder kOrder, class Rows, class H, class Observer, class Prover>
  SearchResult search(Rows rows, Query query, H& h, const SearchOptions& options,
                      Observer& observer, Prover& prover);

  Graph graph_;
  Direction direction_ = Direction::kForward;
  std::vector<Label> labels_;
  NodeHeap queue_;
  std::vector<NodeId> left_out_;  // nodes labelled but not queued, for the lower bound
  detail::RunNumber run_;
  NodeId target_ = kNoNode;
};

template <ArcOrder kOrder, class Rows, class H, class Observer, class Prover>
SearchResult Searcher::search(Rows rows, Query query, H& h, const SearchOptions& options,
                              Observer& observer, Prover& prover) {
  begin_run(query.target);
  SearchResult result;
  const Guarantee guarantee = guarantee_of(h);
  // Whether the cost of the target is optimal when it is settled. Otherwise a bound is computed.
  const bool optimal_when_settled =
      !options.greedy && options.weight <= 1 &&
      (guarantee == Guarantee::kConsistent ||
       (guarantee == Guarantee::kAdmissible && options.reopen == Reopen::kAlways));
  // With a consistent heuristic no node needs to be reopened, except that keys are rounded: if h is
  // much larger than g, nodes may be settled in the wrong order. Optimality requires to reopen
  // them.
  const bool reopens = options.reopen == Reopen::kAlways || optimal_when_settled;
  const auto bound_at = [&](NodeId v, Cost g) {
    const Cost proven = detail::checked(static_cast<Cost>(prover(v)), v);
    return g + (guarantee == Guarantee::kNone ? proven : std::max(proven, labels_[v].h));
  };
  const auto estimate = [&](NodeId v) { return detail::checked(static_cast<Cost>(h(v)), v); };
  double weight = options.weight;
  bool greedy = options.greedy;
  const auto entry_of = [&](NodeId v) {
    const Label& label = labels_[v];
    const Cost key = greedy ? label.h : label.g + weight * label.h;
    return HeapEntry{key, static_cast<float>(-label.g), v};
  };
  Cost refused = kInfinity;     // smallest bound of a reopening that was refused
  Cost target_key = kInfinity;  // nodes with larger keys would be settled after the target
  Cost best = kInfinity;        // cost of the best path so far, for pruning

  const std::uint64_t patience = detail::kPatience * graph_.node_count();
  bool patient = true;
  // Expansions after which something has to be done first.
  std::uint64_t limit = std::min(options.max_expansions, detail::kStopEvery);
  labels_[query.source] = {0, estimate(query.source), kNoNode, run_, State::kQueued};
  ++result.evaluations;
  ++result.pushes;
  queue_.push(entry_of(query.source));
  detail::notify_label(observer, query.source, Cost{0}, kNoNode);

  while (!queue_.empty()) {
    if (result.expansions >= limit) [[unlikely]] {
      if (detail::must_end(result, options.max_expansions, limit)) break;
      if (patient && result.reopened >= patience) {  // from now on by cost alone
        patient = false;
        greedy = false;
        weight = 0;
        if (target_key < kInfinity) target_key = best;
        queue_by_cost();
      }
    }
    // Step 1. Settle the node with the smallest key.
    const NodeId u = queue_.pop().node;
    labels_[u].state = State::kSettled;
    const Cost g = labels_[u].g;
    ++result.expansions;
    if (!detail::notify_settle(observer, u, g, labels_[u].parent)) {
      result.capped = u != query.target;
      break;
    }
    if (u == query.target) break;

    // Values of distant nodes are in distant memory: ask for all of them before the first is used.
    if constexpr (requires { h.prefetch(u); }) {
      for (const NodeId v : rows.heads(u)) {
        __builtin_prefetch(&labels_[v]);
        h.prefetch(v);
      }
    }
    for (const auto& arc : detail::arcs_of(rows, u, g)) {
      const NodeId v = arc.head;
      const Cost cost = g + static_cast<Cost>(arc.weight);
      if (cost >= best) {
        if (kOrder == ArcOrder::kByWeight) break;  // the remaining arcs are heavier
        continue;
      }
      Label& label = labels_[v];
      // Step 2. Keep the cheaper path to v.
      bool queued = false;
      if (label.run == run_) {
        if (cost >= label.g) continue;
        if (label.state == State::kSettled) {
          if (!reopens) {
            refused = std::min(refused, bound_at(v, cost));
            continue;
          }
          if (++result.reopened == patience) limit = 0;
        }
        queued = label.state == State::kQueued;
        label.g = cost;
        label.parent = u;
      } else {
        label = {cost, estimate(v), u, run_, State::kQueued};
        ++result.evaluations;
      }
      detail::notify_label(observer, v, cost, u);

      // Step 3. Queue v, unless the target will be settled first.
      const HeapEntry entry = entry_of(v);
      if (v == query.target) {
        target_key = entry.key;
        if (options.prune) best = cost;
      } else if (entry.key > target_key && !queued) {
        if (!optimal_when_settled) left_out_.push_back(v);
        label.state = State::kLeftOut;
        continue;
      }
      ++result.pushes;
      label.state = State::kQueued;
      if (queued) {
        queue_.update(entry);
      } else {
        queue_.push(entry);
      }
    }
  }

  assert(result.expansions <= most_expansions(graph_.node_count()));

  // Step 4. The result and its lower bound. If the run was cut short, a node of the path may have
  // been reopened and not expanded again. The path is then cheaper than g says.
  if (result.capped && result.reopened > 0 && is_labelled(query.target)) {
    labels_[query.target].g = std::min(labels_[query.target].g, cost_of_parents(query.target));
  }
  result.cost = distance(query.target);
  if (optimal_when_settled && !result.capped) {
    result.lower_bound = result.cost;
    return result;
  }
  result.lower_bound = std::min(result.cost, refused);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const NodeId v = queue_.node_at(i);
    result.lower_bound = std::min(result.lower_bound, bound_at(v, labels_[v].g));
  }
  for (const NodeId v : left_out_) {
    if (labels_[v].state == State::kLeftOut) {
      result.lower_bound = std::min(result.lower_bound, bound_at(v, labels_[v].g));
    }
  }
  // Only nodes that were reached can be refused, so a target that was not reached is unreachable.
  if (!result.reached() && !result.capped) result.lower_bound = kInfinity;
  return result;
}

}  // namespace lodestar
