// Roads with metrics and classes, and the weights that a request gives them, computed without
// the library.
#pragma once

#include <cmath>
#include <queue>
#include <string>
#include <vector>

#include "lodestar/metrics.h"
#include "lodestar/rng.h"
#include "lodestar/shape.h"
#include "sample_service.h"

namespace lodestar::server {

struct PlainArc {
  NodeId tail, head;
  double time, length;  // seconds and metres
  std::vector<std::string_view> classes;
  double max_height;
};

struct PreferenceRoads {
  GraphFile file;
  std::vector<PlainArc> arcs;  // in the graph's order
};

// Times are tenths of a second, lengths tenths of a metre.
inline PreferenceRoads preference_roads(NodeId nodes = 2000, std::uint64_t seed = 7) {
  PreferenceRoads out;
  const GraphFile roads = sample_roads(nodes, seed);
  const Graph& graph = roads.graph;
  Rng rng(seed);
  std::vector<Weight> times, lengths;
  std::vector<ArcKind> limits;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      PlainArc plain{u, arc.head, 0, 0, {}, kInfinity};
      const double metres =
          distance_between(CoordinateKind::kDegrees, graph.points()[u], graph.points()[arc.head]);
      lengths.push_back(1 + std::round(10 * metres));
      plain.length = lengths.back() / 10;
      const double speeds[] = {8, 14, 30};
      const std::size_t kind = rng.below(3);
      times.push_back(1 + std::round(10 * metres / speeds[kind]));
      plain.time = times.back() / 10;
      if (kind == 2) plain.classes.push_back("motorway");
      if (rng.below(10) == 0) plain.classes.push_back("toll");
      if (rng.below(8) == 0) plain.max_height = 3.5;
      limits.push_back({});
      if (plain.max_height < kInfinity) {
        limits.back().max_height = static_cast<float>(plain.max_height);
      }
      out.arcs.push_back(std::move(plain));
    }
  }
  out.file = file_of(graph.with_weights(times));
  MetricsBuilder metrics({"time", "s", 0.1});
  metrics.add({"length", "m", 0.1}, std::move(lengths));
  for (std::size_t i = 0; i < out.arcs.size(); ++i) {
    metrics.add_arc(out.arcs[i].classes, limits[i]);
  }
  out.file.metrics = std::move(metrics).build(out.file.graph);
  return out;
}

// Dijkstra with a binary heap; an infinite weight is a closed arc.
template <class WeightOf>
double plain_cost(const std::vector<PlainArc>& arcs, NodeId nodes, NodeId s, NodeId t,
                  WeightOf&& weight) {
  std::vector<std::vector<std::size_t>> out(nodes);
  for (std::size_t i = 0; i < arcs.size(); ++i) out[arcs[i].tail].push_back(i);
  std::vector<double> cost(nodes, kInfinity);
  using Entry = std::pair<double, NodeId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.push({cost[s] = 0, s});
  while (!queue.empty()) {
    const auto [g, u] = queue.top();
    queue.pop();
    if (g > cost[u]) continue;
    for (const std::size_t i : out[u]) {
      const double next = g + weight(i, g);
      if (!(next < cost[arcs[i].head])) continue;
      queue.push({cost[arcs[i].head] = next, arcs[i].head});
    }
  }
  return cost[t];
}

inline bool has_class(const PlainArc& arc, std::string_view name) {
  return std::find(arc.classes.begin(), arc.classes.end(), name) != arc.classes.end();
}

}  // namespace lodestar::server
