#include "lodestar/place_requests.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "places/place_route.h"

namespace lodestar {
namespace {

// The weight of an arc by metric i.
Weight metric_weight(const Router& router, std::size_t i, ArcIndex arc) {
  return router.options().metrics.weight(router.graph(), i, arc);
}

std::vector<double> totals_of(const Router& router, const Places& places, const PlaceRoute& route,
                              bool departs) {
  std::vector<double> sums;
  const std::vector<Metric> metrics = total_metrics(router);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    double sum = 0;
    for (const Leg& leg : route.legs) {
      const double share = i == 0 ? time_share(places.graph(), places.shape(), leg)
                                  : std::max(0.0, leg.end - leg.begin);
      sum += share * metric_weight(router, i, leg.arc);
    }
    if (i == 0 && departs) sum = route.found.cost;
    sums.push_back(sum * metrics[i].scale);
  }
  return sums;
}

// Earliest arrival between two places. The search of the nodes starts when the first road has been
// left, and what the last road takes is known when it is entered. By FIFO the earliest arrival at
// its beginning is the earliest at the place.
class EarliestArrival {
 public:
  EarliestArrival(const Router& router, const Places& places, const Preferences& preferences)
      : router_(router),
        places_(places),
        preferences_(preferences),
        times_(*router.options().travel_times),
        scale_(total_metrics(router)[0].scale),
        at_departure_(router.requests(preferences)) {
    best_.found.cost = best_.found.lower_bound = kInfinity;
  }

  PlaceRoute run(const Place& from, const Place& to) {
    const std::vector<Entry> entries = entries_of(to);
    for (const Exit& exit : exits_of(from)) {
      for (const Entry& entry : entries) between(exit, entry);
    }
    finish(best_, places_, from);
    return std::move(best_);
  }

 private:
  struct Exit {
    NodeId node = kNoNode;
    double clock = 0;               // when the node is reached
    std::optional<PlaceSide> side;  // the road before it; none on a junction
  };
  struct Entry {
    NodeId node = kNoNode;
    std::optional<PlaceSide> side;  // the road behind it
    bool beyond = false;  // the place lies on the last arc to the node, which is taken in part
  };

  bool arc_based() const { return places_.shape().arc_based; }
  bool closed(ArcIndex arc) const { return at_departure_.weight(arc) == kInfinity; }
  double drive(const Leg& leg, double clock) const {
    const double share = paid_share(places_.graph(), places_.shape(), leg);
    return clock +
           times_.seconds(leg.arc, share * metric_weight(router_, 0, leg.arc) * scale_, clock);
  }

  // The place on each open arc along the same line. Without a shape, parallel arcs are one line.
  std::vector<PlaceSide> parallel(const PlaceSide& side) const {
    std::vector<PlaceSide> out;
    places_.graph().visit(Direction::kForward, [&](auto rows) {
      for (ArcIndex arc = rows.first[side.tail]; arc < rows.first[side.tail + 1]; ++arc) {
        const bool same =
            places_.shape().empty() ? rows.arcs[arc].head == side.head : arc == side.arc;
        if (!same || closed(arc)) continue;
        out.push_back(side);
        out.back().arc = arc;
      }
    });
    return out;
  }

  std::vector<Exit> exits_of(const Place& place) const {
    const double depart = *preferences_.depart;
    std::vector<Exit> out;
    for (const NodeId node : place.nodes) out.push_back({node, depart, {}});
    if (!place.nodes.empty()) return out;
    for (const PlaceSide& each : place.exits()) {
      for (const PlaceSide& side : parallel(each)) {
        out.push_back({side.head, drive(part_of(side, side.share, 1), depart), side});
      }
    }
    return out;
  }

  std::vector<Entry> entries_of(const Place& place) const {
    std::vector<Entry> out;
    for (const NodeId node : place.nodes) out.push_back({node, {}});
    if (!place.nodes.empty()) return out;
    for (const PlaceSide& each : place.entries()) {
      if (!arc_based()) {
        for (const PlaceSide& side : parallel(each)) out.push_back({side.tail, side});
        continue;
      }
      // Turns into one road that have the same slots all the day keep their order until its end:
      // the first at the end is the first at the place. Otherwise each turn is tried.
      const std::vector<Entry> turns = by_turn(each);
      const bool same = std::all_of(turns.begin(), turns.end(), [&](const Entry& turn) {
        return times_.same_slots(turn.side->arc, turns[0].side->arc);
      });
      if (same && !turns.empty()) {
        out.push_back({each.head, turns[0].side, true});
      } else {
        out.insert(out.end(), turns.begin(), turns.end());
      }
    }
    return out;
  }

  std::vector<Entry> by_turn(const PlaceSide& road) const {
    std::vector<Entry> out;
    for (const PlaceSide& turn : turns_into(places_, road)) {
      if (!closed(turn.arc)) out.push_back({turn.tail, turn});
    }
    return out;
  }

  void between(const Exit& exit, const Entry& entry) {
    if (exit.side && entry.side) {
      const PlaceSide &from = *exit.side, &to = *entry.side;
      const bool same = arc_based() ? from.head == to.head : from.arc == to.arc;
      if (same && from.share <= to.share) {  // along one road
        const Leg leg = part_of(from, from.share, to.share);
        offer(drive(leg, *preferences_.depart), {leg}, {});
        return;
      }
    }
    if (!entry.beyond || exit.node != entry.node) {
      search(exit, entry);
      return;
    }
    for (const Entry& turn : by_turn(*entry.side)) search(exit, turn);  // round the block
  }

