// Heuristics: estimates of the cost to the target that guide A*.
//
// A heuristic is any callable h(v) that returns the estimated cost from v to the target of the
// current query, a finite number. Its guarantee() says what is known about it. A plain lambda has
// no guarantee; the search then computes a lower bound itself (see SearchResult::lower_bound).
//
// If a heuristic has node_count(), searches on a graph of another size throw Error.
//
// A *potential* y assigns a number to every node. It is feasible if y(v) - y(u) <= w(u,v) on every
// arc. The heuristic h(v) = y(t) - y(v) is consistent if and only if y is feasible.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "lodestar/detail/contract.h"
#include "lodestar/graph.h"
#include "lodestar/rng.h"
#include "lodestar/types.h"

namespace lodestar {

enum class Guarantee {  // from weak to strong
  kNone,
  kAdmissible,  // never exceeds the distance to the target
  kConsistent,  // h(u) <= w(u,v) + h(v) on every arc, and h(t) <= 0; implies admissible
};

// h is not const, because a heuristic may compute values lazily.
template <class H>
concept Heuristic = requires(H& h, NodeId v) {
  { h(v) } -> std::convertible_to<Cost>;
};

template <class H>
Guarantee guarantee_of(const H& h) {
  if constexpr (requires {
                  { h.guarantee() } -> std::convertible_to<Guarantee>;
                }) {
    return h.guarantee();
  } else {
    return Guarantee::kNone;
  }
}

template <class H>
concept SizedHeuristic = requires(const H& h) {
  { h.node_count() } -> std::convertible_to<NodeId>;
};

// A* with this heuristic is Dijkstra's algorithm.
struct Zero {
  Cost operator()(NodeId) const { return 0; }
  static constexpr Guarantee guarantee() { return Guarantee::kConsistent; }
};

// y(t) = c and 0 elsewhere: Dijkstra's algorithm with additive slack c. A strong baseline for
// learned heuristics on dense graphs.
struct Constant {
  NodeId target;
  Cost c;
  Cost operator()(NodeId v) const { return v == target ? 0 : c; }
  Guarantee guarantee() const { return c <= 0 ? Guarantee::kConsistent : Guarantee::kNone; }
};

// y uniform in [0, 1): the paper's random baseline.
struct Random {
  NodeId target;
  std::uint64_t seed;
  Cost operator()(NodeId v) const { return draw(target) - draw(v); }
  Cost draw(NodeId v) const { return static_cast<double>(mix64(mix64(seed) ^ v) >> 11) * 0x1p-53; }
};

// h(v) = y(t) - y(v) for a potential y, which must outlive the heuristic.
class PotentialHeuristic {
 public:
  PotentialHeuristic(std::span<const double> y, NodeId target,
                     Guarantee guarantee = Guarantee::kNone)
      : y_(y), guarantee_(guarantee) {
    detail::check_node(target, node_count());
    at_target_ = y[target];
  }
  Cost operator()(NodeId v) const { return at_target_ - y_[v]; }
  NodeId node_count() const { return static_cast<NodeId>(y_.size()); }
  Guarantee guarantee() const { return guarantee_; }

 private:
  std::span<const double> y_;
  Cost at_target_ = 0;
  Guarantee guarantee_;
};

// The larger of two estimates. Its guarantee is the weaker of the two.
template <Heuristic A, Heuristic B>
class MaxOf {
 public:
  MaxOf(A a, B b) : a_(std::move(a)), b_(std::move(b)) {}
  Cost operator()(NodeId v) { return std::max(static_cast<Cost>(a_(v)), static_cast<Cost>(b_(v))); }
  Guarantee guarantee() const { return std::min(guarantee_of(a_), guarantee_of(b_)); }
  // If the sizes differ, kNoNode, which fits no graph.
  NodeId node_count() const requires(SizedHeuristic<A> || SizedHeuristic<B>) {
    if constexpr (!SizedHeuristic<A>) {
      return b_.node_count();
    } else if constexpr (!SizedHeuristic<B>) {
      return a_.node_count();
    } else {
      return a_.node_count() == b_.node_count() ? a_.node_count() : kNoNode;
    }
  }

 private:
  A a_;
  B b_;
};

// The distance between coordinates, scaled once per graph so that it never exceeds the weight of an
// arc. It is consistent on this graph, whatever units the file uses.
//
//   const Geometry geometry(graph);                   // one pass over the arcs
//   searcher.run(query, geometry.to(query.target));
class Geometry {
 public:
  enum class Metric { kEuclid, kOctile, kGreatCircle };

  // Selects the metric by the kind of coordinates. Throws Error if the graph has none.
  explicit Geometry(const Graph& graph);
  Geometry(const Graph& graph, Metric metric);

  Metric metric() const { return metric_; }
  double scale() const { return scale_; }  // cost per unit of distance; 0 if it gives no estimate

  class To {
   public:
    To(const Geometry* geometry, NodeId target) : geometry_(geometry), target_(target) {}
    Cost operator()(NodeId v) const { return geometry_->between(v, target_); }
    NodeId node_count() const { return geometry_->nodes_; }
    static constexpr Guarantee guarantee() { return Guarantee::kConsistent; }

   private:
    const Geometry* geometry_;
    NodeId target_;
  };
  // Throws Error if the target is not in the graph.
  To to(NodeId target) const {
    detail::check_node(target, nodes_);
    return To(this, target);
  }

  // u and v must be in the graph.
  Cost between(NodeId u, NodeId v) const { return scale_ * distance(u, v); }

 private:
  double distance(NodeId u, NodeId v) const;

  Metric metric_;
  NodeId nodes_ = 0;
  double scale_ = 0;
  std::vector<double> coordinates_;  // planar: [2n] x, y; great circle: [3n] unit vectors
};

}  // namespace lodestar
