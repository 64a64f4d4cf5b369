// Focal search: finds a path within a chosen bound and expands nodes in any order, e.g. a learned
// one.
//
//   FocalSearcher searcher(graph);                                    // one per thread, reused
//   searcher.run({s, t}, learned, geometry.to(t), {.bound = 0.05});   // at most 5 % too expensive
//
// It takes two estimates. The *prover* p must never overestimate: the smallest g + p over open
// nodes is a lower bound on the distance. The *order* may be anything, for example a learned value.
// It selects which of the open nodes with g + p <= (1 + ε) · lower bound is expanded next (Pearl,
// Kim 1982). Once a path is found, nodes are expanded by g + p, which raises the lower bound
// fastest. The search stops when the path costs at most (1 + ε) times the lower bound.
//
// A bad order may reopen nodes many times. After a number of reopenings that depends on n, nodes
// are expanded by cost alone, so no run expands more than most_expansions(n) nodes.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "lodestar/detail/contract.h"
#include "lodestar/detail/heap.h"
#include "lodestar/detail/run_number.h"
#include "lodestar/detail/stop.h"
#include "lodestar/graph.h"
#include "lodestar/heuristic.h"
#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

struct FocalOptions {
  double bound = 0.05;  // ε, finite and ≥ 0
  // Key within the focal list: g + weight · order(v), or order(v) alone if greedy. 0 stands for
  // 1 + 2 ε, which is optimistic: the bound is proven afterwards (Thayer, Ruml 2008).
  double weight = 0;
  bool greedy = false;
  std::uint64_t max_expansions = std::numeric_limits<std::uint64_t>::max();
};

class FocalSearcher {
 public:
  explicit FocalSearcher(Graph graph);

  const Graph& graph() const { return graph_; }

  // Throws Error if the prover is not declared admissible, a node is not in the graph, an option is
  // invalid, or an estimate is not finite.
  template <Heuristic Order, Heuristic Prover, class Observer = NoObserver>
  SearchResult run(Query query, Order&& order, Prover&& prover, const FocalOptions& options = {},
                   Observer&& observer = {}) {
    if (guarantee_of(prover) == Guarantee::kNone) {
      throw Error(
          "focal search requires an admissible prover; pass Zero{}, or a heuristic that declares "
          "at "
          "least Guarantee::kAdmissible");
    }
    check(query, options);
    detail::check_fit(order, graph_.node_count());
    detail::check_fit(prover, graph_.node_count());
    return graph_.visit(Direction::kForward, [&](auto adjacency) {
      return search(adjacency, query, order, prover, options, observer);
    });
  }

  std::vector<NodeId> path() const;

 private:
  struct Label {
    Cost g;
    Cost proof;  // p(v)
    Cost order;
    NodeId parent;
    std::uint32_t run = 0;
  };

  template <class W, class Order, class Prover, class Observer>
  SearchResult search(Adjacency<W> adjacency, Query query, Order& order, Prover& prover,
                      const FocalOptions& options, Observer& observer);
  void check(Query query, const FocalOptions& options) const;
  void begin_run(NodeId target);
  void focal_by_cost();
  void collect_path(std::vector<NodeId>& nodes) const;

  Graph graph_;
  std::vector<Label> labels_;
  NodeHeap open_;             // all open nodes by g + p; the top is the lower bound
  NodeHeap waiting_;          // open nodes above the threshold, by g + p
  NodeHeap focal_;            // open nodes within the threshold, by order
  std::vector<NodeId> path_;  // scratch memory to add up its cost
  detail::RunNumber run_;
  NodeId target_ = kNoNode;
};

