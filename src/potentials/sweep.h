// Sweeps over a graph and their cuts (include/lodestar/cuts.h).
#pragma once

#include <span>
#include <vector>

#include "lodestar/graph.h"
#include "potentials/integer_distances.h"
#include "potentials/integer_graph.h"

namespace lodestar {

using SweepKeys = std::vector<float>;  // [n]; a cut puts smaller keys on the low side

// Sweeps by coordinates in `count` directions, evenly spaced over the half circle. Empty without
// coordinates.
std::vector<SweepKeys> coordinate_sweeps(const Graph& graph, std::uint32_t count);

// Sweeps by d(a, ·) - d(b, ·) (directed: in both directions) for pairs of remote nodes a, b,
// selected such that the sweeps differ much. `part` are the nodes to consider.
std::vector<SweepKeys> distance_sweeps(const IntegerGraph& graph, std::span<const NodeId> part,
                                       std::uint32_t count, std::uint64_t seed);

// Computes the potentials of cuts. Memory is reused between cuts.
class Cutter {
 public:
  using Column = std::vector<std::int32_t>;

  Cutter(const IntegerGraph& graph, std::span<const NodeId> part);

  std::size_t per_cut() const { return graph_.symmetric() ? 1 : 2; }

  // Appends the per_cut() columns of the cut with the given share of the part on its low side.
  void cut(const SweepKeys& keys, double share, std::vector<Column>& columns);

 private:
  // -d(v, S) if high[v] is `low_is`, otherwise d(S, v); S are the nodes of that side with an arc to
  // the other side.
  Column signed_distances(bool low_is);

  const IntegerGraph& graph_;
  std::span<const NodeId> part_;
  IntegerTree tree_;
  std::vector<float> sorted_;
  std::vector<char> high_;  // by node: on the high side
  std::vector<NodeId> separator_;
};

}  // namespace lodestar
