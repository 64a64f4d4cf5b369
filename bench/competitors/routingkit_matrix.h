// RoutingKit's contraction hierarchy with pinned targets, as a competitor in matrices. Built only
// when the folder of RoutingKit is given (-DLODESTAR_ROUTINGKIT=/path); nothing of it is part of
// this project.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lodestar/graph.h"

namespace lodestar::bench {

class PinnedMatrix {
 public:
  virtual ~PinnedMatrix() = default;
  // Fills cells[sources × targets] with whole distances; at least kNoPath if there is no path.
  virtual void run(std::span<const NodeId> sources, std::span<const NodeId> targets,
                   std::span<std::uint32_t> cells) = 0;
  static constexpr std::uint32_t kNoPath = 2147483647;
  std::size_t bytes = 0;
};
// Null in a build without RoutingKit, and if a weight is not a whole number below 2^31.
std::unique_ptr<PinnedMatrix> routingkit_matrix(const Graph& graph);

}  // namespace lodestar::bench
