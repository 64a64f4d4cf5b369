// Core distances: all distances within a small core, and the paths they imply.
#pragma once

#include <cstdint>
#include <vector>

#include "index/data.h"
#include "index/path_steps.h"
#include "lodestar/detail/run_number.h"

namespace lodestar::index {

inline constexpr std::uint32_t kFar = 1u << 30;  // no path
// The same in any type. Two distances below it do not overflow.
template <class W>
inline constexpr W kUnreached = kFar;
template <>
inline constexpr double kUnreached<double> = kInfinity;
template <>
inline constexpr std::uint64_t kUnreached<std::uint64_t> = std::uint64_t{kFar} << 32;

inline constexpr NodeId kMostDistances = 0xffff;  // limit on the nodes of the core

// The largest core whose distances take at most 4 bytes per node of the graph.
NodeId largest_distances_core(NodeId nodes);

// Fills data.between, and with paths data.next.
void add_core_distances(Data& data);

// Follows data.next. If it is empty, follows arcs along which the remaining distance falls by the
// weight. Arcs of weight 0 may form cycles, and so may arcs that a sum of doubles rounds away, so
// no node is entered twice.
template <class W>
class CoreWalk {
 public:
  explicit CoreWalk(const Data& data) : data_(data), seen_(data.next.empty() ? data.core : 0, 0) {}
  // Appends the arcs from one node of the core to another that it reaches: their pieces, or the
  // arcs themselves if there is no data.next.
  void append(NodeId from, NodeId to, PathSteps& steps);
  void search(NodeId from, NodeId to, std::vector<PathStep>& steps);

 private:
  const Data& data_;
  std::vector<std::uint32_t> seen_;  // by node: the walk that entered it last
  detail::RunNumber run_;
};

}  // namespace lodestar::index
