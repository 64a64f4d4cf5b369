// A request as the server's logic sees it: the first line is the target, the rest the body. Any
// bytes get an answer that is JSON, and only answers that say so change weights.
#include <nlohmann/json.hpp>

#include "apps/server/service.h"
#include "target.h"

FUZZ_TARGET(serve_request) {
  using namespace lodestar;
  static server::Service service = [] {
    server::ServiceOptions options;
    options.live.build_index = false;
    options.live.refit_seconds = 0;
    options.limits.cells = 400;
    GraphBuilder builder(5);
    for (NodeId v = 0; v + 1 < 5; ++v) builder.add_edge(v, v + 1, 3 + v);
    builder.add_arc(4, 0, 2);
    builder.add_arc(4, 0, 7);
    builder.set_points(CoordinateKind::kDegrees,
                       {{9.5, 47.1}, {9.501, 47.1}, {9.502, 47.101}, {9.503, 47.1}, {9.5, 47.101}});
    GraphFile file;
    file.graph = builder.build();
    MetricsBuilder metrics({"time", "s", 0.1});
    metrics.add({"length", "m", 1}, std::vector<Weight>(file.graph.arc_count(), 7));
    for (std::size_t i = 0; i < file.graph.arc_count(); ++i) {
      const std::string_view classes[] = {i % 2 == 0 ? "toll" : "ferry"};
      metrics.add_arc(classes, {.max_height = i % 3 == 0 ? 3.5f : ArcKind::kNoLimit});
    }
    file.metrics = std::move(metrics).build(file.graph);
    options.live.travel_times = std::make_shared<const TravelTimes>(TravelTimes::parse(
        "class,from,to,factor\ntoll,07:00,09:00,2\n", "times", file.graph, file.metrics));
    file.names = NodeNames::numbered(1, 5);
    return server::Service(std::move(file), options);
  }();
  const std::size_t end = bytes.find('\n');
  server::Request request;
  request.target = bytes.substr(0, end);
  if (end != std::string_view::npos) {
    request.method = server::Method::kPost;
    request.body = bytes.substr(end + 1);
    if (!request.body.starts_with('{')) {
      request.content_type = request.body.find('=') != std::string_view::npos
                                 ? "application/x-www-form-urlencoded"
                                 : "text/csv";
    }
    request.local = true;
  }
  const std::uint64_t before = service.live().now()->version;
  const server::Reply reply = service.answer(request);
  fuzz::require(reply.status != 500);
  if (reply.content_type.starts_with("application/json") && !reply.content().empty()) {
    fuzz::require(nlohmann::json::accept(reply.content()));
  }
  const auto now = service.live().now();
  fuzz::require(now->version == before || (now->version == before + 1 && reply.status == 200));
  for (const Weight weight : *now->weights) fuzz::require(is_weight(weight));
}
