// What requests refuse and why, areas in all positions, and searches that take the second way.
#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"
#include "lodestar/router.h"
#include "request_family.h"
#include "requests/area.h"
#include "requests/request_weights.h"
#include "road.h"

namespace lodestar::request_entrances_test {
namespace {

using requests::Area;
using testing::error_of;

const testing::RequestCase& sample() {
  static const testing::RequestCase made = [] {
    Rng rng(12);
    return testing::random_case(rng, 40, 2, true);
  }();
  return made;
}

std::string refusal(const Router& router, const Preferences& wish) {
  return error_of([&] { router.request({0, 1}, wish); });
}

TEST(RequestEntrances, AreEmptyOnlyWithoutAnyWish) {
  EXPECT_TRUE(Preferences().empty());
  const auto empty_with = [](auto change) {
    Preferences wish;
    change(wish);
    return wish.empty();
  };
  EXPECT_FALSE(empty_with([](Preferences& p) { p.blend = {{"time", 1}}; }));
  EXPECT_FALSE(empty_with([](Preferences& p) { p.classes = {{"toll", 2}}; }));
  EXPECT_FALSE(empty_with([](Preferences& p) { p.ways = {{7, 2}}; }));
  EXPECT_FALSE(empty_with([](Preferences& p) { p.arcs = {{7, 2, 0}}; }));
  EXPECT_FALSE(empty_with([](Preferences& p) { p.circles = {{{0, 0}, 1, 2}}; }));
  EXPECT_FALSE(empty_with([](Preferences& p) { p.polygons.emplace_back(); }));
  EXPECT_FALSE(empty_with([](Preferences& p) { p.vehicle.height = 1; }));
  EXPECT_FALSE(empty_with([](Preferences& p) { p.vehicle.width = 1; }));
  EXPECT_FALSE(empty_with([](Preferences& p) { p.vehicle.weight = 1; }));
  EXPECT_FALSE(empty_with([](Preferences& p) { p.depart = 0; }));
}

TEST(RequestEntrances, RefuseWhatTheGraphDoesNotHave) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 5);
  const Router bare(builder.build());
  Preferences area, toll, high;
  area.circles = {{{0, 0}, 1, 2}};
  toll.classes = {{"toll", 2}};
  high.vehicle.height = 4;
  EXPECT_EQ(refusal(bare, area), "areas to avoid require coordinates, and the graph has none");
  area.circles.clear();
  area.polygons = {{{{{0, 0}, {1, 0}, {0, 1}}}, 2}};
  EXPECT_EQ(refusal(bare, area), "areas to avoid require coordinates, and the graph has none");
  EXPECT_EQ(refusal(bare, toll), "the graph has no class 'toll'; it has no classes");
  EXPECT_EQ(refusal(bare, high),
            "the graph has no classes and no limits of roads; import it from OpenStreetMap");
  for (double Preferences::Vehicle::*size :
       {&Preferences::Vehicle::height, &Preferences::Vehicle::width,
        &Preferences::Vehicle::weight}) {
    Preferences wish;
    wish.vehicle.*size = -1;
    EXPECT_EQ(refusal(bare, wish),
              "the height, width and weight of a vehicle must not be negative");
  }
  const Graph by_weight = sample().graph.ordered(ArcOrder::kByWeight);
  EXPECT_EQ(error_of([&] { requests::RequestData(by_weight, {}, {}); }),
            "preferences require a graph whose arcs are ordered by head");
  EXPECT_NE(error_of([&] {
              requests::RequestData(bare.graph(), sample().metrics, {});
            }).find("the metrics do not fit the graph: "),
            std::string::npos);
  const Router router(sample().graph, {.metrics = sample().metrics});
  EXPECT_THROW(router.requests({}).weight(static_cast<ArcIndex>(sample().arcs.size())), Error);
  Preferences share;
  for (const double value : {-1.0, kInfinity, std::nan("")}) {
    share.blend = {{"length", value}};
    EXPECT_EQ(refusal(router, share), "the share of length must be finite and at least 0");
  }
  share.blend = {{"time", 1e300}, {"length", 1e308}};
  EXPECT_EQ(refusal(router, share),
            "the blend must have a share above 0; every path would cost nothing");
}

