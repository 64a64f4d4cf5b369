// Random graphs with metrics, random preferences, and what they cost, computed without any code of
// the library: weights arc by arc from the definition in preferences.h, then a plain Dijkstra.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lodestar/metrics.h"
#include "lodestar/preferences.h"
#include "lodestar/rng.h"

namespace lodestar::testing {

struct MetricArc {
  NodeId tail;
  NodeId head;
  std::vector<double> weights;  // by metric
  std::vector<std::string> classes;
  double max_height = kInfinity;
};

// A graph as a list of arcs in the library's order, beside the library's own objects.
struct RequestCase {
  NodeId nodes = 0;
  std::vector<Point> points;
  std::vector<MetricArc> arcs;
  Graph graph;
  Metrics metrics;
};

inline RequestCase random_case(Rng& rng, NodeId nodes, std::size_t metric_count, bool symmetric) {
  static const char* const kClasses[] = {"motorway", "toll", "ferry", "track"};
  RequestCase out;
  out.nodes = nodes;
  for (NodeId v = 0; v < nodes; ++v) {
    out.points.push_back({std::floor(rng.uniform() * 100), std::floor(rng.uniform() * 100)});
  }
  const bool whole = rng.below(2) == 0;
  const auto weight = [&] {
    if (rng.below(12) == 0) return 0.0;
    return whole ? static_cast<double>(1 + rng.below(50)) : rng.uniform() * 20 + 0.01;
  };
  std::vector<MetricArc> drawn;
  const std::size_t count = nodes * (1 + rng.below(4));
  for (std::size_t i = 0; i < count; ++i) {
    MetricArc arc{
        static_cast<NodeId>(rng.below(nodes)), static_cast<NodeId>(rng.below(nodes)), {}, {}};
    for (std::size_t k = 0; k < metric_count; ++k) arc.weights.push_back(weight());
    for (const char* name : kClasses) {
      if (rng.below(5) == 0) arc.classes.push_back(name);
    }
    if (rng.below(6) == 0) arc.max_height = 2 + static_cast<double>(rng.below(4));
    drawn.push_back(arc);
    if (symmetric && arc.tail != arc.head) {
      std::swap(arc.tail, arc.head);
      drawn.push_back(arc);
    }
  }
  // The library orders arcs by tail, head and own weight; parallel arcs of equal weight as given.
  std::stable_sort(drawn.begin(), drawn.end(), [](const MetricArc& a, const MetricArc& b) {
    return std::tie(a.tail, a.head, a.weights[0]) < std::tie(b.tail, b.head, b.weights[0]);
  });
  out.arcs = drawn;
  GraphBuilder builder(nodes);
  for (const MetricArc& arc : out.arcs) builder.add_arc(arc.tail, arc.head, arc.weights[0]);
  builder.set_points(CoordinateKind::kPlane, out.points);
  out.graph = builder.build();
  MetricsBuilder metrics({"time", "s", 0.5});
  for (std::size_t k = 1; k < metric_count; ++k) {
    std::vector<Weight> column;
    for (const MetricArc& arc : out.arcs) column.push_back(arc.weights[k]);
    metrics.add({k == 1 ? "length" : "third", "m", k == 1 ? 2.0 : 1.0}, std::move(column));
  }
  for (const MetricArc& arc : out.arcs) {
    std::vector<std::string_view> names(arc.classes.begin(), arc.classes.end());
    ArcKind limits;
    if (arc.max_height < kInfinity) limits.max_height = static_cast<float>(arc.max_height);
    metrics.add_arc(names, limits);
  }
  out.metrics = std::move(metrics).build(out.graph);
  return out;
}

inline double random_factor(Rng& rng) {
  return rng.below(3) == 0 ? kInfinity : 1 + rng.uniform() * 5;
}

inline Preferences random_preferences(Rng& rng, const RequestCase& graph) {
  Preferences wish;
  const std::size_t metric_count = graph.metrics.metrics.size();
  if (rng.below(3) != 0) {
    for (const Metric& metric : graph.metrics.metrics) {
      if (rng.below(4) != 0) wish.blend.push_back({metric.name, rng.uniform() * 3});
    }
    if (wish.blend.empty()) {
      wish.blend.push_back({graph.metrics.metrics[rng.below(metric_count)].name, 1});
    }
  }
  for (const std::string& name : graph.metrics.classes) {
    if (rng.below(4) == 0) wish.classes.push_back({name, random_factor(rng)});
  }
  if (rng.below(4) == 0) wish.vehicle.height = 2 + rng.uniform() * 4;
  for (std::uint32_t i = rng.below(3); i > 0 && !graph.arcs.empty(); --i) {
    wish.arcs.push_back({static_cast<ArcIndex>(rng.below(graph.arcs.size())), random_factor(rng),
                         rng.below(2) == 0 ? 0.0 : rng.uniform() * 10});
  }
  if (rng.below(3) == 0) {
    wish.circles.push_back(
        {{rng.uniform() * 100, rng.uniform() * 100}, rng.uniform() * 15, random_factor(rng)});
  }
  if (rng.below(4) == 0) {
    const double x = rng.uniform() * 80, y = rng.uniform() * 80, size = 5 + rng.uniform() * 20;
    wish.polygons.push_back({{{{x, y},
                               {x + size, y + 0.25 * size},
                               {x + 0.75 * size, y + size},
                               {x + 0.1, y + 0.6 * size}}},
                             random_factor(rng)});
  }
  return wish;
}

// Distance of a point from a segment, in the plane.
inline double plain_distance(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  double at = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
  at = at < 0 ? 0 : at > 1 ? 1 : at;
  return std::hypot(p.x - a.x - at * dx, p.y - a.y - at * dy);
}

// Inside by the winding angle; on the border is not decided here.
inline bool plainly_inside(Point p, const std::vector<Point>& ring) {
  double angle = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    angle += std::atan2((a.x - p.x) * (b.y - p.y) - (a.y - p.y) * (b.x - p.x),
                        (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y));
  }
  return std::abs(angle) > 3;
}

