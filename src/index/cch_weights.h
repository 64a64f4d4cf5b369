// The two halves of a customisable contraction hierarchy, as cch.cpp and cch_searcher.cpp see them.
#pragma once

#include <variant>

#include "index/elimination.h"
#include "index/units.h"
#include "lodestar/cch.h"

namespace lodestar {

struct Cch::Topology {
  index::Elimination elimination;
  bool symmetric = false;
  std::uint64_t hash = 0;  // of the graph's arcs
  // [arcs of the graph] the shortcut an arc belongs to, times two, plus one when it leads down;
  // kNoNode for a loop.
  std::vector<ArcIndex> place;
};

namespace index {

// One direction of the shortcuts: costs, and the node below each that they lead over.
template <class W>
struct ShortcutSide {
  std::vector<W> cost;         // [arcs]
  std::vector<NodeId> middle;  // [arcs] a rank; kNoNode: an arc of the graph
};

template <class W>
struct ShortcutCosts {
  ShortcutSide<W> sides[2];  // up, down; symmetric graphs have only the first
  bool symmetric = false;
  const ShortcutSide<W>& up() const { return sides[0]; }
  const ShortcutSide<W>& down() const { return sides[symmetric ? 0 : 1]; }
};

// More than any cost, and twice it fits.
template <class W>
inline constexpr W kNoWay = kInfinity;
template <>
inline constexpr std::uint32_t kNoWay<std::uint32_t> = 0x7fffffffu;

}  // namespace index

struct CchMetric::Weights {
  std::shared_ptr<const Cch::Topology> topology;
  double unit = 1;
  std::variant<index::ShortcutCosts<std::uint32_t>, index::ShortcutCosts<double>> costs;
};

}  // namespace lodestar
