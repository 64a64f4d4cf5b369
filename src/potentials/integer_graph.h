// A graph with 32-bit integer weights floor(w / unit), for training potentials in exact arithmetic.
// A potential that is feasible here, times the unit, is feasible for the true weights. The unit is
// a power of two, so the product is exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lodestar/graph.h"

namespace lodestar {

struct IntegerArc {
  NodeId head;
  std::uint32_t weight;
};

class IntegerGraph {
 public:
  // Values stay within ±kRange, so that differences fit 32 bits.
  static constexpr std::int32_t kRange = 1 << 30;

  // Node i is order[i] of `graph`, or node i without an order.
  IntegerGraph(const Graph& graph, double unit, std::span<const NodeId> order = {});

  NodeId node_count() const { return nodes_; }
  double unit() const { return unit_; }
  bool symmetric() const { return symmetric_; }
  std::span<const IntegerArc> arcs(NodeId u, Direction direction) const {
    const Side& side = sides_[symmetric_ ? 0 : static_cast<int>(direction)];
    return {side.arcs.data() + side.first[u], side.arcs.data() + side.first[u + 1]};
  }

 private:
  struct Side {
    std::vector<ArcIndex> first;  // [n + 1]
    std::vector<IntegerArc> arcs;
  };
  NodeId nodes_;
  double unit_;
  bool symmetric_;
  Side sides_[2];
};

// The largest power of two for which all weights are exact, or a larger one if distances would not
// fit 29 bits. `longest` is an upper bound on the distances of the graph.
double choose_unit(const Graph& graph, Cost longest);

// An upper bound on the distance between any two nodes of the component of `start`, by one search
// in each direction (one search on symmetric graphs).
Cost longest_distance_bound(const Graph& graph, NodeId start);

// The nodes of the largest weakly connected component, in order of ids.
std::vector<NodeId> largest_part_nodes(const Graph& graph);

}  // namespace lodestar