inline bool plainly_cross(Point a, Point b, Point c, Point d) {
  const auto turn = [](Point p, Point q, Point r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  return turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0 &&
         std::max(a.x, b.x) >= std::min(c.x, d.x) && std::max(c.x, d.x) >= std::min(a.x, b.x) &&
         std::max(a.y, b.y) >= std::min(c.y, d.y) && std::max(c.y, d.y) >= std::min(a.y, b.y);
}

// More than what the weight of an arc is rounded up by: a share of the mean of the weights above 0.
inline double largest_rounding(const RequestCase& graph, const Preferences& wish) {
  double mean = 0;
  for (std::size_t k = 0; k < graph.metrics.metrics.size(); ++k) {
    const Metric& metric = graph.metrics.metrics[k];
    double share = wish.blend.empty() && k == 0 ? 1 : 0, sum = 0, count = 0;
    for (const auto& part : wish.blend) {
      if (part.metric == metric.name) {
        share += part.share * metric.scale / graph.metrics.metrics[0].scale;
      }
    }
    for (const MetricArc& arc : graph.arcs) {
      sum += arc.weights[k];
      count += arc.weights[k] > 0;
    }
    mean += share * (count > 0 ? sum / count : 1);
  }
  return mean * 2e-6;
}

// The weight of an arc by the definition, in units of the own weights and not rounded.
inline double plain_weight(const RequestCase& graph, const Preferences& wish, ArcIndex index) {
  const MetricArc& arc = graph.arcs[index];
  double sum = wish.blend.empty() ? arc.weights[0] : 0;
  for (const auto& share : wish.blend) {
    for (std::size_t k = 0; k < arc.weights.size(); ++k) {
      const Metric& metric = graph.metrics.metrics[k];
      if (metric.name != share.metric) continue;
      sum += share.share * arc.weights[k] * metric.scale / graph.metrics.metrics[0].scale;
    }
  }
  double factor = 1, extra = 0;
  for (const auto& rule : wish.classes) {
    for (const std::string& name : arc.classes) {
      if (name == rule.name) factor *= rule.factor;
    }
  }
  if (wish.vehicle.height > arc.max_height) factor = kInfinity;
  for (const auto& rule : wish.arcs) {
    if (rule.arc != index) continue;
    factor *= rule.factor;
    extra += rule.extra / graph.metrics.metrics[0].scale;
  }
  const Point p = graph.points[arc.tail], q = graph.points[arc.head];
  for (const auto& circle : wish.circles) {
    if (plain_distance(circle.centre, p, q) <= circle.radius) factor *= circle.factor;
  }
  for (const auto& polygon : wish.polygons) {
    const auto& ring = polygon.rings[0];
    bool touches = plainly_inside(p, ring) || plainly_inside(q, ring);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      touches = touches || plainly_cross(p, q, ring[i], ring[(i + 1) % ring.size()]);
    }
    if (touches) factor *= polygon.factor;
  }
  return factor == kInfinity ? kInfinity : sum * factor + extra;
}

// Distances from a node by explicit weights.
inline std::vector<double> plain_dijkstra(NodeId nodes, const std::vector<MetricArc>& arcs,
                                          const std::vector<double>& weights, NodeId source) {
  std::vector<std::vector<std::pair<NodeId, double>>> out(nodes);
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (weights[i] < kInfinity) out[arcs[i].tail].emplace_back(arcs[i].head, weights[i]);
  }
  std::vector<double> distance(nodes, kInfinity);
  std::priority_queue<std::pair<double, NodeId>, std::vector<std::pair<double, NodeId>>,
                      std::greater<>>
      queue;
  distance[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const auto [d, u] = queue.top();
    queue.pop();
    if (d > distance[u]) continue;
    for (const auto& [v, w] : out[u]) {
      if (d + w < distance[v]) {
        distance[v] = d + w;
        queue.push({distance[v], v});
      }
    }
  }
  return distance;
}

}  // namespace lodestar::testing
