// What the viewer shows of a request with weights of its own.

#include "lodestar/itinerary.h"
#include "viewer_data.h"
#include "viewer_frame.h"

namespace lodestar::server {
namespace {

std::vector<RequestRoute> routes_of(Router::Requests& requests, Query query,
                                    std::size_t alternatives) {
  if (alternatives == 0) return {requests.route(query)};
  AlternativeOptions options;
  options.count = alternatives + 1;
  return requests.alternatives(query, options);
}

// By the metric in metres; without one, as the lines are drawn.
double distance_of(const World& world, const RequestRoute& route, std::span<const Leg> legs) {
  const std::vector<Metric>& metrics = world.file.metrics.metrics;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i].unit == "m") return route.totals[i];
  }
  double length = 0;
  for (const Leg& leg : legs) {
    if (!world.file.graph.has_coordinates()) continue;
    length += length_of(world.file.graph, world.file.shape, leg);
  }
  return length;
}

}  // namespace

std::string request_trace_json(const TraceRequest& request, const RoutingRequest& wish,
                               const World& world, const Snapshot& snapshot,
                               const std::vector<Point>& layout, Deadline& deadline) {
  const StopScope scope = deadline.scope();
  try {
    const Router& router = snapshot.requests->get();
    const SearchTrace trace = router.trace(request.query, wish.preferences);
    if (trace.settled.size() > request.most_steps) {
      refuse("TooBig", "this search is too long to be shown");
    }
    Router::Requests requests = router.requests(wish.preferences);
    const double seconds = best_of_three(deadline, [&] { requests.run(request.query); });
    const auto routes = routes_of(requests, request.query, wish.alternatives);
    JsonText json;
    json.open('{');
    write_trace(json, request, world, snapshot, trace, seconds);
    json.key("note").text("").key("weight_name").text(weight_name_of(world, wish.preferences));
    json.key("potentials").truth(requests.has_potentials());
    write_drawn_route(json, world, layout, trace.route, legs_of(routes[0]));
    json.key("routes").open('[');
    for (const RequestRoute& route : routes) {
      if (!route.result.reached()) continue;
      const std::vector<Leg> legs = legs_of(route);
      json.open('{').key("cost").number(world.unit.of(route.result.cost));
      json.key("duration");
      if (world.seconds) {
        json.rounded(route.totals[*world.seconds], 1);
      } else {
        json.null();
      }
      json.key("distance").rounded(distance_of(world, route, legs), 1);
      write_drawn_route(json, world, layout, {route.result, route.nodes}, legs);
      json.close('}');
    }
    json.close(']').close('}');
    return json.take();
  } catch (const Error& error) {
    refuse("InvalidValue", error.what());
  }
}

void write_request_facts(JsonText& json, const World& world, const Snapshot& snapshot) {
  const Graph& graph = world.file.graph;
  const lodestar::Metrics& metrics = world.file.metrics;
  json.open('{').key("metrics").open('[');
  for (std::size_t i = 0; i < metrics.metrics.size(); ++i) {
    double sum = 0;
    for (ArcIndex arc = 0; arc < graph.arc_count(); ++arc) sum += metrics.weight(graph, i, arc);
    const double mean = sum / std::max<double>(1, static_cast<double>(graph.arc_count()));
    json.open('{').key("name").text(metrics.metrics[i].name);
    json.key("unit").text(metrics.metrics[i].unit);
    json.key("mean").number(mean * metrics.metrics[i].scale).close('}');
  }
  json.close(']');
  json.list("classes", metrics.classes, [&](const std::string& name) { json.text(name); });
  const Frame frame(graph, graph.coordinate_kind());
  json.key("travel_times").truth(snapshot.requests->has_travel_times());
  json.key("potentials").truth(snapshot.requests->has_potentials());
  json.key("frame").open('[').number(frame.origin().x).number(frame.origin().y);
  json.number(frame.step().x).number(frame.step().y).close(']').close('}');
}

}  // namespace lodestar::server
