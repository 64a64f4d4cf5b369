// Makes a potential feasible: the largest feasible one below it, or the smallest above it.
//
//   ClosureScratch scratch;                           // one per thread, reused
//   const ClosureResult closed = close_below(graph, y, scratch);
//   // now y is feasible, and the largest feasible potential below the old y
//
// Below, y'(v) = min over u of y(u) + d(u,v): Dijkstra's algorithm from all nodes at once, each
// with its own start value. Only heads of violated arcs can be the first to change. One pass finds
// them and puts them into the queue; after that, the work is proportional to what changes. Above,
// y'(u) = max over v of y(v) - d(u,v), which is the same for -y on the reversed arcs.
//
// For a heuristic y(t) - y(v), close above. Where the heuristic overestimates, only y(v) rises.
// Closing below lowers y(t) instead, which weakens the estimates of all nodes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lodestar/detail/heap.h"
#include "lodestar/graph.h"
#include "lodestar/types.h"

namespace lodestar {

struct ClosureResult {
  std::size_t violated_arcs = 0;  // arcs with y(v) > y(u) + w(u,v) before the call
  std::size_t settled = 0;        // nodes whose value changed; each is settled once
};

// Scratch memory; calls do not allocate once it has grown to the size of the graph.
struct ClosureScratch {
  NodeHeap queue;
  NodeId nodes = 0;
  std::vector<NodeId> changed;  // nodes the last call changed, by ascending y' (above: descending)

  void prepare(NodeId node_count) {
    if (node_count > nodes) queue = NodeHeap(nodes = node_count);
    queue.clear();
    changed.clear();
  }
};

// Lowers y in place. y has one value per node, finite or +infinite. All functions here throw Error
// if the number of values differs from the number of nodes.
ClosureResult close_below(const Graph& graph, std::span<double> y, ClosureScratch& scratch);

// The same for the integer weights floor(w / unit), where `unit` is a power of two and y holds
// integers below 2^53. Afterwards unit · y is feasible for the true weights.
ClosureResult close_below(const Graph& graph, std::span<double> y, double unit,
                          ClosureScratch& scratch);

// Raises y in place. y has one value per node, finite or -infinite.
ClosureResult close_above(const Graph& graph, std::span<double> y, ClosureScratch& scratch);
ClosureResult close_above(const Graph& graph, std::span<double> y, double unit,
                          ClosureScratch& scratch);

// The number of arcs with y(v) > y(u) + w(u,v).
std::size_t count_violated_arcs(const Graph& graph, std::span<const double> y);

}  // namespace lodestar
