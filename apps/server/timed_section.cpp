#include "timed_section.h"

namespace lodestar::server {
namespace {

// A place seen in one direction of its road; on a junction, the place as it is.
std::vector<Place> directions_of(const Place& place, const std::vector<PlaceSide>& sides) {
  if (!place.nodes.empty()) return {place};
  std::vector<Place> out;
  for (const PlaceSide& side : sides) {
    out.push_back(place);
    out.back().side[0] = side;
    out.back().sides = 1;
    out.back().also.clear();
  }
  return out;
}

}  // namespace

TimedSection::TimedSection(RequestContext& context)
    : context_(context),
      times_(*context.now->requests->get().options().travel_times),
      scale_(context.world.file.metrics.metrics[0].scale),
      depart_(context.depart_) {}

Cost TimedSection::pass(ArcIndex arc, double share, double clock) const {
  return times_.seconds(arc, share * context_.weights()[arc] * scale_, clock) / scale_;
}

PlaceRoute TimedSection::route(const Place& from, const Place& to, Cost exit) {
  const bool arc_based = context_.world.file.shape.arc_based;
  const PlaceSide& a = from.side[0];
  const PlaceSide& b = to.side[0];
  const bool same = from.nodes.empty() && to.nodes.empty() && a.arc == b.arc && a.share <= b.share;
  const ArcWeights by_request = context_.arc_weights();
  // Such that the parts of these two arcs cost what they take.
  const auto weight = [&](ArcIndex arc) -> Weight {
    const Weight whole = by_request[arc];
    if (whole == kInfinity || !from.nodes.empty() || arc != a.arc) return whole;
    if (same && a.share < b.share) {
      return pass(arc, b.paid - a.paid, depart_) / (b.paid - a.paid);
    }
    return a.paid < 1 ? exit / (1 - a.paid) : whole;
  };
  const auto search = [&](Query query) {
    NodeAnswer answer = context_.search(query, true);
    if (!to.nodes.empty() || !answer.found.reached()) return answer;
    // The last road, as route_between counts it and as it is at that time.
    double clock = depart_ + exit * scale_;
    Cost counted = b.paid * weight(b.arc), true_cost = 0;
    if (arc_based) {
      counted = answer.found.cost - (1 - b.paid) * weight(b.arc);
      const auto legs = legs_of(context_.world.file.graph, answer.path, by_request);
      for (std::size_t i = 0; i < legs.size(); ++i) {
        Leg leg = legs[i];
        if (i + 1 == legs.size()) leg.end = b.share;
        const Cost took = pass(leg.arc, context_.paid(leg), clock);
        true_cost += took;
        clock += took * scale_;
      }
    } else {
      true_cost = pass(b.arc, b.paid, clock + answer.found.cost * scale_);
    }
    answer.found.cost += true_cost - counted;
    answer.found.lower_bound += true_cost - counted;
    return answer;
  };
  return route_between(*context_.world.places, from, to, search, ArcWeights(weight));
}

Section TimedSection::between(const Place& from, const Place& to) {
  Section best;
  best.found.cost = best.found.lower_bound = kInfinity;
  const ArcWeights by_request = context_.arc_weights();
  for (const Place& exit : directions_of(from, from.exits())) {
    Cost cost = 0;
    if (exit.nodes.empty()) {
      if (by_request[exit.side[0].arc] == kInfinity) continue;
      cost = pass(exit.side[0].arc, 1 - exit.side[0].paid, depart_);
    }
    context_.set_departure(depart_ + cost * scale_);
    for (const Place& entry : directions_of(to, to.entries())) {
      PlaceRoute found = route(exit, entry, cost);
      const std::uint64_t expansions = best.found.expansions + found.found.expansions;
      if (found.found.cost < best.found.cost) {
        best = {found.found, std::move(found.path), std::move(found.legs), {}};
      }
      best.found.expansions = expansions;
    }
  }
  context_.set_departure(depart_);
  set_costs(best);
  return best;
}

void TimedSection::set_costs(Section& section) const {
  double clock = depart_;
  for (const Leg& leg : section.legs) {
    section.costs.push_back(pass(leg.arc, context_.paid(leg), clock));
    clock += section.costs.back() * scale_;
  }
}

}  // namespace lodestar::server
