// Preferences as JSON, GeoJSON and short texts. What is accepted has factors, shares and sizes that
// a router can check, and a router answers or says what is missing.
#include "lodestar/preferences_text.h"
#include "lodestar/router.h"
#include "target.h"

namespace {

using namespace lodestar;

const Router& small_router() {
  static const Router router = [] {
    GraphBuilder builder(4);
    for (NodeId v = 0; v + 1 < 4; ++v) builder.add_edge(v, v + 1, 2 + v);
    builder.set_points(CoordinateKind::kDegrees,
                       {{9.5, 47.1}, {9.501, 47.1}, {9.502, 47.101}, {9.503, 47.1}});
    const Graph graph = builder.build();
    MetricsBuilder metrics({"time", "s", 0.1});
    metrics.add({"length", "m", 1}, std::vector<Weight>(graph.arc_count(), 7));
    const std::string_view classes[] = {"toll"};
    for (std::size_t i = 0; i < graph.arc_count(); ++i) {
      metrics.add_arc(std::span(classes, i % 2), {.max_height = i % 3 == 0 ? 3.5f : 9.0f});
    }
    return Router(graph, {.metrics = std::move(metrics).build(graph)});
  }();
  return router;
}

void ask(const Preferences& preferences) {
  try {
    const RequestRoute route = small_router().request({0, 3}, preferences);
    fuzz::require(route.result.reached() ? route.nodes.size() == 4 : route.nodes.empty());
    fuzz::require(!(route.result.cost < 0));
  } catch (const Error&) {  // says what the graph does not have
  }
}

template <class F>
void read(F&& f) {
  Preferences preferences;
  try {
    f(preferences);
  } catch (const Error&) {
    return;
  }
  ask(preferences);
}

}  // namespace

FUZZ_TARGET(preferences) {
  read([&](Preferences& wish) {
    try {
      wish = parse_preferences(bytes, "fuzz.json");
    } catch (const Error& error) {
      fuzz::require(std::string_view(error.what()).starts_with("fuzz.json"));
      throw;
    }
  });
  read([&](Preferences& wish) { add_avoided(wish, bytes); });
  read([&](Preferences& wish) { add_areas(wish, bytes, "fuzz.geojson", 2); });
  read([&](Preferences& wish) { set_blend(wish, bytes); });
  read([&](Preferences& wish) { set_vehicle(wish, bytes); });
}
