#include "graph/drawing.h"

#include <algorithm>
#include <cmath>

#include "lodestar/detail/stop.h"

namespace lodestar {

Graph largest_part(const std::vector<DrawnEdge>& edges, const std::vector<Point>& points,
                   CoordinateKind kind) {
  const auto n = static_cast<NodeId>(points.size());
  std::vector<NodeId> root(n);
  for (NodeId v = 0; v < n; ++v) root[v] = v;
  const auto find = [&](NodeId v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const DrawnEdge& edge : edges) {
    check_stop(edge.u);
    const NodeId a = find(edge.u), b = find(edge.v);
    root[std::max(a, b)] = std::min(a, b);
  }
  std::vector<NodeId> size(n, 0);
  for (NodeId v = 0; v < n; ++v) ++size[find(v)];
  const auto largest =
      static_cast<NodeId>(std::max_element(size.begin(), size.end()) - size.begin());

  std::vector<NodeId> number(n, kNoNode);
  std::vector<Point> kept;
  for (NodeId v = 0; v < n; ++v) {
    check_stop(v);
    if (find(v) != largest) continue;
    number[v] = static_cast<NodeId>(kept.size());
    kept.push_back(points[v]);
  }
  GraphBuilder builder(static_cast<NodeId>(kept.size()));
  for (const DrawnEdge& edge : edges) {
    if (number[edge.u] != kNoNode) builder.add_edge(number[edge.u], number[edge.v], edge.weight);
  }
  builder.set_points(kind, std::move(kept));
  return builder.build();
}

std::pair<NodeId, NodeId> lattice_sides(double cells) {
  const auto width = static_cast<NodeId>(std::max(1.0, std::round(std::sqrt(cells))));
  return {width, static_cast<NodeId>(std::max(1.0, std::ceil(cells / width)))};
}

double straight_line(const Point& a, const Point& b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

Weight travel_milliseconds(double metres, double kilometres_per_hour) {
  return std::ceil(1000 * metres / (kilometres_per_hour / 3.6));
}

}  // namespace lodestar
