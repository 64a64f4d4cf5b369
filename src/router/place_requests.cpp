#include "lodestar/place_requests.h"

#include <cmath>
#include <functional>

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

// The same place with one of these sides each; on a junction, the place as it is.
std::vector<Place> one_by_one(const Place& place, const std::vector<PlaceSide>& sides) {
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

// Earliest arrival between two places that have one side each. The search of the nodes starts when
// the first road has been left, and what the last road takes is known when it is entered. By FIFO
// the earliest arrival at its beginning is the earliest at the place.
class TimedPair {
 public:
  TimedPair(const Router& router, const Places& places, const Preferences& preferences,
            const Place& from, const Place& to)
      : router_(router),
        places_(places),
        preferences_(preferences),
        from_(from),
        to_(to),
        times_(*router.options().travel_times),
        scale_(total_metrics(router)[0].scale),
        least_(times_.least_factor(0, TravelTimes::kDay)),
        at_departure_(router.requests(preferences)) {}

  PlaceRoute run() {
    PlaceRoute route = route_between(
        places_, from_, to_, [&](Query query) { return search(query); },
        ArcWeights([&](ArcIndex arc) { return least(arc); }));
    if (route.path.empty() && route.legs.size() == 1) {  // along one road
      const Leg& leg = route.legs[0];
      route.found.cost = route.found.lower_bound =
          seconds(leg.arc, paid_share(places_.graph(), places_.shape(), leg),
                  *preferences_.depart) /
          scale_;
    }
    return route;
  }

 private:
  // What the arc takes at least, and what a share of it takes at some time.
  Weight least(ArcIndex arc) const {
    if (at_departure_.weight(arc) == kInfinity) return kInfinity;
    return least_ * metric_weight(router_, 0, arc);
  }
  double seconds(ArcIndex arc, double share, double clock) const {
    return times_.seconds(arc, share * metric_weight(router_, 0, arc) * scale_, clock);
  }

  // The cost is what is missing between the bounds that route_between() adds for the two ends.
  NodeAnswer search(Query query) {
    double clock = *preferences_.depart;
    Cost bounds = 0;
    if (from_.nodes.empty()) {
      const PlaceSide& side = from_.side[0];
      clock += seconds(side.arc, 1 - side.paid, clock);
      bounds += (1 - side.paid) * least(side.arc);
      if (query.source != side.head) {  // of an arc-based graph, after its first turn
        const ArcIndex turn = arc_between(side.head, query.source);
        clock += seconds(turn, 1, clock);
        bounds += least(turn);
      }
    }
    Preferences later = preferences_;
    later.depart = std::fmod(clock, TravelTimes::kDay);
    Router::Requests requests = router_.requests(later);
    NodeAnswer answer{requests.run(query), {}};
    if (!answer.found.reached()) return answer;
    answer.path = requests.path();
    double arrival = clock + answer.found.cost * scale_;
    if (to_.nodes.empty()) {
      const PlaceSide& side = to_.side[0];
      if (places_.shape().arc_based) {
        const std::vector<ArcIndex> arcs = requests.arcs();
        if (!arcs.empty()) {  // the last one in part
          double entered = clock;
          for (std::size_t i = 0; i + 1 < arcs.size(); ++i) entered += seconds(arcs[i], 1, entered);
          const Leg last{side.tail, side.head, arcs.back(), 0, side.share};
          const double paid = paid_share(places_.graph(), places_.shape(), last);
          arrival = entered + seconds(arcs.back(), paid, entered);
        }
        bounds -= (1 - side.paid) * least(side.arc);
      } else {
        arrival += seconds(side.arc, side.paid, arrival);
        bounds += side.paid * least(side.arc);
      }
    }
    answer.found.cost = (arrival - *preferences_.depart) / scale_ - bounds;
    answer.found.lower_bound = answer.found.cost;
    return answer;
  }

  ArcIndex arc_between(NodeId tail, NodeId head) const {
    const NodeId path[2] = {tail, head};
    return legs_of(router_.graph(), path)[0].arc;
  }

  const Router& router_;
  const Places& places_;
  const Preferences& preferences_;
  Place from_, to_;
  const TravelTimes& times_;
  double scale_;
  double least_;
  Router::Requests at_departure_;
};

PlaceRoute earliest(const Router& router, const Places& places, const Place& from, const Place& to,
                    const Preferences& preferences) {
  PlaceRoute best;
  best.found.cost = best.found.lower_bound = kInfinity;
  SearchResult work;
  for (const Place& exit : one_by_one(from, from.exits())) {
    for (const Place& entry : one_by_one(to, to.entries())) {
      PlaceRoute route = TimedPair(router, places, preferences, exit, entry).run();
      work.expansions += route.found.expansions;
      work.pushes += route.found.pushes;
      work.evaluations += route.found.evaluations;
      if (route.found.cost < best.found.cost) best = std::move(route);
    }
  }
  best.found.expansions = work.expansions;
  best.found.pushes = work.pushes;
  best.found.evaluations = work.evaluations;
  return best;
}

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
    add(earliest(router, places, from, to, preferences));
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
