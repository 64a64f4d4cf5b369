// Sweeps over a graph, and the cuts they give (include/lodestar/cuts.h).
#pragma once

#include <span>
#include <vector>

#include "lodestar/graph.h"
#include "potentials/integer_distances.h"
#include "potentials/integer_graph.h"

namespace lodestar {

using SweepKeys = std::vector<float>;  // [n]; a cut puts smaller ones on the low side

// By coordinates in `count` directions, evenly spread over the half circle. None without
// coordinates.
std::vector<SweepKeys> coordinate_sweeps(const Graph& graph, std::uint32_t count);

// By d(a, ·) - d(b, ·) (directed: there and back) for pairs a, b of nodes far from each other,
// chosen so that the sweeps resemble each other little. `part` are the nodes that count.
std::vector<SweepKeys> distance_sweeps(const IntegerGraph& graph, std::span<const NodeId> part,
                                       std::uint32_t count, std::uint64_t seed);

// Makes the potentials of cuts. Memory is reused from cut to cut.
class Cutter {
 public:
  using Column = std::vector<std::int32_t>;

  Cutter(const IntegerGraph& graph, std::span<const NodeId> part);

  std::size_t per_cut() const { return graph_.symmetric() ? 1 : 2; }

  // Appends the per_cut() columns of the cut below which the given share of the part lies.
  void cut(const SweepKeys& keys, double share, std::vector<Column>& columns);

 private:
  // -d(v, S) where high[v] is `low_is`, d(S, v) elsewhere, S = nodes there with an arc across.
  Column signed_distances(bool low_is);

  const IntegerGraph& graph_;
  std::span<const NodeId> part_;
  IntegerTree tree_;
  std::vector<float> sorted_;
  std::vector<char> high_;  // by node: on the high side
  std::vector<NodeId> separator_;
};

}  // namespace lodestar
