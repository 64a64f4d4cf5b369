#include "request_context.h"

#include <algorithm>
#include <cmath>

#include "lodestar/place_requests.h"
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

CostUnit unit_of(const GraphFile& file) {
  if (file.metrics.empty()) return cost_unit(file.graph, file.shape);
  const Metric& own = file.metrics.metrics[0];
  return {own.unit == "s" ? "duration" : own.unit == "m" ? "distance" : "cost", own.scale};
}

}  // namespace

World::World(GraphFile read)
    : file(std::move(read)), unit(unit_of(file)), mode(mode_of(file.shape)) {
  const CoordinateKind kind = file.graph.coordinate_kind();
  if (kind == CoordinateKind::kDegrees || kind == CoordinateKind::kPlane) {
    places.emplace(file.graph, file.shape, file.metrics);
  }
  if (!file.shape.arc_entry.empty()) {
    const std::vector<Weight> weights = file.graph.weights();
    for (std::size_t arc = 0; arc < weights.size(); ++arc) {
      const double surplus = weights[arc] - file.shape.arc_duration[arc];
      if (surplus > 0) least_penalty = std::min(least_penalty, surplus);
    }
  }
  for (std::size_t i = 0; i < file.metrics.metrics.size() && !seconds; ++i) {
    if (file.metrics.metrics[i].unit == "s") seconds = i;
  }
}

std::span<const double> World::arc_lengths() const {
  std::call_once(lengths_once_, [&] { lengths_ = lengths_of_arcs(file.graph, file.shape); });
  return lengths_;
}

std::string_view weight_name_of(const World& world, const Preferences& preferences) {
  const auto has_factor = [](const auto& list) {
    return std::any_of(list.begin(), list.end(),
                       [](const auto& one) { return one.factor != kInfinity; });
  };
  const bool factors = has_factor(preferences.classes) || has_factor(preferences.circles) ||
                       has_factor(preferences.polygons);
  return preferences.blend.empty() && !factors ? world.unit.name : "custom";
}

RequestContext::RequestContext(const World& given, std::shared_ptr<const Snapshot> snapshot,
                               const Limits& allowed, const RoutingRequest& asked)
    : world(given),
      now(std::move(snapshot)),
      request(asked),
      limits(allowed),
      deadline(allowed),
      lease_(now->router.lease()) {
  if (!request.has_preferences()) return;
  depart_ = request.preferences.depart.value_or(0);
  set_preferences(request.preferences);
}

void RequestContext::set_preferences(const Preferences& preferences) {
  requests_.reset();  // the searcher goes back to the pool before another one is taken
  try {
    requests_.emplace(now->requests->get().requests(preferences));
  } catch (const Error& error) {
    refuse("InvalidValue", error.what());
  }
}

void RequestContext::set_departure(double seconds) {
  Preferences later = request.preferences;
  later.depart = depart_ = std::fmod(seconds, TravelTimes::kDay);
  set_preferences(later);
}

void RequestContext::leave_after(const Section& section) {
  if (request.preferences.depart) set_departure(depart_ + section.found.cost * world.unit.scale);
}

NodeAnswer RequestContext::search(Query query, bool path) {
  deadline.check();
  NodeAnswer out;
  if (requests_) {
    const StopScope scope = deadline.scope();
    out.found = requests_->run(query);
    if (path && out.found.reached()) out.path = requests_->path();
    deadline.spend(out.found.expansions);
    return out;
  }
  // With an index a search ends in microseconds; without, the search checks the clock.
  out.found = now->index != nullptr
                  ? lease_.run(query)
                  : lease_.run(query, [this](const Settled&) { deadline.step(); });
  deadline.spend(out.found.expansions);
  if (out.found.capped && !out.found.reached()) {
    refuse("TooBig", "the search has reached its limit of expansions without a path");
  }
  if (path && out.found.reached()) out.path = lease_.path();
  return out;
}

ArcWeights RequestContext::arc_weights() const {
  if (!requests_) return ArcWeights(weights());
  return ArcWeights(std::function<Weight(ArcIndex)>(
      [this](ArcIndex arc) -> Weight { return requests_->weight(arc); }));
}

Section RequestContext::timed_section(const Stop& from, const Stop& to) {
  const StopScope scope = deadline.scope();
  Preferences now_or_later = request.preferences;
  now_or_later.depart = depart_;
  PlaceRoute route =
      request_between(now->requests->get(), *world.places, from.place, to.place, now_or_later)[0]
          .route;
  deadline.spend(route.found.expansions);
  Section out{route.found, std::move(route.path), std::move(route.legs), {}};
  set_costs(out);
  return out;
}

void RequestContext::set_costs(Section& section) const {
  const TravelTimes& times = *now->requests->get().options().travel_times;
  const double scale = world.file.metrics.metrics[0].scale;
  double clock = depart_;
  for (const Leg& leg : section.legs) {
    const double seconds = times.seconds(leg.arc, paid(leg) * weights()[leg.arc] * scale, clock);
    section.costs.push_back(seconds / scale);
    clock += seconds;
  }
}

