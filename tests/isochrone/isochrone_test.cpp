// Isochrones against distances by Bellman-Ford, and hulls against a test of points in polygons.
#include "lodestar/isochrone.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lodestar/generate.h"
#include "lodestar/rng.h"
#include "oracle.h"
#include "road.h"

namespace lodestar::isochrone_test {
namespace {

using nlohmann::json;

GraphFile city(NodeId nodes, std::uint64_t seed) {
  return testing::road_file(nodes, 0, seed);
}

// Within the ring or less than `slack` away from it.
bool covers(const std::vector<Point>& ring, Point p, double slack) {
  bool inside = false;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
    const Point a = ring[i], b = ring[i + 1];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) {
      inside = !inside;
    }
    const double square = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
    const double along =
        square > 0
            ? std::clamp(((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / square, 0.0, 1.0)
            : 0;
    if (std::hypot(p.x - a.x - along * (b.x - a.x), p.y - a.y - along * (b.y - a.y)) <= slack) {
      return true;
    }
  }
  return inside;
}

double area_of(const std::vector<Point>& ring) {
  double area = 0;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
    area += ring[i].x * ring[i + 1].y - ring[i + 1].x * ring[i].y;
  }
  return area / 2;
}

TEST(Isochrone, NodesAndArcsAreThoseWithinTheLimit) {
  const GraphFile file = city(300, 3);
  const Graph& graph = file.graph;
  const Router router(graph);
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    testing::PlainGraph plain{"", graph.node_count(), {}};
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const Arc arc : graph.arcs(u)) {
        plain.arcs.push_back(direction == Direction::kForward
                                 ? testing::PlainArc{u, arc.head, arc.weight}
                                 : testing::PlainArc{arc.head, u, arc.weight});
      }
    }
    const std::vector<double> truth = testing::bellman_ford(plain, 7);
    std::vector<Cost> sorted = truth;
    std::sort(sorted.begin(), sorted.end());
    const Cost limit = sorted[100] + 0.25;
    const auto contours = isochrones(router, isochrone_start(7, direction), {&limit, 1});
    ASSERT_EQ(contours.size(), 1u);
    std::size_t within = 0, arcs = 0;
    for (const Cost cost : truth) within += cost <= limit;
    EXPECT_EQ(contours[0].nodes.size(), within);
    for (const ReachedNode& one : contours[0].nodes) EXPECT_EQ(one.cost, truth[one.node]);
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const Arc arc : graph.arcs(u)) {
        const NodeId near = direction == Direction::kForward ? u : arc.head;
        arcs += truth[near] < limit || (truth[near] == limit && arc.weight == 0);
      }
    }
    EXPECT_EQ(contours[0].legs.size(), arcs);
    for (const Leg& leg : contours[0].legs) {
      const bool forward = direction == Direction::kForward;
      const Arc arc = graph.arcs(leg.tail)[leg.arc - graph.arrays().first[0][leg.tail]];
      EXPECT_EQ(arc.head, leg.head);
      const double share =
          std::min(1.0, (limit - truth[forward ? leg.tail : leg.head]) / arc.weight);
      EXPECT_NEAR(leg.end - leg.begin, share, 1e-12);
      EXPECT_EQ(forward ? leg.begin : leg.end, forward ? 0 : 1);
    }
  }
}

TEST(Isochrone, BeginsBetweenTheEndsOfARoad) {
  // 0 -(8)- 1 -(4)- 2 on a line; the place is a quarter behind 0.
  const Graph graph =
      testing::PlainGraph{"", 3, {{0, 1, 8}, {1, 0, 8}, {1, 2, 4}, {2, 1, 4}}}.graph().with_points(
          CoordinateKind::kPlane, {{0, 0}, {8, 0}, {12, 0}});
  const Places places(graph);
  const Router router(graph);
  const auto start = isochrone_start(places, places.nearest({2, 1}));
  const auto contours = isochrones(router, start, std::array{1.0, 7.0});
  EXPECT_TRUE(contours[0].nodes.empty());
  const auto lines = lines_of(graph, {}, contours[0].legs);
  ASSERT_EQ(lines.size(), 2u);
  double low = 9, high = 0;
  for (const auto& line : lines) {
    for (const Point& p : line) low = std::min(low, p.x), high = std::max(high, p.x);
  }
  EXPECT_DOUBLE_EQ(low, 1);
  EXPECT_DOUBLE_EQ(high, 3);
  ASSERT_EQ(contours[1].nodes.size(), 2u);
  EXPECT_EQ(contours[1].nodes[0].node, 0u);
  EXPECT_DOUBLE_EQ(contours[1].nodes[0].cost, 2);
  EXPECT_DOUBLE_EQ(contours[1].nodes[1].cost, 6);
  high = 0;
  for (const auto& line : lines_of(graph, {}, contours[1].legs)) {
    for (const Point& p : line) high = std::max(high, p.x);
  }
  EXPECT_DOUBLE_EQ(high, 9);
}