template <class W, class Order, class Prover, class Observer>
SearchResult FocalSearcher::search(Adjacency<W> adjacency, Query query, Order& order,
                                   Prover& prover, const FocalOptions& options,
                                   Observer& observer) {
  begin_run(query.target);
  SearchResult result;
  const double factor = 1 + options.bound;
  constexpr double kMost = 0x1p30;  // above, g would be lost in rounding
  double weight = options.weight > 0 ? options.weight : std::min(kMost, 1 + 2 * options.bound);
  const std::uint64_t patience = detail::kPatience * graph_.node_count();
  // Expansions after which something has to be done first.
  std::uint64_t limit = std::min(options.max_expansions, detail::kStopEvery);
  bool greedy = options.greedy;
  bool by_cost = false;  // patience is at an end
  const bool by_weight = graph_.arc_order() == ArcOrder::kByWeight;
  Cost proven = 0;  // the largest lower bound so far
  Cost threshold = 0;
  Cost best = kInfinity;  // cost of the path found so far

  const auto order_entry = [&](NodeId v) {
    const Label& label = labels_[v];
    const Cost key = greedy ? label.order : label.g + weight * label.order;
    return HeapEntry{key, static_cast<float>(-label.g), v};
  };
  const auto enqueue = [&](NodeId v) {
    const Label& label = labels_[v];
    const HeapEntry by_proof{label.g + label.proof, static_cast<float>(-label.g), v};
    ++result.pushes;
    open_.push_or_update(by_proof);
    if (by_proof.key <= threshold) {
      if (waiting_.contains(v)) waiting_.erase(v);
      focal_.push_or_update(order_entry(v));
    } else {
      waiting_.push_or_update(by_proof);
    }
  };
  const auto evaluate = [&](NodeId v, Cost g, NodeId parent) {
    labels_[v] = {g, static_cast<Cost>(prover(v)), static_cast<Cost>(order(v)), parent, run_};
    detail::check_both(labels_[v].proof, labels_[v].order, v);
    result.evaluations += 2;
  };

  evaluate(query.source, 0, kNoNode);
  if (query.source == query.target) best = 0;
  enqueue(query.source);
  while (!open_.empty()) {
    // Step 1. Raise the lower bound and move nodes into the focal list.
    proven = std::max(proven, open_.top().key);
    threshold = by_cost ? kInfinity : std::max(threshold, factor * proven);
    // The factor may be so large that the product is infinite, so check that there is a path.
    if (best < kInfinity && best <= factor * proven) break;
    if (result.expansions >= limit) [[unlikely]] {
      if (detail::must_end(result, options.max_expansions, limit)) break;
      if (!by_cost && result.reopened >= patience) {  // from now on by cost alone
        by_cost = true;
        greedy = false;
        weight = 0;
        threshold = kInfinity;
        focal_by_cost();
      }
    }
    while (!waiting_.empty() && waiting_.top().key <= threshold) {
      focal_.push(order_entry(waiting_.pop().node));
    }

    // Step 2. Expand the best node of the order or, once there is a path, the node that sets the
    // bound.
    const NodeId u = best < kInfinity && !by_cost ? open_.top().node : focal_.top().node;
    focal_.erase(u);
    open_.erase(u);
    ++result.expansions;
    const Cost g = labels_[u].g;
    detail::notify_settle(observer, u, g, labels_[u].parent);
    for (const StoredArc<W>& arc : adjacency.of(u)) {
      const NodeId v = arc.head;
      const Cost cost = g + static_cast<Cost>(arc.weight);
      if (cost >= best) {
        if (by_weight) break;  // the remaining arcs are heavier
        continue;
      }
      if (labels_[v].run == run_) {
        if (cost >= labels_[v].g) continue;
        if (!open_.contains(v) && ++result.reopened == patience) limit = 0;
        labels_[v].g = cost;
        labels_[v].parent = u;
      } else {
        evaluate(v, cost, u);
      }
      if (v == query.target) {
        best = cost;  // the target itself is never expanded
      } else if (cost + labels_[v].proof < best) {
        enqueue(v);
      }
    }
  }
  assert(result.expansions <= most_expansions(graph_.node_count()));
  if (result.expansions > 0 && best < kInfinity) {  // count the target, as other searches do
    ++result.expansions;
    detail::notify_settle(observer, query.target, best, labels_[query.target].parent);
  }
  // If a reopened node of the path was not expanded again, the path is cheaper than its label says.
  if (result.reopened > 0 && best < kInfinity) {
    collect_path(path_);
    best = std::min(best, path_cost(graph_, path_));
  }
  result.cost = best;
  result.lower_bound = open_.empty() ? best : std::min(best, proven);
  return result;
}

}  // namespace lodestar
