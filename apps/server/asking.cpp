#include "asking.h"

#include <algorithm>

#include "message.h"

namespace lodestar::serve {
namespace {

// An import by time has whole deciseconds for weights.
Units units_of(const GraphFile& file) {
  if (file.shape.empty()) return {};
  const std::vector<Weight> weights = file.graph.weights();
  const auto& durations = file.shape.arc_duration;
  const bool times = std::equal(weights.begin(), weights.end(), durations.begin(), durations.end(),
                                [](Weight w, std::uint32_t d) { return w == d; });
  if (times) return {"duration", 0.1};
  return {"distance", std::nullopt};
}

}  // namespace

World::World(GraphFile read) : file(std::move(read)), units(units_of(file)) {
  const CoordinateKind kind = file.graph.coordinate_kind();
  if (kind == CoordinateKind::kDegrees || kind == CoordinateKind::kPlane) {
    places.emplace(file.graph, file.shape);
  }
}

std::vector<Stop> Asking::stops(const Question& question) const {
  std::vector<Stop> out(question.size());
  if (question.by_name) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].node = world.file.names.find(question.names[i]);
      if (out[i].node >= world.file.graph.node_count()) {
        throw Refusal(400, "InvalidValue", "there is no node '" + question.names[i] + "'");
      }
    }
    return out;
  }
  if (!world.places) {
    throw Refusal(400, "InvalidOptions",
                  "this graph has no coordinates to find places by; ask by node names, with the "
                  "profile nodes");
  }
  const bool degrees = world.file.graph.coordinate_kind() == CoordinateKind::kDegrees;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Point point = question.points[i];
    if (degrees && !(std::abs(point.x) <= 180 && std::abs(point.y) <= 90)) {
      throw Refusal(400, "InvalidValue",
                    "longitudes lie within -180 … 180 and come first, latitudes within -90 … 90");
    }
    const double radius = question.radiuses.empty() ? -1 : question.radiuses[i];
    try {
      out[i].place =
          world.places->nearest(point, radius < 0 ? world.places->default_limit() : radius);
    } catch (const Error& error) {
      throw Refusal(400, "NoSegment", error.what());
    }
  }
  return out;
}

NodeAnswer Asking::search(Query query, bool path) {
  deadline.check();
  NodeAnswer out;
  // With an index a search ends in microseconds; without, the clock is looked at on the way.
  out.found = now->index != nullptr
                  ? lease_.run(query)
                  : lease_.run(query, [this](const Settled&) { deadline.step(); });
  deadline.spend(out.found.expansions);
  if (out.found.capped && !out.found.reached()) {
    throw Refusal(400, "TooBig", "the search has reached its limit of expansions without a path");
  }
  if (path && out.found.reached()) out.path = lease_.path();
  return out;
}

Way Asking::way(const Question& question, const Stop& from, const Stop& to, bool path) {
  Way out;
  if (question.by_name) {
    NodeAnswer answer = search({from.node, to.node}, path);
    out.found = answer.found;
    out.nodes = std::move(answer.path);
    if (path) out.legs = legs_of(world.file.graph, out.nodes, weights());
    return out;
  }
  PlaceRoute route = route_between(
      *world.places, from.place, to.place, [&](Query query) { return search(query, path); },
      weights());
  out.found = route.found;
  out.nodes = std::move(route.path);
  out.legs = std::move(route.legs);
  return out;
}

double Asking::length_of(std::span<const Leg> legs) const {
  const Graph& graph = world.file.graph;
  const Shape& shape = world.file.shape;
  double length = 0;
  for (const Leg& leg : legs) {
    const double whole = shape.empty()
                             ? distance_between(graph.coordinate_kind(), graph.points()[leg.tail],
                                                graph.points()[leg.head])
                             : shape.segment_length[shape.segment(leg.arc)] * 0.1;
    length += whole * std::max(0.0, leg.end - leg.begin);
  }
  return length;
}

double Asking::duration_of(const SearchResult& found, std::span<const Leg> legs) const {
  if (world.units.seconds) return found.cost * *world.units.seconds;
  const Shape& shape = world.file.shape;
  if (shape.empty()) return found.cost;
  double seconds = 0;
  for (const Leg& leg : legs) {
    seconds += shape.arc_duration[leg.arc] * 0.1 * std::max(0.0, leg.end - leg.begin);
  }
  return seconds;
}

}  // namespace lodestar::serve
