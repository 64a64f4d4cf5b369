#include "learn/evaluate/planning.h"

#include <algorithm>

#include "lodestar/search.h"

namespace lodestar::evaluate {

PlanningMap tiled_map(const std::vector<PlanningMap>& maps, NodeId side, Rng& rng) {
  PlanningMap out;
  const NodeId width = maps.at(0).width, height = maps[0].height;
  out.width = side * width;
  out.height = side * height;
  out.family = "tiled " + std::to_string(out.width) + " × " + std::to_string(out.height);
  out.free.resize(std::size_t{out.width} * out.height);
  for (NodeId i = 0; i < side * side; ++i) {
    const PlanningMap& tile = maps[rng.below(static_cast<std::uint32_t>(maps.size()))];
    if (tile.width != width || tile.height != height) {
      throw Error("maps to be tiled must have one size");
    }
    for (NodeId row = 0; row < height; ++row) {
      const NodeId to = ((i / side) * height + row) * out.width + (i % side) * width;
      std::copy_n(tile.free.data() + std::size_t{row} * width, width, out.free.data() + to);
    }
  }
  do {
    out.goal = rng.below(static_cast<std::uint32_t>(out.free.size()));
  } while (out.free[out.goal] == 0);
  return out;
}

PlanningTask::PlanningTask(const PlanningMap& map) : width_(map.width) {
  std::vector<NodeId> node(map.free.size(), kNoNode);
  for (NodeId c = 0; c < map.free.size(); ++c) {
    if (map.free[c] == 0) continue;
    node[c] = static_cast<NodeId>(cell_.size());
    cell_.push_back(c);
  }
  GraphBuilder builder(static_cast<NodeId>(cell_.size()));
  const auto join = [&](NodeId from, NodeId x, NodeId y) {
    if (x >= map.width || y >= map.height) return;
    const NodeId to = node[y * map.width + x];
    if (to != kNoNode) builder.add_edge(node[from], to, 1);
  };
  for (const NodeId c : cell_) {
    const NodeId x = c % map.width, y = c / map.width;
    join(c, x + 1, y);
    join(c, x, y + 1);
    join(c, x + 1, y + 1);
    join(c, x - 1, y + 1);  // wraps beyond the width when x is 0
  }
  graph_ = builder.build();
  goal_ = node[map.goal];
  Searcher searcher(graph_);
  searcher.run_all(goal_);
  for (NodeId v = 0; v < graph_.node_count(); ++v) {
    distance_.push_back(searcher.distance(v));
    if (map.cost.empty()) continue;
    const std::int32_t given = map.cost[cell_[v]];
    if (given < 0 ? distance_[v] < kInfinity : distance_[v] != given) {
      throw Error(map.family + ": a distance of the file differs from the graph's");
    }
  }
}

std::vector<NodeId> PlanningTask::starts(Rng& rng) const {
  std::vector<NodeId> order;
  for (NodeId v = 0; v < graph_.node_count(); ++v) {
    if (v != goal_ && distance_[v] < kInfinity) order.push_back(v);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeId a, NodeId b) { return distance_[a] < distance_[b]; });
  std::vector<NodeId> out;
  constexpr double kBands[] = {0.55, 0.70, 0.85, 1.0};
  for (int band = 0; band < 3; ++band) {
    const auto at = [&](double share) {
      return static_cast<std::uint32_t>(share * static_cast<double>(order.size()));
    };
    const std::uint32_t low = at(kBands[band]), high = at(kBands[band + 1]);
    if (high > low) out.push_back(order[low + rng.below(high - low)]);
  }
  return out;
}

double PlanningTask::chebyshev(NodeId v) const {
  const auto apart = [](NodeId a, NodeId b) { return a > b ? a - b : b - a; };
  const NodeId c = cell_[v], g = cell_[goal_];
  return std::max(apart(c % width_, g % width_), apart(c / width_, g / width_));
}

}  // namespace lodestar::evaluate
