#include "index/labels/levels.h"

#include <cstdint>

namespace lodestar::index {

std::vector<std::vector<NodeId>> levels_of(const Data& data) {
  std::vector<std::uint32_t> waiting(data.nodes, 0);
  const auto for_heads = [&](NodeId u, auto&& use) {
    for (int side = 0; side < data.sides(); ++side) {
      const auto each = [&](auto weight) {
        for (const auto& arc : data.row_of<decltype(weight)>(u, side)) {
          if (arc.head >= data.core) use(arc.head);
        }
      };
      data.wide ? each(double{}) : each(std::uint32_t{});
    }
  };
  for (NodeId u = data.core; u < data.nodes; ++u) for_heads(u, [&](NodeId v) { ++waiting[v]; });
  std::vector<NodeId> level, next;
  for (NodeId u = data.core; u < data.nodes; ++u) {
    if (waiting[u] == 0) level.push_back(u);
  }
  std::vector<std::vector<NodeId>> levels;
  while (!level.empty()) {
    next.clear();
    for (const NodeId u : level) {
      for_heads(u, [&](NodeId v) {
        if (--waiting[v] == 0) next.push_back(v);
      });
    }
    levels.push_back(level);
    level.swap(next);
  }
  return levels;
}

}  // namespace lodestar::index
