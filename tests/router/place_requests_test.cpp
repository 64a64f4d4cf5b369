// Routes between places with preferences, against an oracle that puts the places into the graph as
// nodes of their own and searches that with a plain Dijkstra.
#include "lodestar/place_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "lodestar/generate.h"
#include "lodestar/rng.h"

namespace lodestar::place_requests_test {
namespace {

struct Piece {  // of an arc, from `begin` to `end` as shares of it
  NodeId tail, head;
  ArcIndex arc;
  double begin, end;
};

struct Town {
  Graph graph;
  Metrics metrics;
  std::vector<NodeId> tails, heads;  // by arc
  std::vector<double> own, length;
};

Town town(std::uint64_t seed) {
  Rng rng(seed);
  Town out;
  const NodeId width = 6, n = width * width;
  GraphBuilder builder(n);
  std::vector<Point> points;
  for (NodeId v = 0; v < n; ++v) {
    points.push_back({static_cast<double>(v % width) + 0.3 * rng.uniform(),
                      static_cast<double>(v / width) + 0.3 * rng.uniform()});
  }
  for (NodeId v = 0; v < n; ++v) {
    const auto add = [&](NodeId u) {
      builder.add_arc(v, u, static_cast<double>(20 + rng.below(80)));
      if (rng.below(4) != 0) builder.add_arc(u, v, static_cast<double>(20 + rng.below(80)));
    };
    if (v % width + 1 < width) add(v + 1);
    if (v + width < n) add(v + width);
  }
  builder.set_points(CoordinateKind::kPlane, points);
  out.graph = builder.build();
  for (NodeId v = 0; v < n; ++v) {
    for (const Arc arc : out.graph.arcs(v)) {
      out.tails.push_back(v);
      out.heads.push_back(arc.head);
      out.own.push_back(arc.weight);
      out.length.push_back(1 + static_cast<double>(rng.below(100)));
    }
  }
  MetricsBuilder metrics({"time", "s", 1});
  metrics.add({"length", "m", 0.5}, out.length);
  out.metrics = std::move(metrics).build(out.graph);
  return out;
}

// Dijkstra over pieces of arcs; cost(piece, time) is what a piece takes when entered at a time.
template <class CostOf>
double shortest(const std::vector<Piece>& pieces, NodeId nodes, NodeId source, NodeId target,
                const CostOf& cost) {
  std::vector<double> best(nodes, kInfinity);
  std::priority_queue<std::pair<double, NodeId>, std::vector<std::pair<double, NodeId>>,
                      std::greater<>>
      queue;
  queue.push({best[source] = 0, source});
  while (!queue.empty()) {
    const auto [g, u] = queue.top();
    queue.pop();
    if (g > best[u]) continue;
    for (const Piece& piece : pieces) {
      if (piece.tail != u) continue;
      const double there = g + cost(piece, g);
      if (there < best[piece.head]) queue.push({best[piece.head] = there, piece.head});
    }
  }
  return best[target];
}

// All arcs, those with a place on them cut in two. The places are the nodes n and n + 1.
std::vector<Piece> cut_arcs(const Town& town, const Place& from, const Place& to) {
  const NodeId n = town.graph.node_count();
  std::vector<Piece> pieces;
  for (ArcIndex arc = 0; arc < town.own.size(); ++arc) {
    std::vector<std::pair<double, NodeId>> cuts = {{0, town.tails[arc]}, {1, town.heads[arc]}};
    for (int k = 0; k < from.sides; ++k) {
      if (from.side[k].arc == arc) cuts.push_back({from.side[k].share, n});
    }
    for (int k = 0; k < to.sides; ++k) {
      if (to.side[k].arc == arc) cuts.push_back({to.side[k].share, n + 1});
    }
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      pieces.push_back({cuts[i].second, cuts[i + 1].second, arc, cuts[i].first, cuts[i + 1].first});
    }
  }
  return pieces;
}

Point random_point(Rng& rng) {
  return {rng.uniform() * 5.3, rng.uniform() * 5.3};
}

// body(rng, from, to) for random pairs of places that are not nodes.
template <class Body>
void for_pairs_on_arcs(const Places& places, std::uint64_t seed, const Body& body) {
  Rng rng(seed);
  for (int i = 0; i < 20; ++i) {
    const Place from = places.nearest(random_point(rng)), to = places.nearest(random_point(rng));
    if (!from.nodes.empty() || !to.nodes.empty()) continue;
    SCOPED_TRACE(i);
    body(rng, from, to);
  }
}

TEST(PlaceRequests, BlendsAndClosuresMatchPlacesAsNodes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Town t = town(seed);
    const Router router(t.graph, {.metrics = t.metrics});
    const Places places(t.graph);
    for_pairs_on_arcs(places, seed + 100, [&](Rng& rng, const Place& from, const Place& to) {
      Preferences wish;
      const double a = rng.uniform(), b = rng.uniform();
      wish.blend = {{"time", a}, {"length", b}};
      std::vector<double> factor(t.own.size(), 1);
      for (int k = 0; k < 6; ++k) {
        const auto arc = static_cast<ArcIndex>(rng.below(static_cast<std::uint32_t>(t.own.size())));
        const double f = rng.below(2) == 0 ? kInfinity : 1 + 3 * rng.uniform();
        wish.arcs.push_back({arc, f, 0});
        factor[arc] *= f;
      }
      const double expected =
          shortest(cut_arcs(t, from, to), t.graph.node_count() + 2, t.graph.node_count(),
                   t.graph.node_count() + 1, [&](const Piece& piece, double) {
                     const double weight = a * t.own[piece.arc] + b * 0.5 * t.length[piece.arc];
                     return (piece.end - piece.begin) * weight * factor[piece.arc];
                   });
      const auto routes = request_between(router, places, from, to, wish);
      ASSERT_EQ(routes.size(), 1u);
      const PlaceRoute& route = routes[0].route;
      if (expected == kInfinity) {
        EXPECT_FALSE(route.found.reached());
        return;
      }
      EXPECT_NEAR(route.found.cost, expected, 1e-3 * expected);
      double time = 0, length = 0;
      for (const Leg& leg : route.legs) {
        time += (leg.end - leg.begin) * t.own[leg.arc];
        length += (leg.end - leg.begin) * t.length[leg.arc] * 0.5;
      }
      EXPECT_NEAR(routes[0].totals[0], time, 1e-9);
      EXPECT_NEAR(routes[0].totals[1], length, 1e-9);
    });
  }
}

