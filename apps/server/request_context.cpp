#include "request_context.h"

#include <algorithm>
#include <cmath>

#include "message.h"

namespace lodestar::server {
namespace {

// Files written before roads had modes name the profile in their first note.
std::string mode_of(const Shape& shape) {
  const std::string_view note(shape.remarks.data(), shape.remarks.size());
  if (note.starts_with("profile bicycle,")) return "cycling";
  if (note.starts_with("profile foot,")) return "walking";
  return "driving";
}

}  // namespace

World::World(GraphFile read)
    : file(std::move(read)), unit(cost_unit(file.graph, file.shape)), mode(mode_of(file.shape)) {
  const CoordinateKind kind = file.graph.coordinate_kind();
  if (kind == CoordinateKind::kDegrees || kind == CoordinateKind::kPlane) {
    places.emplace(file.graph, file.shape);
  }
}

std::vector<Stop> RequestContext::stops(const RoutingRequest& request) const {
  std::vector<Stop> out(request.size());
  if (request.by_name) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].node = world.file.names.find(request.names[i]);
      if (out[i].node >= world.file.graph.node_count()) {
        throw Refusal(400, "InvalidValue", "there is no node '" + request.names[i] + "'");
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
    const Point point = request.points[i];
    if (degrees && !(std::abs(point.x) <= 180 && std::abs(point.y) <= 90)) {
      throw Refusal(400, "InvalidValue",
                    "longitudes lie within -180 … 180 and come first, latitudes within -90 … 90");
    }
    const double radius = request.radiuses.empty() ? -1 : request.radiuses[i];
    try {
      out[i].place =
          world.places->nearest(point, radius < 0 ? world.places->default_limit() : radius);
    } catch (const Error& error) {
      throw Refusal(400, "NoSegment", error.what());
    }
  }
  return out;
}

NodeAnswer RequestContext::search(Query query, bool path) {
  deadline.check();
  NodeAnswer out;
  // With an index a search ends in microseconds; without, the search checks the clock.
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

Section RequestContext::section(const RoutingRequest& request, const Stop& from, const Stop& to,
                                bool path) {
  Section out;
  if (request.by_name) {
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

double RequestContext::length_of(std::span<const Leg> legs) const {
  double length = 0;
  for (const Leg& leg : legs) {
    length += lodestar::length_of(world.file.graph, world.file.shape, leg);
  }
  return length;
}

double RequestContext::cost_of(std::span<const Leg> legs) const {
  Cost cost = 0;
  for (const Leg& leg : legs) cost += weights()[leg.arc] * std::max(0.0, leg.end - leg.begin);
  return cost;
}

double RequestContext::shown(double value) const {
  return world.file.shape.empty() ? value : std::round(value * 10) / 10;
}

double RequestContext::duration_of(Cost cost, std::span<const Leg> legs) const {
  const Shape& shape = world.file.shape;
  if (world.unit.is_time() || shape.empty()) return cost * world.unit.scale;
  double seconds = 0;
  for (const Leg& leg : legs) {
    seconds += shape.arc_duration[leg.arc] * 0.1 * std::max(0.0, leg.end - leg.begin);
  }
  return seconds;
}

}  // namespace lodestar::server