  void search(const Exit& exit, const Entry& entry) {
    Preferences later = preferences_;
    later.depart = std::fmod(exit.clock, TravelTimes::kDay);
    Router::Requests requests = router_.requests(later);
    const SearchResult found = requests.run({exit.node, entry.node});
    best_.found.expansions += found.expansions;
    best_.found.pushes += found.pushes;
    best_.found.evaluations += found.evaluations;
    if (!found.reached()) return;
    std::vector<NodeId> path = requests.path();
    std::vector<Leg> legs;
    if (exit.side) legs.push_back(part_of(*exit.side, exit.side->share, 1));
    const std::vector<ArcIndex> arcs = requests.arcs();
    for (std::size_t i = 0; i < arcs.size(); ++i) legs.push_back({path[i], path[i + 1], arcs[i]});
    double clock = exit.clock + found.cost * scale_;
    if (entry.beyond) {
      clock = exit.clock;
      for (std::size_t i = legs.size() - arcs.size(); i + 1 < legs.size(); ++i) {
        clock = drive(legs[i], clock);
      }
      legs.back().end = entry.side->share;
      clock = drive(legs.back(), clock);
    } else if (entry.side) {
      legs.push_back(part_of(*entry.side, 0, entry.side->share));
      clock = drive(legs.back(), clock);
      if (arc_based()) path.push_back(entry.side->head);
    }
    offer(clock, std::move(legs), std::move(path));
  }

  void offer(double arrival, std::vector<Leg> legs, std::vector<NodeId> path) {
    const Cost cost = (arrival - *preferences_.depart) / scale_;
    if (cost >= best_.found.cost) return;
    best_.found.cost = best_.found.lower_bound = cost;
    best_.legs = std::move(legs);
    best_.path = std::move(path);
  }

  const Router& router_;
  const Places& places_;
  const Preferences& preferences_;
  const TravelTimes& times_;
  double scale_;
  Router::Requests at_departure_;
  PlaceRoute best_;
};

// Another route between the same places: their ends are those of the best one.
PlaceRoute with_ends_of(const PlaceRoute& best, const RequestRoute& middle, const Places& places,
                        const Router::Requests& requests) {
  const Graph& graph = places.graph();
  PlaceRoute route;
  route.found = middle.result;
  route.path = middle.nodes;
  const Leg& first = best.legs.front();
  if (first.begin > 0 || first.tail != best.path[0]) route.legs.push_back(first);
  graph.visit(Direction::kForward, [&](auto rows) {
    NodeId tail = middle.nodes.front();
    for (const ArcIndex arc : middle.arcs) {
      route.legs.push_back({tail, rows.arcs[arc].head, arc, 0, 1});
      tail = rows.arcs[arc].head;
    }
  });
  const Leg& last = best.legs.back();
  if (places.shape().arc_based) {
    route.legs.back().end = last.end;
  } else if (last.tail == best.path.back()) {
    route.legs.push_back(last);
  }
  Cost cost = 0;
  for (const Leg& leg : route.legs) {
    cost += paid_share(graph, places.shape(), leg) * requests.weight(leg.arc);
  }
  route.found.cost = std::max(cost, best.found.cost);
  route.found.lower_bound = best.found.lower_bound;
  return route;
}

}  // namespace

std::vector<Metric> total_metrics(const Router& router) {
  const Metrics& metrics = router.options().metrics;
  return metrics.empty() ? std::vector<Metric>{{"weight", "", 1}} : metrics.metrics;
}

std::vector<PlaceRequestRoute> request_between(const Router& router, const Places& places,
                                               const Place& from, const Place& to,
                                               const Preferences& preferences,
                                               const AlternativeOptions& options) {
  Router::Requests requests = router.requests(preferences);
  const bool departs = preferences.depart.has_value();
  const bool potentials = requests.has_potentials();
  std::vector<PlaceRequestRoute> routes;
  const auto add = [&](PlaceRoute route) {
    std::vector<double> totals;
    if (route.found.reached()) totals = totals_of(router, places, route, departs);
    routes.push_back({std::move(route), std::move(totals), potentials});
  };
  if (departs) {
    if (options.count > 1) {
      throw Error("alternatives cannot be combined with a time of departure");
    }
    add(EarliestArrival(router, places, preferences).run(from, to));
    return routes;
  }
  add(route_between(
      places, from, to,
      [&](Query query) {
        const SearchResult found = requests.run(query);
        return NodeAnswer{found, requests.path()};
      },
      ArcWeights([&](ArcIndex arc) { return requests.weight(arc); })));
  const PlaceRoute best = routes[0].route;
  if (options.count <= 1 || best.path.size() < 2 || best.path.front() == best.path.back()) {
    return routes;
  }
  const auto others = requests.alternatives({best.path.front(), best.path.back()}, options);
  for (std::size_t i = 1; i < others.size(); ++i) {
    add(with_ends_of(best, others[i], places, requests));
  }
  return routes;
}

}  // namespace lodestar