TEST(Isochrone, EndsBetweenTheEndsOfARoad) {
  // The same towards the place: a quarter of the first road before it, three quarters behind.
  const Graph graph =
      testing::PlainGraph{"", 3, {{0, 1, 8}, {1, 0, 8}, {1, 2, 4}, {2, 1, 4}}}.graph().with_points(
          CoordinateKind::kPlane, {{0, 0}, {8, 0}, {12, 0}});
  const Places places(graph);
  const Place place = places.nearest({2, 1});
  const auto extent = [&](const Contour& contour) {
    double low = 99, high = -99;
    for (const auto& line : lines_of(graph, {}, contour.legs)) {
      for (const Point& p : line) low = std::min(low, p.x), high = std::max(high, p.x);
    }
    return std::pair(low, high);
  };
  const Router router(graph);
  const auto start = isochrone_start(places, place, Direction::kBackward);
  const auto contours = isochrones(router, start, std::array{1.0, 7.0});
  EXPECT_TRUE(contours[0].nodes.empty());
  EXPECT_EQ(extent(contours[0]), std::pair(1.0, 3.0));
  ASSERT_EQ(contours[1].nodes.size(), 2u);
  EXPECT_EQ(contours[1].nodes[0].node, 0u);
  EXPECT_DOUBLE_EQ(contours[1].nodes[0].cost, 2);
  EXPECT_DOUBLE_EQ(contours[1].nodes[1].cost, 6);
  EXPECT_EQ(extent(contours[1]), std::pair(0.0, 9.0));
  EXPECT_TRUE(isochrones(router, start, {}).empty());

  // Twice the weights, and one direction of the road closed: nothing comes from the left.
  const std::vector<Weight> weights = {kInfinity, 16, 8, 8};
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const auto closed = isochrone_start(places, place, direction, weights);
    ASSERT_EQ(closed.nodes.size(), 1u);
    EXPECT_EQ(closed.nodes[0], direction == Direction::kForward ? 0u : 1u);
    EXPECT_DOUBLE_EQ(closed.spent[0], direction == Direction::kForward ? 4 : 12);
  }
  // A place that is a node has no road.
  const auto at_node = isochrone_start(places, places.nearest({0, 0}));
  EXPECT_EQ(at_node.nodes.size(), 1u);
  EXPECT_TRUE(at_node.road.empty());
}

TEST(Isochrone, HullsOfDegreesCompareLengths) {
  if (!has_concave_hull()) GTEST_SKIP() << "no GEOS";
  // At 60° a degree of longitude is half as long: a square of lengths is twice as wide in degrees.
  // The inner point is the nearest to the lower side, so that a concave hull goes there.
  const Point corners[] = {{0, 60}, {4, 60}, {4, 62}, {0, 62}, {2, 60.6}};
  const auto convex = concave_hull(corners, CoordinateKind::kDegrees, 1);
  ASSERT_EQ(convex.size(), 5u);
  for (const Point& p : convex) {
    EXPECT_TRUE(std::any_of(std::begin(corners), std::end(corners),
                            [&](Point q) { return std::hypot(p.x - q.x, p.y - q.y) < 1e-9; }));
  }
  EXPECT_NEAR(area_of(convex), 8, 1e-9);
  EXPECT_THROW(concave_hull(corners, CoordinateKind::kDegrees, -0.1), Error);
  EXPECT_THROW(concave_hull(corners, CoordinateKind::kDegrees, 1.1), Error);
  EXPECT_THROW(concave_hull(std::array{Point{kInfinity, 0}}, CoordinateKind::kPlane), Error);
  const std::vector<Point> one_place(5000, Point{3, 4});
  EXPECT_TRUE(concave_hull(one_place, CoordinateKind::kPlane).empty());
}