// Travel times by the time of day: arcs of even number take twice as long from 08:30 to 08:31, all
// others half as long from 08:31 on.
double timed(ArcIndex arc, double share, double own, double clock) {
  const double turns[] = {0, 30600, 30660, 32400, 86400 * 2};
  const double even[] = {1, 2, 1, 1}, odd[] = {1, 1, 0.5, 1};
  double left = share * own, now = clock;
  for (int slot = 0; slot < 4; ++slot) {
    if (now >= turns[slot + 1]) continue;
    const double factor = arc % 2 == 0 ? even[slot] : odd[slot];
    const double fits = (turns[slot + 1] - now) / factor;
    if (left <= fits) return now + left * factor - clock;
    left -= fits;
    now = turns[slot + 1];
  }
  return kInfinity;
}

TEST(PlaceRequests, DeparturesMatchPlacesAsNodes) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Town t = town(seed);
    std::string csv = "arc,from,to,factor\n";
    for (ArcIndex arc = 0; arc < t.own.size(); ++arc) {
      csv += std::to_string(arc) + (arc % 2 == 0 ? ",08:30,08:31,2\n" : ",08:31,09:00,0.5\n");
    }
    const auto times = std::make_shared<const TravelTimes>(
        TravelTimes::parse(csv, "times.csv", t.graph, t.metrics));
    const Router router(t.graph, {.metrics = t.metrics, .travel_times = times});
    const Places places(t.graph);
    for_pairs_on_arcs(places, seed + 500, [&](Rng& rng, const Place& from, const Place& to) {
      Preferences wish;
      wish.depart = 30300 + static_cast<double>(rng.below(400));
      const double expected = shortest(
          cut_arcs(t, from, to), t.graph.node_count() + 2, t.graph.node_count(),
          t.graph.node_count() + 1, [&](const Piece& piece, double g) {
            return timed(piece.arc, piece.end - piece.begin, t.own[piece.arc], *wish.depart + g);
          });
      const auto routes = request_between(router, places, from, to, wish);
      if (expected == kInfinity) {
        EXPECT_FALSE(routes[0].route.found.reached());
        return;
      }
      EXPECT_NEAR(routes[0].route.found.cost, expected, 1e-3 * expected) << seed;
      EXPECT_NEAR(routes[0].totals[0], expected, 1e-3 * expected);
    });
  }
}

TEST(PlaceRequests, AlternativesBeginAndEndAtThePlaces) {
  std::size_t several = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Town t = town(seed);
    const Router router(t.graph, {.metrics = t.metrics});
    const Places places(t.graph);
    const Place from = places.nearest({0.5, 0.1}), to = places.nearest({4.6, 5.0});
    const auto routes = request_between(router, places, from, to, {},
                                        {.count = 3, .stretch = 0.5, .sharing = 0.9, .local = 0});
    several += routes.size() > 1;
    for (const PlaceRequestRoute& one : routes) {
      ASSERT_TRUE(one.route.found.reached());
      EXPECT_GE(one.route.found.cost, routes[0].route.found.cost);
      EXPECT_EQ(one.route.found.lower_bound, routes[0].route.found.lower_bound);
      double cost = 0;
      NodeId at = one.route.legs[0].tail;
      for (const Leg& leg : one.route.legs) {
        EXPECT_EQ(leg.tail, at);
        at = leg.head;
        cost += (leg.end - leg.begin) * t.own[leg.arc];
      }
      EXPECT_NEAR(one.route.found.cost, cost, 1e-9 * cost);
      const Itinerary trip = itinerary(t.graph, {}, one.route.legs);
      EXPECT_NEAR(trip.line.front().x, from.at.x, 1e-9);
      EXPECT_NEAR(trip.line.back().y, to.at.y, 1e-9);
    }
  }
  EXPECT_GE(several, 5u);
}

TEST(PlaceRequests, RejectsAlternativesOfADeparture) {
  const Town t = town(3);
  const auto times = std::make_shared<const TravelTimes>(
      TravelTimes::parse("arc,from,to,factor\n0,08:00,09:00,2\n", "t", t.graph, t.metrics));
  const Router router(t.graph, {.metrics = t.metrics, .travel_times = times});
  const Places places(t.graph);
  Preferences wish;
  wish.depart = 0;
  const Place at = places.nearest({0.5, 0.1});
  EXPECT_THROW(request_between(router, places, at, at, wish, {.count = 2}), Error);
  EXPECT_THROW(request_between(Router(t.graph), places, at, at, wish), Error);
}

}  // namespace
}  // namespace lodestar::place_requests_test
