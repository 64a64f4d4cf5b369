// All distances within a small core, and the way from one of its nodes to another by them.
#pragma once

#include <cstdint>
#include <vector>

#include "index/data.h"
#include "index/path_steps.h"
#include "lodestar/detail/run_number.h"

namespace lodestar::index {

inline constexpr std::uint32_t kFar = 1u << 30;   // in the table: no way
inline constexpr NodeId kMostDistances = 0xffff;  // nodes of a core with a table

// Nodes of the largest core whose table takes no more than 4 bytes a node of the graph.
NodeId largest_distances_core(NodeId nodes);

// Fills data.between; whole numbers only.
void add_core_distances(Data& data);

// Walks along arcs that lose as much distance as they cost. With arcs of cost 0 these may lead in
// circles, so no node is entered twice.
class CoreWalk {
 public:
  explicit CoreWalk(const Data& data) : data_(data), seen_(data.core, 0) {}
  // Appends the arcs from one node of the core to another that it reaches.
  void append(NodeId from, NodeId to, std::vector<PathStep>& steps);

 private:
  const Data& data_;
  std::vector<std::uint32_t> seen_;  // by node: the walk that entered it last
  detail::RunNumber run_;
};

}  // namespace lodestar::index
