// Point-to-point search on a Graph: A*, and Dijkstra as A* with Zero.
//
//   Searcher searcher(graph);                        // one per thread, reused
//   const SearchResult found = searcher.run({s, t}, Zero{});
//   if (found.reached()) use(searcher.path());
//
// One loop serves A*, weighted A*, greedy best-first and Dijkstra; what is compared is comparable.
// Optimal if the heuristic is consistent, or admissible with Reopen::kAlways. A learned one
// promises neither, so every result carries a lower bound that holds for any heuristic.
//
// Why the bound holds. At any time some node v of an optimal path is queued with its true g, or
// waits in a push or a re-opening that was left out; so the distance is at least the minimum of
// g(v) + p(v) over all of these, for any p that never overestimates ("prover", Zero by default).
//
// Why it ends. A node is expanded again only when a cheaper way to it was found. A bad heuristic
// could make that happen 2^n times (Martelli 1977), so after a number of re-openings that follows
// from n the queue goes by g alone, as Dijkstra's: no node is then expanded twice again, and no run
// expands more than most_expansions(n). The answer can only become better by it.
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
  kAlways,  // a settled node reached more cheaply is searched again
  kNever,   // each node is expanded once; the answer may be worse, the bound stays true
};

struct SearchOptions {
  Reopen reopen = Reopen::kAlways;
  double weight = 1;    // key = g + weight · h, finite and ≥ 0; greedy: key = h alone
  bool greedy = false;  // greedy best-first
  // What costs as much as the best path known is left out. It changes nothing for a consistent
  // heuristic; textbook A*, and the paper's, does not do it.
  bool prune = true;
  std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max();
};

struct SearchResult {
  Cost cost = kInfinity;          // of the path found; infinite when there is none
  Cost lower_bound = kInfinity;   // no path is cheaper than this
  std::uint64_t expansions = 0;   // nodes taken from the queue, the target included
  std::uint64_t reopened = 0;     // … of which settled before
  std::uint64_t pushes = 0;       // insertions and improvements
  std::uint64_t evaluations = 0;  // calls of the heuristic
  bool capped = false;           // max_expansions was reached: cost may be infinite though t is not
  double heuristic_seconds = 0;  // 0 unless the caller measures it, as the program does
  double closure_seconds = 0;    // making a learned potential feasible (learned.h)
  double search_seconds = 0;

  bool reached() const { return cost < kInfinity; }
  // True also for "there is no path", once that is proven.
  bool optimal() const { return cost <= lower_bound; }
  // (cost - lower_bound) / lower_bound: 0 when proven, infinite when nothing is known.
  double gap() const {
    if (optimal()) return 0;
    return lower_bound > 0 ? (cost - lower_bound) / lower_bound : kInfinity;
  }
};

// The cost of a path as the graph has it, from its first node to its last, each step on the
// cheapest arc; infinite when two neighbours are not joined, 0 for a single node.
Cost path_cost(const Graph& graph, std::span<const NodeId> path);

// An observer sees what the search does; give your own type with on_settle(v, g, parent),
// on_label(v, g, parent), or both. An on_settle that returns bool ends the search with false, as
// max_expansions would.
struct NoObserver {};

