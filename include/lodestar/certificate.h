// What may be claimed: about a potential, about a heuristic, about an answer.
//
//   const ConstraintCheck check = check_potential(graph, y);
//   if (!check.consistent()) report(check.worst.tail, check.worst.head, check.worst.excess);
//
//   AdmissibilityChecker checker(graph);               // exact distances, by backward Dijkstra
//   checker.check(target, [&](NodeId v) { return estimate(v); });
//   if (!checker.admissible()) report(checker.worst());
//
// A potential y is feasible when y(v) - y(u) <= w(u,v) on every arc; h(v) = y(t) - y(v) is then
// consistent, so it never exceeds the distance to t and A* with it is optimal. The comparison is
// that of real numbers: rounding neither forgives a violation nor invents one. A tolerance, for
// numbers that went through a text file, is the caller's choice.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "lodestar/closure.h"
#include "lodestar/graph.h"
#include "lodestar/heuristic.h"
#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

// True when y_head - y_tail <= w holds for these very numbers. a - b is rounded, but rounding is
// monotone: only where the rounded difference equals w does what was rounded away decide.
inline bool satisfies(double y_tail, double y_head, double w) {
  const double difference = y_head - y_tail;
  if (difference != w) return difference < w;
  const double tail_part = difference - y_head;
  const double lost = (y_head - (difference - tail_part)) + (-y_tail - tail_part);
  return lost <= 0;
}

// One arc and by how much it is violated: y(head) - y(tail) - weight.
struct ArcViolation {
  NodeId tail = kNoNode;
  NodeId head = kNoNode;
  Weight weight = 0;
  double excess = 0;  // 0 when nothing is violated
};

struct ConstraintCheck {
  std::uint64_t nodes = 0;
  std::uint64_t arcs = 0;       // as the graph has them, its own self-loops included
  std::uint64_t satisfied = 0;  // … of which y(v) - y(u) <= w
  ArcViolation worst;           // the largest excess; the first in arc order among equals
  bool target_ok = true;        // heuristics only: h(t) <= 0

  bool consistent() const { return satisfied == arcs && target_ok; }
  // Share of satisfied constraints; 1 for a graph without arcs.
  double share() const { return ratio(satisfied, arcs); }
  // As the paper's authors count: a self-loop on every node, which no potential can violate.
  double share_with_self_loops() const { return ratio(satisfied + nodes, arcs + nodes); }
  // Adds up checks of several potentials, for a figure over many queries or graphs.
  void merge(const ConstraintCheck& other);

 private:
  static double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

// y: [n]. An arc counts as satisfied when its excess is at most tolerance · max(|y(u)|, |y(v)|, w);
// 0 means the exact comparison above. A value that is not a number satisfies nothing.
ConstraintCheck check_potential(const Graph& graph, std::span<const double> y,
                                double tolerance = 0);

// A node whose estimate exceeds its distance: h is not admissible.
struct Overestimate {
  NodeId node = kNoNode;
  NodeId target = kNoNode;
  Cost estimate = 0;
  Cost distance = 0;
  double excess() const { return estimate - distance; }
};

// Compares heuristics with exact distances to sample targets, over every node that reaches them.
// Uses one backward Dijkstra per target; distances are kept for the last target checked.
class AdmissibilityChecker {
 public:
  explicit AdmissibilityChecker(Graph graph, double tolerance = 0)
      : searcher_(std::move(graph)), tolerance_(tolerance) {
    searcher_.set_direction(Direction::kBackward);
  }

  // An estimate counts as too high above distance · (1 + tolerance).
  template <Heuristic H>
  void check(NodeId target, H&& h) {
    detail::check_fit(h, searcher_.graph().node_count());
    if (target != target_) {
      searcher_.run_all(target);
      target_ = target;
    }
    for (NodeId v = 0; v < searcher_.graph().node_count(); ++v) {
      const Cost distance = searcher_.distance(v);
      if (distance == kInfinity) continue;  // any estimate is admissible there
      note({v, target, static_cast<Cost>(h(v)), distance});
    }
  }

  // Distance from v to the last target checked.
  Cost distance(NodeId v) const { return searcher_.distance(v); }

  std::uint64_t checked() const { return checked_; }
  std::uint64_t overestimates() const { return overestimates_; }
  bool admissible() const { return overestimates_ == 0; }
  // The counterexample with the largest excess; only meaningful when not admissible.
  const Overestimate& worst() const { return worst_; }

 private:
  void note(const Overestimate& estimate);

  Searcher searcher_;
  double tolerance_;
  NodeId target_ = kNoNode;
  std::uint64_t checked_ = 0;
  std::uint64_t overestimates_ = 0;
  Overestimate worst_;
};

// The graph as repeated queries with a heuristic want it: by weight where nodes have many arcs, so
// that a scan ends at the first arc too heavy to matter; as it is where they have few.
Graph ordered_for_queries(const Graph& graph);

// Makes any potential feasible as `satisfies` means it, so that A* with it returns Dijkstra's
// answer bit for bit. One per graph and thread, reused.
//
//   ExactClosure closure(graph);
//   closure.apply(y, target);
//   searcher.run(query, PotentialHeuristic(y, target, Guarantee::kConsistent));
//
// Closing rounds y(u) + w, and A* rounds g + h. Here y is first rounded down to whole multiples
// of a power of two that leaves room for exact sums. Where the weights themselves are not such
// multiples (√2), they are taken rounded down as well, and y(t) is lowered by more than all the
// rounding along a path can amount to: n · n · max w · 2^-52, about 3e-8 on a map of 10,000 cells.
class ExactClosure {
 public:
  // A dense graph's arcs are ordered by weight after some dozens of closures, unless they are so
  // already: a graph seen once does not pay for it.
  explicit ExactClosure(const Graph& graph);

  // y: [n], finite; closed above in place, but for that rounding. Throws Error on a value that is
  // not finite, when there are not n of them, and when the target is not in the graph.
  ClosureResult apply(std::span<double> y, NodeId target);

 private:
  Graph graph_;
  bool exact_weights_ = true;
  double finest_ = 0;  // the largest power of two that divides every weight; 0: all weights are 0
  double margin_ = 0;  // 0 when sums are exact
  unsigned applied_ = 0;
  ClosureScratch scratch_;
};

}  // namespace lodestar
