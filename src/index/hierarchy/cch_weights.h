// The internals of a customizable contraction hierarchy: topology and weights.
#pragma once

#include <optional>
#include <span>
#include <variant>

#include "index/distance_bound.h"
#include "index/hierarchy/ancestor_rows.h"
#include "index/hierarchy/elimination.h"
#include "index/hierarchy/shared_array.h"
#include "index/hierarchy/tree_work.h"
#include "index/units.h"
#include "lodestar/cch.h"

namespace lodestar {

struct Cch::Topology {
  index::Elimination elimination;
  index::UpperNodes upper;
  index::TreeWork work;
  index::DistanceBound bound;
  std::uint64_t hash = 0;  // of the graph's arcs
  // [arcs of the graph] the shortcut of an arc times two, plus one if it leads down; kNoNode for a
  // self-loop.
  std::vector<ArcIndex> place;
};

namespace index {

// One direction of the shortcuts: their costs and middle nodes.
template <class W>
struct ShortcutSide {
  SharedArray<W> cost;         // [arcs]
  SharedArray<NodeId> middle;  // [arcs] a rank; kNoNode: an arc of the graph

  std::size_t bytes() const { return cost.size() * (sizeof(W) + 4); }
};

template <class W>
struct ShortcutCosts {
  ShortcutSide<W> sides[2];  // up, down; symmetric graphs have only the first
  bool symmetric = false;
  std::unique_ptr<AncestorRows<W>> rows;  // of the final costs
};

// The same costs, to be changed. If it is not symmetric but `costs` is, both directions begin
// alike.
template <class W>
ShortcutCosts<W> shared_costs(const ShortcutCosts<W>& costs, bool symmetric) {
  ShortcutCosts<W> copy;
  copy.symmetric = symmetric;
  for (int side = 0; side < (symmetric ? 1 : 2); ++side) {
    const ShortcutSide<W>& from = costs.sides[costs.symmetric ? 0 : side];
    copy.sides[side].cost = from.cost.share();
    copy.sides[side].middle = from.middle.share();
  }
  return copy;
}

// Larger than any cost; its double does not overflow.
template <class W>
inline constexpr W kNoWay = kInfinity;
template <>
inline constexpr std::uint32_t kNoWay<std::uint32_t> = 0x7fffffffu;

// Basic customization: computes the costs of all shortcuts from those of the arcs.
template <class W>
void add_triangles(const Cch::Topology& topology, ShortcutCosts<W>& costs, unsigned threads);

// Partial customization after changes of arcs at these places (Topology); `costs` shares those of
// `before`. Returns the number of triangles visited, or nothing if too much depends on the changes;
// the costs are then unusable.
template <class W>
std::optional<std::size_t> renew_shortcuts(const Cch::Topology& topology, const Graph& graph,
                                           const Units& units, std::span<const ArcIndex> places,
                                           const ShortcutCosts<W>& before, ShortcutCosts<W>& costs);

}  // namespace index

struct CchMetric::Weights {
  std::shared_ptr<const Cch::Topology> topology;
  index::Units units;
  bool skipped = false;  // some arcs were longer than any distance and were left out
  // Triangles visited by a partial customization; empty after a full one.
  std::optional<std::size_t> partial_steps = {};
  std::variant<index::ShortcutCosts<std::uint32_t>, index::ShortcutCosts<double>> costs;
};

}  // namespace lodestar
