// Small graphs to serve, and requests without sockets.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "apps/server/service.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/search.h"

namespace lodestar::server {

inline GraphFile file_of(Graph graph) {
  GraphFile file;
  file.names = NodeNames::numbered(0, graph.node_count());
  file.graph = std::move(graph);
  return file;
}

// Streets around 9.5, 47.1: coordinates in degrees, whole numbers as weights.
inline GraphFile sample_roads(NodeId nodes = 2000, std::uint64_t seed = 7) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = nodes;
  spec.seed = seed;
  const Graph plane = generate(spec);
  Point low = plane.points()[0], high = low;
  for (const Point& p : plane.points()) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double size = std::max(high.x - low.x, high.y - low.y);
  std::vector<Point> points;
  for (const Point& p : plane.points()) {
    points.push_back({9.5 + 0.1 * (p.x - low.x) / size, 47.1 + 0.1 * (p.y - low.y) / size});
  }
  return file_of(plane.with_points(CoordinateKind::kDegrees, std::move(points)));
}

// A place as a URL names it.
inline std::string place_text(Point p) {
  return nlohmann::json(p.x).dump() + "," + nlohmann::json(p.y).dump();
}

inline Reply get(Service& service, const std::string& target) {
  Request request;
  request.target = target;
  return service.answer(request);
}

inline Reply post(Service& service, const std::string& target, const std::string& body,
                  bool local = true, const std::string& type = "application/json") {
  Request request;
  request.method = Method::kPost;
  request.target = target;
  request.body = body;
  request.content_type = type;
  request.local = local;
  return service.answer(request);
}

inline nlohmann::json json_of(const Reply& reply) {
  return nlohmann::json::parse(reply.content());
}

inline Cost dijkstra(const Graph& graph, NodeId s, NodeId t) {
  Searcher searcher(graph);
  return searcher.run({s, t}, Zero{}).cost;
}

inline ServiceOptions quiet_options(bool index = false) {
  ServiceOptions options;
  options.live.build_index = index;
  options.live.refit_seconds = 0;
  options.live.training_seconds = 0.05;
  return options;
}

}  // namespace lodestar::server