TEST(RequestEntrances, RefuseOptionsOfAlternatives) {
  const Router router(sample().graph, {.metrics = sample().metrics});
  const auto with = [&](const AlternativeOptions& options) {
    return error_of([&] { router.alternatives({0, 1}, {}, options); });
  };
  for (const std::size_t count : {std::size_t{0}, std::size_t{101}}) {
    EXPECT_EQ(with({.count = count}), "the number of alternatives must be from 1 to 100");
  }
  for (const double value : {-0.1, kInfinity, std::nan("")}) {
    const std::string wrong = "stretch, sharing and local must be finite and not negative";
    EXPECT_EQ(with({.stretch = value}), wrong);
    EXPECT_EQ(with({.sharing = value}), wrong);
    EXPECT_EQ(with({.local = value}), wrong);
  }
}

TEST(RequestEntrances, RequestsMayBeMoved) {
  const Router router(sample().graph, {.metrics = sample().metrics});
  Preferences dear;
  dear.arcs = {{0, 1, 1e6}};
  Router::Requests a = router.requests({}), b = router.requests(dear);
  const Cost own = a.weight(0), more = b.weight(0);
  EXPECT_GT(more, own + 1e5);
  Router::Requests& same = b;
  b = std::move(same);
  EXPECT_EQ(b.weight(0), more);
  a = std::move(b);
  EXPECT_EQ(a.weight(0), more);
}

