// Heuristics: what A* is told about the way still to go.
//
// A heuristic is anything callable as h(v) -> estimated cost from v to the target of the query at
// hand. Its guarantee() says what is known about it; a plain lambda promises nothing, and the
// search then proves what it can by itself (see SearchResult::lower_bound).
//
// A *potential* y gives every node a number; it is feasible when y(v) - y(u) <= w(u,v) on every
// arc. The heuristic made of it is h(v) = y(t) - y(v): consistent exactly when y is feasible.
// PotentialHeuristic is the one place where that sign changes.
#pragma once

#include <algorithm>
#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/rng.h"
#include "lodestar/types.h"

namespace lodestar {

enum class Guarantee {  // in ascending order
  kNone,
  kAdmissible,  // never more than the true cost to the target
  kConsistent,  // h(u) <= w(u,v) + h(v) on every arc and h(t) <= 0: admissible, and no re-opening
};

// Not const: a heuristic may compute lazily.
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

// Dijkstra's algorithm is A* with this.
struct Zero {
  Cost operator()(NodeId) const { return 0; }
  static constexpr Guarantee guarantee() { return Guarantee::kConsistent; }
};

// y(t) = c and 0 elsewhere: Dijkstra with additive slack c. The baseline a learned heuristic on
// dense graphs has to beat.
struct Constant {
  NodeId target;
  Cost c;
  Cost operator()(NodeId v) const { return v == target ? 0 : c; }
  Guarantee guarantee() const { return c <= 0 ? Guarantee::kConsistent : Guarantee::kNone; }
};

// y drawn uniformly from [0, 1): the paper's random baseline.
struct Random {
  NodeId target;
  std::uint64_t seed;
  Cost operator()(NodeId v) const { return draw(target) - draw(v); }
  Cost draw(NodeId v) const { return static_cast<double>(mix64(mix64(seed) ^ v) >> 11) * 0x1p-53; }
};

// h(v) = y(t) - y(v) for a potential kept elsewhere.
class PotentialHeuristic {
 public:
  PotentialHeuristic(std::span<const double> y, NodeId target,
                     Guarantee guarantee = Guarantee::kNone)
      : y_(y.data()), at_target_(y[target]), guarantee_(guarantee) {}
  Cost operator()(NodeId v) const { return at_target_ - y_[v]; }
  Guarantee guarantee() const { return guarantee_; }

 private:
  const double* y_;
  Cost at_target_;
  Guarantee guarantee_;
};

// The larger of two estimates: as sure as the less sure of them, and at least as close.
template <Heuristic A, Heuristic B>
class MaxOf {
 public:
  MaxOf(A a, B b) : a_(std::move(a)), b_(std::move(b)) {}
  Cost operator()(NodeId v) { return std::max(static_cast<Cost>(a_(v)), static_cast<Cost>(b_(v))); }
  Guarantee guarantee() const { return std::min(guarantee_of(a_), guarantee_of(b_)); }

 private:
  A a_;
  B b_;
};

// The distance between coordinates, scaled once per graph so that it never exceeds an arc's
// weight: consistent on this very graph, whatever units the file uses.
//
//   const Geometry geometry(graph);                   // one pass over the arcs
//   searcher.run(query, geometry.to(query.target));
class Geometry {
 public:
  enum class Metric { kEuclid, kOctile, kGreatCircle };

  // The metric that fits the graph's coordinates. Throws Error when it has none.
  explicit Geometry(const Graph& graph);
  Geometry(const Graph& graph, Metric metric);

  Metric metric() const { return metric_; }
  double scale() const { return scale_; }  // cost per unit of distance; 0 when useless

  class To {
   public:
    To(const Geometry* geometry, NodeId target) : geometry_(geometry), target_(target) {}
    Cost operator()(NodeId v) const { return geometry_->between(v, target_); }
    static constexpr Guarantee guarantee() { return Guarantee::kConsistent; }

   private:
    const Geometry* geometry_;
    NodeId target_;
  };
  To to(NodeId target) const { return To(this, target); }

  Cost between(NodeId u, NodeId v) const { return scale_ * distance(u, v); }

 private:
  double distance(NodeId u, NodeId v) const;

  Metric metric_;
  double scale_ = 0;
  std::vector<double> coordinates_;  // planar: [2n] x, y; great circle: [3n] unit vectors
};

}  // namespace lodestar