// A hull goes to the inner point from a longest side, by length: at 61° a degree of longitude is
// half as long.
TEST(Isochrone, ConcaveHullsGoInFromTheLongestSide) {
  if (!has_concave_hull()) GTEST_SKIP() << "no GEOS";
  for (const double width : {3.0, 6.0}) {
    const Point inner{width / 2, 61};
    const Point points[] = {{0, 60}, {width, 60}, {width, 62}, {0, 62}, inner};
    std::vector<Point> ring = concave_hull(points, CoordinateKind::kDegrees, 0);
    ASSERT_EQ(ring.size(), 6u) << width;
    ring.pop_back();
    const auto at = static_cast<std::size_t>(
        std::find_if(ring.begin(), ring.end(),
                     [&](Point p) { return std::hypot(p.x - inner.x, p.y - inner.y) < 1e-9; }) -
        ring.begin());
    ASSERT_LT(at, 5u);
    const Point before = ring[(at + 4) % 5], after = ring[(at + 1) % 5];
    EXPECT_EQ(std::abs(before.y - after.y) < 1e-9, width > 4) << width;
  }
}

TEST(Isochrone, HullsHoldTheirPointsAndShrinkWithTheConcavity) {
  if (!has_concave_hull()) GTEST_SKIP() << "no GEOS";
  Rng rng(5);
  for (const std::size_t count : {3u, 10u, 300u, 6000u}) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = 100 * rng.uniform(), y = 100 * rng.uniform();
      if (std::hypot(x - 50, y - 80) > 30 || i < 3) points.push_back({x, y});  // with a bay
    }
    double before = 0;
    for (const double concavity : {0.05, 0.2, 1.0}) {
      const auto ring = concave_hull(points, CoordinateKind::kPlane, concavity);
      ASSERT_GE(ring.size(), 4u);
      EXPECT_EQ(ring.front(), ring.back());
      for (const Point& p : points) ASSERT_TRUE(covers(ring, p, 1e-9)) << p.x << " " << p.y;
      EXPECT_GE(area_of(ring), before);
      before = area_of(ring);
    }
  }
  EXPECT_TRUE(concave_hull({}, CoordinateKind::kPlane).empty());
  const Point line[] = {{0, 0}, {1, 1}, {2, 2}, {1, 1}};
  EXPECT_TRUE(concave_hull(line, CoordinateKind::kPlane).empty());
  EXPECT_THROW(concave_hull(std::array{Point{0, kInfinity}}, CoordinateKind::kPlane), Error);
}

TEST(Isochrone, GeojsonHasAFeatureForEachKind) {
  const GraphFile file = city(200, 9);
  const Router router(file.graph);
  const auto contours =
      isochrones(router, isochrone_start(5), std::array{router.distances(5).costs[150], 0.0});
  IsochroneOutput output{.polygons = has_concave_hull(), .arcs = true, .nodes = true};
  const json out = json::parse(isochrones_geojson(file, contours, output));
  EXPECT_EQ(out["type"], "FeatureCollection");
  ASSERT_EQ(out["features"].size(), output.polygons ? 6u : 4u);
  for (const json& feature : out["features"]) {
    const json& facts = feature["properties"];
    const Contour& contour = contours[facts["contour"] == 0];
    EXPECT_EQ(facts["unit"], "cost");
    if (facts["kind"] == "nodes") {
      EXPECT_EQ(feature["geometry"]["type"], "MultiPoint");
      EXPECT_EQ(feature["geometry"]["coordinates"].size(), contour.nodes.size());
      EXPECT_EQ(facts["nodes"].size(), contour.nodes.size());
      EXPECT_EQ(facts["costs"].back(), contour.nodes.back().cost);
    } else if (facts["kind"] == "polygon" && contour.limit > 0) {
      std::vector<Point> ring;
      for (const json& p : feature["geometry"]["coordinates"][0]) ring.push_back({p[0], p[1]});
      for (const ReachedNode& one : contour.nodes) {
        EXPECT_TRUE(covers(ring, file.graph.points()[one.node], 1e-6));
      }
    } else if (facts["kind"] == "polygon") {
      EXPECT_TRUE(feature["geometry"].is_null());  // one node
    }
  }
  GraphFile bare;
  bare.graph = testing::PlainGraph{"", 2, {{0, 1, 2}}}.graph();
  bare.names = NodeNames::numbered(0, 2);
  const auto flat = isochrones(Router(bare.graph), isochrone_start(0), std::array{2.0});
  EXPECT_THROW(isochrones_geojson(bare, flat, {}), Error);
  const json nodes =
      json::parse(isochrones_geojson(bare, flat, {.polygons = false, .nodes = true}));
  EXPECT_TRUE(nodes["features"][0]["geometry"].is_null());
  EXPECT_EQ(nodes["features"][0]["properties"]["costs"], json({0.0, 2.0}));
  EXPECT_THROW(isochrones(Router(bare.graph), isochrone_start(0), std::array{-1.0}), Error);
}

}  // namespace
}  // namespace lodestar::isochrone_test
