#include "graph/drawing.h"

#include <algorithm>
#include <cmath>

#include "lodestar/detail/stop.h"

namespace lodestar {

Graph largest_part(const std::vector<DrawnEdge>& edges, const std::vector<Point>& points,
                   CoordinateKind kind, std::vector<std::size_t>* places) {
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
  std::vector<ListedArc> listed;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const DrawnEdge& edge = edges[i];
    const NodeId u = number[edge.u], v = number[edge.v];
    if (u == kNoNode) continue;
    builder.add_edge(u, v, edge.weight);
    if (places == nullptr) continue;
    listed.push_back({u, v, edge.weight, i});
    if (u != v) listed.push_back({v, u, edge.weight, i});
  }
  if (places != nullptr) *places = places_by_arc(std::move(listed));
  builder.set_points(kind, std::move(kept));
  return builder.build();
}

Metrics road_metrics(const Graph& graph, const std::vector<DrawnEdge>& edges,
                     std::span<const std::size_t> places) {
  MetricsBuilder builder({"time", "s", 0.001});
  std::vector<Weight> lengths;
  lengths.reserve(places.size());
  KindTable kinds;
  std::vector<std::uint16_t> arc_kind;
  arc_kind.reserve(places.size());
  for (const std::size_t place : places) {
    lengths.push_back(std::ceil(100 * edges[place].metres));
    arc_kind.push_back(kinds.find({.classes = edges[place].road}));
  }
  builder.add({"length", "m", 0.01}, std::move(lengths));
  builder.set_kinds({"motorway", "primary", "residential", "link", "bridge", "toll"}, kinds.kinds(),
                    std::move(arc_kind));
  return std::move(builder).build(graph);
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