TEST(RequestAreas, AreCheckedPointByPoint) {
  const auto circle = [](Point centre, double radius) {
    return error_of([&] { Area(CoordinateKind::kPlane, Preferences::Circle{centre, radius, 2}); });
  };
  EXPECT_EQ(circle({1, 2}, 0), "");
  for (const double radius : {-1.0, kInfinity, std::nan("")}) {
    EXPECT_EQ(circle({1, 2}, radius),
              "the radius of a circle to avoid must be finite and not negative");
  }
  for (const Point centre : {Point{kInfinity, 0}, Point{0, std::nan("")}}) {
    EXPECT_NE(circle(centre, 1), "");
  }
  const auto polygon = [](std::vector<std::vector<Point>> rings) {
    return error_of([&] {
      Area(CoordinateKind::kPlane, Preferences::Polygon{std::move(rings), 2});
    });
  };
  const std::string empty = "a polygon to avoid has no points; give at least three corners";
  EXPECT_EQ(polygon({}), empty);
  EXPECT_EQ(polygon({{}}), empty);
  EXPECT_EQ(polygon({{{0, 0}, {1, 0}, {1, 0}, {0, 0}, {0, 0}}}),
            "a polygon to avoid has 2 corners; give at least three");
  EXPECT_EQ(polygon({{{3, 3}, {3, 3}, {3, 3}}}),
            "a polygon to avoid has 1 corners; give at least three");
  std::vector<Point> round;
  for (int i = 0; i <= 10'000; ++i) round.push_back({std::cos(i * 6e-4), std::sin(i * 6e-4)});
  EXPECT_EQ(polygon({round}), "a polygon to avoid has more than 10,000 corners; simplify it");
  const std::string crossing =
      "a polygon to avoid crosses or touches itself; give its corners in order around the area";
  EXPECT_EQ(polygon({{{0, 0}, {4, 0}, {4, 4}, {0, 4}}}), "");
  EXPECT_EQ(polygon({{{0, 0}, {4, 4}, {4, 0}, {0, 4}}}), crossing);
  EXPECT_EQ(polygon({{{0, 0}, {4, 0}, {2, 0}, {2, 4}}}), crossing) << "folded back";
  EXPECT_EQ(polygon({{{0, 0}, {2, 0}, {4, 0}, {2, 4}}}), "") << "straight on";
  EXPECT_EQ(polygon({{{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}}), crossing) << "touches an edge";
  // The same anywhere, in any direction and from any corner on.
  std::vector<Point> folded = {{0, 0}, {4, 0}, {2, 0}, {2, 4}},
                     straight = {{0, 0}, {2, 0}, {4, 0}, {2, 4}};
  for (int turn = 0; turn < 16; ++turn) {
    for (std::vector<Point>* ring : {&folded, &straight}) {
      std::rotate(ring->begin(), ring->begin() + 1, ring->end());
      if (turn % 4 == 3) {
        for (Point& p : *ring) p = {-p.y + 3, p.x - 11};
      }
      EXPECT_EQ(polygon({*ring}), ring == &folded ? crossing : "") << turn;
      EXPECT_EQ(polygon({{ring->rbegin(), ring->rend()}}), ring == &folded ? crossing : "") << turn;
    }
  }
}

// A piece of road touches a triangle: every position, against distances to its edges.
TEST(RequestAreas, BordersBelongToThem) {
  const Area area(CoordinateKind::kPlane, Preferences::Polygon{{{{0, 0}, {4, 0}, {0, 4}}}, 2});
  const auto touches = [&](Point p, Point q) { return area.touches(p, q) && area.touches(q, p); };
  EXPECT_TRUE(touches({1, 1}, {1.5, 1})) << "inside";
  EXPECT_TRUE(touches({-1, 1}, {9, 1})) << "across";
  EXPECT_TRUE(touches({4, 0}, {8, 0})) << "begins at a corner, in line with an edge";
  EXPECT_TRUE(touches({1, 0}, {3, 0})) << "within an edge";
  EXPECT_TRUE(touches({-2, 0}, {8, 0})) << "along an edge and beyond";
  EXPECT_FALSE(touches({-2, -2}, {2, -2})) << "below";
  EXPECT_TRUE(touches({2, 2}, {5, 5})) << "begins on the hypotenuse";
  EXPECT_TRUE(touches({-1, 1}, {1, -1})) << "through a corner";
  EXPECT_TRUE(touches({-1, 5}, {5, -1})) << "along the hypotenuse";
  EXPECT_FALSE(touches({5, -1}, {6, -2})) << "in line with the hypotenuse, but beyond it";
  EXPECT_FALSE(touches({5, 0}, {8, 0})) << "in line with an edge, but beyond it";
  EXPECT_FALSE(touches({0, 5}, {0, 8}));
  EXPECT_FALSE(touches({3, 3}, {3, 2})) << "within the box, outside of the triangle";
  const Area point(CoordinateKind::kPlane, Preferences::Circle{{2, 2}, 0, 2});
  EXPECT_TRUE(point.touches({0, 0}, {4, 4}));
  EXPECT_TRUE(point.touches({2, 2}, {2, 2}));
  EXPECT_FALSE(point.touches({2, 3}, {2, 3}));
}

// Keys that exceed the queue of whole numbers: the search is repeated with exact ones.
TEST(RequestSearches, HugeCostsLeaveTheQueueOfUnits) {
  const testing::RequestCase& graph = sample();
  const auto family = testing::family_of(graph, 2, 32);
  ASSERT_NE(family, nullptr);
  const Router guided(graph.graph, {.family = family, .metrics = graph.metrics});
  const Router plain(graph.graph, {.metrics = graph.metrics});
  Preferences wish;
  for (ArcIndex arc = 0; arc < graph.arcs.size(); ++arc) wish.arcs.push_back({arc, 1, 1e60});
  std::size_t reached = 0;
  for (NodeId s = 0; s < graph.nodes; s += 3) {
    for (NodeId t = 0; t < graph.nodes; t += 5) {
      const RequestRoute a = guided.request({s, t}, wish), b = plain.request({s, t}, wish);
      EXPECT_TRUE(a.potentials);
      EXPECT_TRUE(a.result.optimal());
      ASSERT_EQ(a.result.reached(), b.result.reached());
      if (!a.result.reached()) continue;
      ++reached;
      EXPECT_EQ(a.arcs.size(), b.arcs.size()) << "fewest arcs";
      EXPECT_NEAR(a.result.cost, b.result.cost, 1e-12 * b.result.cost);
    }
  }
  EXPECT_GT(reached, 20u);
}

// With 16 bits one side searches, but not the whole graph for a target that is closed off.
TEST(RequestSearches, AClosedTargetIsFoundOutFromBothEnds) {
  const Graph graph = testing::road(3000);
  const auto family = std::make_shared<const PotentialFamily>(
      fit_family(graph, {}, testing::quick_family(1, 16)).family);
  EXPECT_NE(family->guarantee(), Guarantee::kConsistent);
  const Router router(graph, {.family = family});
  const NodeId target = 2900;
  Preferences closed;
  const auto first = graph.arrays().first[0];
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (ArcIndex arc = first[u]; arc < first[u + 1]; ++arc) {
      if (graph.arcs(u)[arc - first[u]].head == target) closed.arcs.push_back({arc});
    }
  }
  const RequestRoute route = router.request({3, target}, closed);
  EXPECT_FALSE(route.result.reached());
  EXPECT_GE(route.result.expansions, 1000u);
  EXPECT_LT(route.result.expansions, 1100u);
  EXPECT_TRUE(router.request({3, target}, {}).result.optimal());
}

TEST(RequestSearches, TracesTellWhatIsSettled) {
  const testing::RequestCase& graph = sample();
  const auto times = std::make_shared<const TravelTimes>(TravelTimes::parse(
      "class,from,to,factor\n*,00:00,12:00,2\n", "t.csv", graph.graph, graph.metrics));
  const auto family = testing::family_of(graph, 2, 32);
  for (const bool guided : {false, true}) {
    RouterOptions options{.metrics = graph.metrics, .travel_times = times};
    if (guided) options.family = family;
    const Router router(graph.graph, options);
    for (const bool timed : {false, true}) {
      Preferences wish;
      if (timed) wish.depart = 3600;
      const SearchTrace trace = router.trace({1, 20}, wish);
      const RequestRoute route = router.request({1, 20}, wish);
      EXPECT_EQ(trace.route.result.cost, route.result.cost);
      EXPECT_EQ(trace.route.nodes, route.nodes);
      ASSERT_FALSE(trace.settled.empty());
      EXPECT_EQ(trace.settled[0].parent, kNoNode);
      if (!timed) continue;
      for (const Settled& step : trace.settled) EXPECT_EQ(step.side, Direction::kForward);
      EXPECT_EQ(trace.settled[0].node, 1u);
    }
    for (const double depart : {-1.0, 86400.0, std::nan("")}) {
      Preferences wish;
      wish.depart = depart;
      EXPECT_EQ(refusal(router, wish),
                "the time of departure must be within a day, from 00:00 to 23:59:59");
    }
  }
}

TEST(RequestSearches, KnotsOfUnknownMetricsAreNamed) {
  const testing::RequestCase& graph = sample();
  const auto one = testing::family_of(graph, 2, 32)->knots()[0].potentials;
  const auto family = std::make_shared<const PotentialFamily>(
      std::vector<std::string>{"time", "beauty"}, std::vector<Knot>{{{1, 0}, one}, {{0, 1}, one}});
  const Router router(graph.graph, {.family = family, .metrics = graph.metrics});
  EXPECT_EQ(refusal(router, {}),
            "the potentials are for the metric 'beauty', but the graph has time, length");
}

}  // namespace
}  // namespace lodestar::request_entrances_test
