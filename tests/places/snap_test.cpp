// Which road a place is put on, by the options of the request.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lodestar/metrics.h"
#include "lodestar/places.h"
#include "lodestar/rng.h"

namespace lodestar::snap_test {
namespace {

// A cross of two roads that lead both ways: west–east at y = 0, south–north at x = 0, and a road of
// one direction from west to east at y = -10.
Graph cross() {
  GraphBuilder builder(7);
  builder.add_edge(0, 1, 20);
  builder.add_edge(2, 3, 20);
  builder.add_arc(4, 5, 20);
  builder.set_points(CoordinateKind::kPlane,
                     {{-10, 0}, {10, 0}, {0, -9}, {0, 9}, {-10, -10}, {10, -10}, {50, 50}});
  return builder.build();
}

std::vector<NodeId> heads(const Place& place) {
  std::vector<NodeId> out;
  for (const PlaceSide& side : place.exits()) out.push_back(side.head);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Snapping, Bearings) {
  const Places places(cross());
  const Point near_both = {2, 1};  // the west–east road is nearer
  struct Row {
    double value, range;
    std::vector<NodeId> heads;
  };
  const Row rows[] = {
      {90, 10, {1}}, {270, 10, {0}}, {0, 10, {3}},      {360, 10, {3}}, {180, 10, {2}},
      {80, 10, {1}}, {100, 10, {1}}, {90, 180, {0, 1}}, {45, 45, {1}},  {355, 5, {3}},
      {90, 0, {1}},  {179, 1, {2}},  {269.5, 0.5, {0}},
  };
  for (const Row& row : rows) {
    const Place place = places.nearest(near_both, {.bearing = Bearing{row.value, row.range}});
    EXPECT_EQ(heads(place), row.heads) << row.value << " ± " << row.range;
    EXPECT_TRUE(place.nodes.empty());
  }
  EXPECT_THROW(places.nearest(near_both, {.bearing = Bearing{45, 44}}), Error);
  // One direction only: the other one is on another road.
  EXPECT_EQ(heads(places.nearest({5, -10}, {.bearing = Bearing{90, 10}})), std::vector<NodeId>{5});
  EXPECT_EQ(heads(places.nearest({5, -10}, {.bearing = Bearing{270, 10}})), std::vector<NodeId>{0});
  // On a junction a bearing chooses a road, and the place is not the junction.
  EXPECT_EQ(places.nearest({10, 0}).nodes, std::vector<NodeId>{1});
  EXPECT_TRUE(places.nearest({10, 0}, {.bearing = Bearing{90, 10}}).nodes.empty());
}

TEST(Snapping, ClosedRoads) {
  const Graph graph = cross();
  const Places places(graph);
  const auto first = graph.arrays().first[0];
  const auto only = [&](NodeId tail) {
    return SnapOptions{
        .open = [&, tail](ArcIndex arc) { return arc >= first[tail] && arc < first[tail + 1]; }};
  };
  EXPECT_EQ(heads(places.nearest({2, 1}, only(2))), (std::vector<NodeId>{2, 3}));
  EXPECT_EQ(heads(places.nearest({2, 1}, only(4))), std::vector<NodeId>{5});
  EXPECT_EQ(places.nearest({2, 1}, only(4)).distance, 11);
  EXPECT_THROW(places.nearest({2, 1}, only(6)), Error);
  // Within a limit, roads beyond it do not count.
  SnapOptions options = only(4);
  options.limit = 11;
  EXPECT_EQ(heads(places.nearest({2, 1}, options)), std::vector<NodeId>{5});
  options.limit = 10.9;
  EXPECT_THROW(places.nearest({2, 1}, options), Error);
  EXPECT_EQ(places.nearest({2, 1}, 1.0).distance, 1);
  EXPECT_THROW(places.nearest({2, 1}, 0.999), Error);
}

// Vehicles keep right: a point north of the road has its kerb on the side of those who go west.
TEST(Snapping, Kerbs) {
  const Places places(cross());
  EXPECT_EQ(heads(places.nearest({5, 1})), (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(heads(places.nearest({5, 1}, {.curb = true})), std::vector<NodeId>{0});
  EXPECT_EQ(heads(places.nearest({5, -1}, {.curb = true})), std::vector<NodeId>{1});
  EXPECT_EQ(heads(places.nearest({5, 1}, {.opposite = true})), std::vector<NodeId>{1});
  EXPECT_EQ(heads(places.nearest({5, -1}, {.opposite = true})), std::vector<NodeId>{0});
  EXPECT_EQ(heads(places.nearest({1, 5}, {.curb = true})), std::vector<NodeId>{3});
  // On the line, on a junction, or on a road of one direction there is nothing to choose.
  EXPECT_EQ(heads(places.nearest({5, 0}, {.curb = true})).size(), 2u);
  EXPECT_EQ(places.nearest({10, 0}, {.curb = true}).exits().size(), 2u);
  EXPECT_EQ(heads(places.nearest({5, -11}, {.opposite = true})), std::vector<NodeId>{5});
  // With a bearing the direction is chosen already.
  EXPECT_EQ(heads(places.nearest({5, 1}, {.bearing = Bearing{90, 10}, .opposite = true})),
            std::vector<NodeId>{1});
  EXPECT_EQ(heads(places.nearest({5, 1}, {.bearing = Bearing{90, 10}, .curb = true})),
            std::vector<NodeId>{1});
}

TEST(Snapping, SharesAndDistances) {
  const Places places(cross());
  for (double x = -9.5; x <= 9.5; x += 0.5) {
    if (std::abs(x) < 1.5) continue;
    const Place place = places.nearest({x, 0.5});
    ASSERT_EQ(place.sides, 2) << x;
    EXPECT_EQ(place.distance, 0.5);
    EXPECT_EQ(place.at, (Point{x, 0}));
    EXPECT_EQ(place.asked, (Point{x, 0.5}));
    for (const PlaceSide& side : place.exits()) {
      EXPECT_NEAR(side.share, side.head == 1 ? (x + 10) / 20 : (10 - x) / 20, 1e-12);
      EXPECT_EQ(side.paid, side.share);
      EXPECT_EQ(side.weight, 20);
    }
    EXPECT_EQ(place.entries().size(), 2u);
  }
  // Beyond the end of a road its end is nearest.
  const Place end = places.nearest({13, 4});
  EXPECT_EQ(end.distance, 5);
  EXPECT_EQ(end.nodes, std::vector<NodeId>{1});
  EXPECT_GT(places.bytes(), 100u);
  EXPECT_EQ(places.graph().node_count(), 7u);
  EXPECT_TRUE(places.shape().empty());
}

TEST(Snapping, WhatIsNoPlace) {
  GraphBuilder grid(2);
  grid.add_edge(0, 1, 1);
  EXPECT_THROW(Places(grid.build()), Error);
  GraphBuilder degrees(2);
  degrees.add_edge(0, 1, 1);
  degrees.set_points(CoordinateKind::kDegrees, {{0, 0}, {0.001, 0}});
  const Places places(degrees.build());
  EXPECT_EQ(places.default_limit(), 1000);
  EXPECT_THROW(places.nearest({0, 0.0091}), Error);  // 1012 m
  EXPECT_NEAR(places.nearest({0, 0.0089}).distance, 989.6, 0.1);
  const auto [from, to] = places.nearest({0, 0.0001}, {0.001, 0.0001}, 20);
  EXPECT_EQ(from.nodes, std::vector<NodeId>{0});
  EXPECT_EQ(to.nodes, std::vector<NodeId>{1});
  EXPECT_THROW(places.nearest({0, 0.001}, {0.001, 0}, 20), Error);
  EXPECT_THROW(places.nearest({0, 0}, {0.001, 0.001}, 20), Error);
}

// A loop without length, and a road whose nodes are one point.
TEST(Snapping, RoadsWithoutLength) {
  GraphBuilder builder(3);
  builder.add_arc(0, 0, 5);
  builder.add_edge(1, 2, 7);
  builder.set_points(CoordinateKind::kPlane, {{0, 0}, {3, 0}, {3, 0}});
  const Places places(builder.build());
  const Place loop = places.nearest({-1, 0});
  EXPECT_EQ(loop.nodes, std::vector<NodeId>{0});
  EXPECT_EQ(loop.sides, 1);
  const Place point = places.nearest({4, 0});
  EXPECT_EQ(point.nodes.size(), 1u);
  EXPECT_EQ(point.distance, 1);
}

// Equally near roads: the first one, however the points lie.
TEST(Snapping, TiesGoToTheFirstRoad) {
  GraphBuilder builder(40);
  std::vector<Point> points;
  for (NodeId v = 0; v < 40; v += 2) {
    builder.add_arc(v, v + 1, 1);
    const double y = v / 2 % 2 == 0 ? 1 : -1;  // two lines, ten roads on each
    points.push_back({0, y});
    points.push_back({8, y});
  }
  builder.set_points(CoordinateKind::kPlane, points);
  const Places places(builder.build());
  EXPECT_EQ(places.nearest({4, 0}).side[0].tail, 0u);
  EXPECT_EQ(places.nearest({4, 2}).side[0].tail, 0u);
  EXPECT_EQ(places.nearest({4, -2}).side[0].tail, 2u);
}

// Roads of the class no_stop are driven through; where there are no others, they are places.
TEST(Snapping, RoadsWhereNobodyStops) {
  const auto places_with = [](std::initializer_list<bool> no_stop) {
    GraphBuilder builder(4);
    builder.add_arc(0, 1, 1);
    builder.add_arc(2, 3, 1);
    builder.set_points(CoordinateKind::kPlane, {{0, 0}, {8, 0}, {0, 3}, {8, 3}});
    const Graph graph = builder.build();
    MetricsBuilder metrics({"time", "s", 1});
    const std::string_view name[] = {"no_stop"};
    for (const bool each : no_stop) metrics.add_arc(std::span(name, each ? 1 : 0));
    return Places(graph, {}, std::move(metrics).build(graph));
  };
  const auto tail = [](const Places& places, Point point, bool any) {
    return places.nearest(point, {.any = any}).side[0].tail;
  };
  const Places first = places_with({true, false});
  EXPECT_EQ(tail(first, {4, 1}, false), 2u);
  EXPECT_EQ(tail(first, {4, 1}, true), 0u);
  EXPECT_EQ(tail(first, {0, 0}, false), 2u) << "its end is none either";
  EXPECT_THROW(first.nearest({4, 0}, {.limit = 2}), Error);
  EXPECT_EQ(tail(places_with({false, true}), {4, 2}, false), 0u);
  EXPECT_EQ(tail(places_with({false, false}), {4, 1}, false), 0u);
  EXPECT_EQ(tail(places_with({true, true}), {4, 1}, false), 0u);
}

}  // namespace
}  // namespace lodestar::snap_test
