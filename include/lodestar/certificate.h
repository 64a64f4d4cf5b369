// Checks whether a potential is feasible and a heuristic admissible, and makes potentials feasible.
//
//   const ConstraintCheck check = check_potential(graph, y);
//   if (!check.consistent()) report(check.worst.tail, check.worst.head, check.worst.excess);
//
//   AdmissibilityChecker checker(graph);               // exact distances, by backward Dijkstra
//   checker.check(target, [&](NodeId v) { return estimate(v); });
//   if (!checker.admissible()) report(checker.worst());
//
// A potential y is feasible if y(v) - y(u) <= w(u,v) on every arc. Then h(v) = y(t) - y(v) is
// consistent: it never exceeds the distance to t, and A* with it is optimal. The comparison is
// exact, without rounding. Use a tolerance for numbers that were written as decimals.
#pragma once

#include <cstdint>
#include <span>

#include "lodestar/closure.h"
#include "lodestar/graph.h"
#include "lodestar/heuristic.h"
#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

// Whether y_head - y_tail <= w holds in exact arithmetic. The difference is rounded, but rounding
// is monotone, so the rounding error matters only if the rounded difference equals w.
inline bool satisfies(double y_tail, double y_head, double w) {
  const double difference = y_head - y_tail;
  if (difference != w) return difference < w;
  const double tail_part = difference - y_head;
  const double lost = (y_head - (difference - tail_part)) + (-y_tail - tail_part);
  return lost <= 0;
}

// An arc and its excess y(head) - y(tail) - weight.
struct ArcViolation {
  NodeId tail = kNoNode;
  NodeId head = kNoNode;
  Weight weight = 0;
  double excess = 0;  // 0 if no arc is violated
};

struct ConstraintCheck {
  std::uint64_t nodes = 0;
  std::uint64_t arcs = 0;       // of the graph, including its own self-loops
  std::uint64_t satisfied = 0;  // arcs with y(v) - y(u) <= w
  ArcViolation worst;     // the arc with the largest excess; the first one if there are several
  bool target_ok = true;  // h(t) <= 0; set by the caller if h was checked

  bool consistent() const { return satisfied == arcs && target_ok; }
  // Share of satisfied constraints; 1 for a graph without arcs.
  double share() const { return ratio(satisfied, arcs); }
  // The share as the paper counts it, with a self-loop on every node that is always satisfied.
  double share_with_self_loops() const { return ratio(satisfied + nodes, arcs + nodes); }
  // Adds the counts of another check, to summarise many queries or graphs.
  void merge(const ConstraintCheck& other);

 private:
  static double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

// y: [n]. An arc is satisfied if its excess is at most tolerance · max(|y(u)|, |y(v)|, w). With
// tolerance 0 the comparison is exact. A NaN satisfies no arc.
ConstraintCheck check_potential(const Graph& graph, std::span<const double> y,
                                double tolerance = 0);

// A node whose estimate exceeds its distance, which shows that h is not admissible.
struct Overestimate {
  NodeId node = kNoNode;
  NodeId target = kNoNode;
  Cost estimate = 0;
  Cost distance = 0;
  double excess() const { return estimate - distance; }
};

// Compares heuristics with the exact distances of all nodes to sample targets. Runs one backward
// Dijkstra search per target and keeps the distances of the last target.
class AdmissibilityChecker {
 public:
  explicit AdmissibilityChecker(Graph graph, double tolerance = 0)
      : searcher_(std::move(graph)), tolerance_(tolerance) {
    searcher_.set_direction(Direction::kBackward);
  }

  // An estimate is too high if it exceeds distance · (1 + tolerance).
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

  // The distance from v to the last target that was checked.
  Cost distance(NodeId v) const { return searcher_.distance(v); }

  std::uint64_t checked() const { return checked_; }
  std::uint64_t overestimates() const { return overestimates_; }
  bool admissible() const { return overestimates_ == 0; }
  // The counterexample with the largest excess, if not admissible.
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

// Orders arcs by weight if nodes have many arcs, so that a scan can end at the first arc that is
// too heavy to matter. Returns the graph unchanged if nodes have few arcs. Use it before many
// queries.
Graph ordered_for_queries(const Graph& graph);

// Makes any potential feasible in the exact sense of `satisfies`, so that A* with it returns the
// same cost as Dijkstra's algorithm, bit for bit. Use one per graph and thread.
//
//   ExactClosure closure(graph);
//   closure.apply(y, target);
//   searcher.run(query, PotentialHeuristic(y, target, Guarantee::kConsistent));
//
// The sums y(u) + w and g + h are rounded in general. Therefore y is first rounded down to
// multiples of a power of two for which these sums are exact. If the weights themselves are not
// such multiples (√2), they are rounded down as well, and y(t) is lowered by more than the largest
// possible rounding error of a path: n · n · max w · 2^-52, about 3e-8 on a map of 10,000 cells.
//
// If all weights are whole numbers, h(v) = y(t) - y(v) is then rounded up to a multiple of the
// largest power of two that divides them. Distances are such multiples, and h stays consistent, so
// estimates that are less than one multiple too low become exact.
class ExactClosure {
 public:
  // After some dozens of calls the arcs of a dense graph are ordered by weight, which pays off only
  // for repeated use.
  explicit ExactClosure(const Graph& graph);

  // Closes y [n] above in place, up to the rounding described. Throws Error if a value is not
  // finite, the number of values differs from n, or the target is not in the graph.
  ClosureResult apply(std::span<double> y, NodeId target);

 private:
  Graph graph_;
  bool exact_weights_ = true;
  double finest_ = 0;  // the largest power of two that divides all weights; 0 if all weights are 0
  double margin_ = 0;  // 0 if sums are exact
  unsigned applied_ = 0;
  ClosureScratch scratch_;
};

}  // namespace lodestar