Section RequestContext::section(const Stop& from, const Stop& to, bool path) {
  const bool timed = request.preferences.depart.has_value();
  Section out;
  if (request.by_name) {
    NodeAnswer answer = search({from.node, to.node}, path);
    out.found = answer.found;
    out.nodes = std::move(answer.path);
    if (path) out.legs = legs_of(world.file.graph, out.nodes, arc_weights());
    if (timed) {
      // Which of several parallel arcs is taken depends on the time.
      const std::vector<ArcIndex> arcs = requests_->arcs();
      for (std::size_t i = 0; i < out.legs.size(); ++i) out.legs[i].arc = arcs[i];
      set_costs(out);
    }
    return out;
  }
  if (timed) return timed_section(from, to);
  PlaceRoute route = route_between(
      *world.places, from.place, to.place, [&](Query query) { return search(query, path); },
      arc_weights());
  out.found = route.found;
  out.nodes = std::move(route.path);
  out.legs = std::move(route.legs);
  return out;
}

std::vector<Section> RequestContext::alternatives(const Section& best) {
  std::vector<Section> out;
  if (request.alternatives == 0 || best.nodes.size() < 2) return out;
  const Query query{best.nodes.front(), best.nodes.back()};
  AlternativeOptions options;
  options.count = request.alternatives + 1;
  std::vector<RequestRoute> routes;
  try {
    const StopScope scope = deadline.scope();
    routes = requests_->alternatives(query, options);
  } catch (const Error& error) {
    refuse("InvalidValue", error.what());
  }
  // What the best route has before and after the nodes belongs to the others as well.
  const std::vector<Leg> inner = legs_of(world.file.graph, best.nodes, arc_weights());
  const bool arc_based = world.file.shape.arc_based;
  const bool front = best.legs.front().arc != inner.front().arc && !request.by_name;
  const bool back = best.legs.back().arc != inner.back().arc && !request.by_name && !arc_based;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const RequestRoute& route = routes[i];
    deadline.spend(route.result.expansions);
    if (i == 0 || !route.result.reached()) continue;
    Section other;
    other.found = route.result;
    other.found.cost = best.found.cost + (route.result.cost - routes[0].result.cost);
    other.found.lower_bound = best.found.lower_bound;
    other.nodes = route.nodes;
    if (front) other.legs.push_back(best.legs.front());
    const std::vector<Leg> middle = legs_of(route);
    other.legs.insert(other.legs.end(), middle.begin(), middle.end());
    if (back) other.legs.push_back(best.legs.back());
    if (arc_based && !request.by_name) other.legs.back().end = best.legs.back().end;
    out.push_back(std::move(other));
  }
  return out;
}

double RequestContext::length_of(std::span<const Leg> legs) const {
  double length = 0;
  for (const Leg& leg : legs) {
    length += lodestar::length_of(world.file.graph, world.file.shape, leg);
  }
  return length;
}

Cost RequestContext::cost_of(const Section& section, std::size_t begin, std::size_t end) const {
  Cost cost = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Leg& leg = section.legs[i];
    if (!section.costs.empty()) {
      cost += section.costs[i];
    } else {
      cost += (requests_ ? requests_->weight(leg.arc) : weights()[leg.arc]) * paid(leg);
    }
  }
  return cost;
}

double RequestContext::by_metric(const Section& section, std::size_t metric, std::size_t begin,
                                 std::size_t end) const {
  const lodestar::Metrics& metrics = world.file.metrics;
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Leg& leg = section.legs[i];
    if (metric == 0) {
      sum += weights()[leg.arc] * time_share(world.file.graph, world.file.shape, leg);
    } else {
      sum += metrics.columns[metric - 1][leg.arc] * std::max(0.0, leg.end - leg.begin);
    }
  }
  return sum * (metric == 0 ? world.unit.scale : metrics.metrics[metric].scale);
}

double RequestContext::total_of(const Section& section, std::size_t metric) const {
  if (metric == 0 && request.preferences.depart) return duration_of(section);
  return by_metric(section, metric, 0, section.legs.size());
}

double RequestContext::shown(double value) const {
  return world.file.shape.empty() ? value : std::round(value * 10) / 10;
}

double RequestContext::duration_of(const Section& section, std::size_t begin,
                                   std::size_t end) const {
  const Shape& shape = world.file.shape;
  const bool by_cost = world.unit.is_time() || shape.empty();
  double seconds = 0;
  if (!section.costs.empty()) {
    seconds = cost_of(section, begin, end) * world.unit.scale;
    // What keeps through traffic away is no time.
    for (std::size_t i = begin; i < end && !shape.arc_entry.empty(); ++i) {
      const Leg& leg = section.legs[i];
      const double more = paid(leg) - time_share(world.file.graph, shape, leg);
      seconds -= more * weights()[leg.arc] * world.unit.scale;
    }
    return seconds;
  }
  if (by_cost || (requests_ && world.seconds)) {
    return by_metric(section, requests_ && world.seconds ? *world.seconds : 0, begin, end);
  }
  for (std::size_t i = begin; i < end; ++i) {
    const Leg& leg = section.legs[i];
    seconds += shape.seconds(leg.arc, leg.begin, leg.end);
  }
  return seconds;
}

double RequestContext::duration_of(const Section& section) const {
  const bool by_cost = world.unit.is_time() || world.file.shape.empty();
  const bool penalties = !world.file.shape.arc_entry.empty();
  if (!penalties && (request.preferences.depart || (!requests_ && by_cost))) {
    return section.found.cost * world.unit.scale;
  }
  return duration_of(section, 0, section.legs.size());
}

}  // namespace lodestar::server
