// Travel times by the time of day. What is accepted has a travel time for every arc and hour, and a
// departure that leaves later does not arrive earlier.
#include "lodestar/router.h"
#include "lodestar/travel_times.h"
#include "target.h"

FUZZ_TARGET(travel_times) {
  using namespace lodestar;
  static const GraphFile file = [] {
    GraphFile made;
    GraphBuilder builder(4);
    for (NodeId v = 0; v + 1 < 4; ++v) builder.add_edge(v, v + 1, 600 + v);
    builder.add_arc(0, 3, 9000);
    made.graph = builder.build();
    MetricsBuilder metrics({"time", "s", 0.1});
    const std::string_view classes[] = {"motorway"};
    for (std::size_t i = 0; i < made.graph.arc_count(); ++i) {
      metrics.add_arc(std::span(classes, i % 2));
    }
    made.metrics = std::move(metrics).build(made.graph);
    made.names = NodeNames::numbered(1, 4);
    return made;
  }();
  std::shared_ptr<const TravelTimes> times;
  try {
    times = std::make_shared<const TravelTimes>(
        TravelTimes::parse(bytes, "fuzz.csv", file.graph, file.metrics));
  } catch (const Error& error) {
    fuzz::require(std::string_view(error.what()).starts_with("fuzz.csv"));
    return;
  }
  try {
    const Router router(file.graph, {.metrics = file.metrics, .travel_times = times});
    double arrival = 0;
    for (double depart = 0; depart < 86400; depart += 1500) {
      Preferences wish;
      wish.depart = depart;
      const RequestRoute route = router.request({0, 3}, wish);
      fuzz::require(route.result.reached() && route.result.cost >= 0);
      const double arrives = depart + route.result.cost * 0.1;
      fuzz::require(arrives >= arrival - 0.5);  // rounded up by a tiny unit
      arrival = arrives;
    }
  } catch (const Error&) {  // a factor that the router rejects
  }
}