namespace detail {
// False: the observer has seen enough.
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
// Of a search from both ends.
template <class O>
void notify_settle(O& observer, NodeId v, Cost g, NodeId parent, Direction side) {
  if constexpr (requires { observer.on_settle(v, g, parent, side); }) {
    observer.on_settle(v, g, parent, side);
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

  // Searches backward arcs when asked: distances to a node instead of from it.
  void set_direction(Direction direction) { direction_ = direction; }

  // A target of kNoNode is never reached. Throws Error when an end is not in the graph, when an
  // option makes no sense, when a heuristic was made for another number of nodes, and when an
  // estimate is not finite.
  template <Heuristic H, class Observer = NoObserver, Heuristic Prover = Zero>
  SearchResult run(Query query, H&& h, const SearchOptions& options = {}, Observer&& observer = {},
                   Prover&& prover = {}) {
    check(query, options);
    detail::check_fit(h, graph_.node_count());
    detail::check_fit(prover, graph_.node_count());
    return graph_.visit(direction_, [&](auto adjacency) {
      // The order is known when compiling: asking in the inner loop costs 3 % on dense graphs.
      return graph_.arc_order() == ArcOrder::kByWeight
                 ? search<ArcOrder::kByWeight>(adjacency, query, h, options, observer, prover)
                 : search<ArcOrder::kByHead>(adjacency, query, h, options, observer, prover);
    });
  }

  // Settles everything reachable from `source`.
  template <class Observer = NoObserver>
  SearchResult run_all(NodeId source, Observer&& observer = {}) {
    return run({source, kNoNode}, Zero{}, {}, observer);
  }

  // The following describe the last run.
  // Cost of the best way found to v; infinite when v was not reached.
  Cost distance(NodeId v) const { return is_labelled(v) ? labels_[v].g : kInfinity; }
  NodeId parent(NodeId v) const { return is_labelled(v) ? labels_[v].parent : kNoNode; }
  // From the source to v (or to the target); empty when v was not reached.
  std::vector<NodeId> path(NodeId v) const;
  std::vector<NodeId> path() const { return path(target_); }

 private:
  enum class State : std::uint32_t { kQueued, kLeftOut, kSettled };

  // 32 bytes, two to a cache line. h is kept: each node is evaluated once per query.
  struct Label {
    Cost g;
    Cost h;
    NodeId parent;
    std::uint32_t run = 0;  // the query it belongs to: no clearing between queries
    State state;
  };

  bool is_labelled(NodeId v) const { return v < labels_.size() && labels_[v].run == run_; }
  void check(Query query, const SearchOptions& options) const;
  void begin_run(NodeId target);
  void queue_by_cost();
  Cost cost_of_parents(NodeId v) const;

  template <ArcOrder kOrder, class W, class H, class Observer, class Prover>
  SearchResult search(Adjacency<W> adjacency, Query query, H& h, const SearchOptions& options,
                      Observer& observer, Prover& prover);

  Graph graph_;
  Direction direction_ = Direction::kForward;
  std::vector<Label> labels_;
  NodeHeap queue_;
  std::vector<NodeId> left_out_;  // nodes labelled but not queued, for the bound
  detail::RunNumber run_;
  NodeId target_ = kNoNode;
};

template <ArcOrder kOrder, class W, class H, class Observer, class Prover>
SearchResult Searcher::search(Adjacency<W> adjacency, Query query, H& h,
                              const SearchOptions& options, Observer& observer, Prover& prover) {
  begin_run(query.target);
  SearchResult result;
  const Guarantee guarantee = guarantee_of(h);
  // With these the target's cost is optimal when it is settled; otherwise the bound is collected.
  const bool optimal_when_settled =
      !options.greedy && options.weight <= 1 &&
      (guarantee == Guarantee::kConsistent ||
       (guarantee == Guarantee::kAdmissible && options.reopen == Reopen::kAlways));
  // A consistent heuristic re-opens nothing, but keys are rounded: beside a large h a small g does
  // not show, and nodes are taken in the wrong order. What was promised comes first.
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
  Cost refused = kInfinity;     // least bound at a re-opening that was refused
  Cost target_key = kInfinity;  // nothing behind it would be taken before the target
  Cost best = kInfinity;        // cost of the best path so far: what costs as much cannot help

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
      if (result.expansions >= options.max_expansions) {
        result.capped = true;
        break;
      }
      check_stop();
      limit = std::min(options.max_expansions, result.expansions + detail::kStopEvery);
      if (patient && result.reopened >= patience) {  // from now on by cost alone
        patient = false;
        greedy = false;
        weight = 0;
        if (target_key < kInfinity) target_key = best;
        queue_by_cost();
      }
    }
    // Step 1. Settle the node with the least key.
    const NodeId u = queue_.pop().node;
    labels_[u].state = State::kSettled;
    const Cost g = labels_[u].g;
    ++result.expansions;
    if (!detail::notify_settle(observer, u, g, labels_[u].parent)) {
      result.capped = u != query.target;
      break;
    }
    if (u == query.target) break;

    for (const StoredArc<W>& arc : adjacency.of(u)) {
      const NodeId v = arc.head;
      const Cost cost = g + static_cast<Cost>(arc.weight);
      if (cost >= best) {
        if (kOrder == ArcOrder::kByWeight) break;  // nor can the arcs behind it help
        continue;
      }
      Label& label = labels_[v];
      // Step 2. Keep the better way to v.
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

      // Step 3. Queue it, unless the target will be taken first.
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

  // Step 4. What was found, and what is proven about it. When a run is cut short, a node of the
  // path may have been re-opened and not expanded again: the path is then better than g says.
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
  // Refusals concern nodes that were reached; a target never reached cannot be.
  if (!result.reached() && !result.capped) result.lower_bound = kInfinity;
  return result;
}

}  // namespace lodestar
