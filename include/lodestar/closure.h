// The largest feasible potential below a given one, and the smallest above it.
//
//   ClosureScratch scratch;                           // one per thread, reused
//   const ClosureResult closed = close_below(graph, y, scratch);
//   // now y(v) - y(u) <= w(u,v) on every arc, and no larger function below the old y does that
//
// Below, y'(v) = min over u of y(u) + d(u,v): Dijkstra from all nodes at once, each with its own
// start value. Only nodes that some arc pulls down can change, so the queue is seeded with the
// heads of violated arcs, found in one pass; the rest costs what changes, not the graph. Above,
// y'(u) = max over v of y(v) - d(u,v): the same for -y on the arcs turned round.
//
// For a heuristic y(t) - y(v) close above. Where it overestimates, y(v) rises and v alone pays;
// from below it is y(t) that gives way, and the bound of every node with it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lodestar/detail/heap.h"
#include "lodestar/graph.h"
#include "lodestar/types.h"

namespace lodestar {

struct ClosureResult {
  std::size_t violated_arcs = 0;  // before: arcs with y(v) > y(u) + w(u,v)
  std::size_t settled = 0;        // nodes whose value changed; each is taken from the queue once
};

// Memory of a closure: no allocation once it has grown to the graph at hand.
struct ClosureScratch {
  NodeHeap queue;
  NodeId nodes = 0;
  std::vector<NodeId> changed;  // by the last call, in ascending order of y' (above: descending)

  void prepare(NodeId node_count) {
    if (node_count > nodes) queue = NodeHeap(nodes = node_count);
    queue.clear();
    changed.clear();
  }
};

// y has one finite (or +infinite) value per node and is lowered in place. All of these throw Error
// when there are not as many values as nodes.
ClosureResult close_below(const Graph& graph, std::span<double> y, ClosureScratch& scratch);

// The same against whole-number weights floor(w / unit); `unit` a power of two, y whole numbers
// below 2^53. Feasible for these, unit · y is feasible for the true weights.
ClosureResult close_below(const Graph& graph, std::span<double> y, double unit,
                          ClosureScratch& scratch);

// Likewise; y has finite (or -infinite) values and is raised in place.
ClosureResult close_above(const Graph& graph, std::span<double> y, ClosureScratch& scratch);
ClosureResult close_above(const Graph& graph, std::span<double> y, double unit,
                          ClosureScratch& scratch);

// How many arcs have y(v) > y(u) + w(u,v).
std::size_t count_violated_arcs(const Graph& graph, std::span<const double> y);

}  // namespace lodestar
