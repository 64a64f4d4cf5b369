// Asking by place: the nearest arc against a scan of all of them, routes against a graph in which
// both places are nodes.
#include "lodestar/places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "lodestar/rng.h"
#include "oracle.h"

namespace lodestar::places_test {
namespace {

NodeAnswer dijkstra(const Graph& graph, Query query) {
  Searcher searcher(graph);
  const SearchResult found = searcher.run(query, Zero{});
  return {found, searcher.path()};
}

// A random graph whose arcs have shapes: a segment for each pair of twins.
struct Roads {
  Graph graph;
  Shape shape;
};

struct DrawnArc {
  NodeId tail, head;
  std::uint32_t weight, segment;
};

Roads random_roads(std::uint64_t seed, NodeId nodes, int edges, double degrees) {
  Rng rng(seed);
  const auto draw = [&](double width) { return rng.below(1'000'000) / 1e6 * width; };
  std::vector<Point> points(nodes);
  for (Point& p : points) p = {10 + draw(degrees), 50 + draw(degrees)};
  ShapeBuilder shape;
  std::vector<DrawnArc> arcs;
  for (int e = 0; e < edges; ++e) {
    const NodeId u = rng.below(nodes), v = rng.below(nodes);
    const auto s = static_cast<std::uint32_t>(shape.segment_length.size());
    const std::uint32_t bends = rng.below(20);
    for (std::uint32_t b = 0; b < bends; ++b) {
      const double share = (b + 1.0) / (bends + 1);
      const Point on = {points[u].x + share * (points[v].x - points[u].x) + draw(degrees / 50),
                        points[u].y + share * (points[v].y - points[u].y) + draw(degrees / 50)};
      shape.points.push_back({static_cast<std::int32_t>(std::lround(on.x * 1e7)),
                              static_cast<std::int32_t>(std::lround(on.y * 1e7))});
    }
    shape.first_point.push_back(shape.points.size());
    shape.segment_length.push_back(1 + rng.below(1000));
    shape.segment_street.push_back(0);
    shape.segment_way.push_back(e);
    const int kind = static_cast<int>(rng.below(4));
    if (kind != 0) arcs.push_back({u, v, 1 + rng.below(500), 2 * s});
    if (kind != 1) arcs.push_back({v, u, 1 + rng.below(500), 2 * s + 1});
  }
  std::sort(arcs.begin(), arcs.end(), [](const DrawnArc& a, const DrawnArc& b) {
    return std::tie(a.tail, a.head, a.weight, a.segment) <
           std::tie(b.tail, b.head, b.weight, b.segment);
  });
  GraphBuilder builder(nodes);
  for (const DrawnArc& arc : arcs) {
    builder.add_arc(arc.tail, arc.head, arc.weight);
    shape.arc_segment.push_back(arc.segment);
    shape.arc_duration.push_back(arc.weight);
  }
  builder.set_points(CoordinateKind::kDegrees, points);
  shape.letters = "Lane";
  shape.first_letter.push_back(4);
  shape.node_id.assign(nodes, 7);
  return {builder.build(), std::move(shape).build()};
}

// All points of an arc's line.
std::vector<Point> line_of(const Roads& roads, NodeId tail, ArcIndex arc, NodeId head) {
  std::vector<Point> line = {roads.graph.points()[tail]};
  if (!roads.shape.empty()) {
    const auto between = roads.shape.between(roads.shape.segment(arc));
    for (const FixedPoint& p : between) line.push_back(p.degrees());
    if (roads.shape.against(arc)) std::reverse(line.begin() + 1, line.end());
  }
  line.push_back(roads.graph.points()[head]);
  return line;
}

// The distance to a line, on the sphere by narrowing down each piece: slow and plain.
double distance_to_line(CoordinateKind kind, const std::vector<Point>& line, Point q) {
  double best = kInfinity;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const Point a = line[i], b = line[i + 1];
    const double ends = std::min(distance_between(kind, a, q), distance_between(kind, b, q));
    if (ends - distance_between(kind, a, b) > best) continue;
    const auto at = [&](double t) {
      return distance_between(kind, {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}, q);
    };
    // The distance has one valley: of ten parts it lies in one or its neighbour.
    double low = 0, width = 1;
    for (int step = 0; step < 14; ++step) {
      int least = 0;
      double found = kInfinity;
      for (int part = 0; part <= 10; ++part) {
        const double here = at(low + part * width / 10);
        if (here < found) least = part;
        found = std::min(found, here);
      }
      best = std::min(best, found);
      const double middle = low + least * width / 10;
      low = std::max(0.0, middle - width / 10);
      width = std::min(1.0, middle + width / 10) - low;
    }
  }
  return best;
}

void check_nearest(const Roads& roads, Point q, const Places& places) {
  double best = kInfinity;
  const auto first = roads.graph.arrays().first[0];
  for (NodeId u = 0; u < roads.graph.node_count(); ++u) {
    for (ArcIndex a = first[u]; a < first[u + 1]; ++a) {
      const NodeId v = roads.graph.arcs(u)[a - first[u]].head;
      best = std::min(best,
                      distance_to_line(roads.graph.coordinate_kind(), line_of(roads, u, a, v), q));
    }
  }
  const Place place = places.nearest(q, kInfinity);
  // Measured in the plane that touches the earth at q: the farther, the less exact.
  const double tolerance =
      1e-6 +
      (roads.graph.coordinate_kind() == CoordinateKind::kDegrees ? best * best / 2e6 + 1e-3 : 0);
  // The last ten centimetres of a road belong to the junction.
  const double shift = place.nodes.empty() ? 0 : 0.1;
  EXPECT_GE(place.distance, best - tolerance);
  EXPECT_LE(place.distance, best + shift + tolerance);
  EXPECT_NEAR(distance_between(roads.graph.coordinate_kind(), q, place.at), place.distance,
              tolerance);
  ASSERT_GE(place.sides, 1);
  for (int s = 0; s < place.sides; ++s) {
    const PlaceSide& side = place.side[static_cast<std::size_t>(s)];
    ASSERT_GE(side.arc, first[side.tail]);
    ASSERT_LT(side.arc, first[side.tail + 1]);
    EXPECT_EQ(roads.graph.arcs(side.tail)[side.arc - first[side.tail]].head, side.head);
    EXPECT_EQ(roads.graph.arcs(side.tail)[side.arc - first[side.tail]].weight, side.weight);
    EXPECT_GE(side.share, 0);
    EXPECT_LE(side.share, 1);
  }
}

TEST(Places, TheNearestArcIsTheOneAScanFinds) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Roads roads = random_roads(seed, 40, 5 + static_cast<int>(seed) * 12, 0.02);
    const Places places(roads.graph, roads.shape);
    Rng rng(seed + 100);
    for (int i = 0; i < 20; ++i) {
      check_nearest(roads, {10 + rng.below(1000) / 5e4, 50 + rng.below(1000) / 5e4}, places);
    }
  }
}

TEST(Places, WorksInThePlaneAndWithoutShapes) {
  Rng rng(5);
  GraphBuilder builder(60);
  std::vector<Point> points(60);
  for (Point& p : points) p = {rng.below(1000) - 500.0, rng.below(1000) * 3.0};
  for (int i = 0; i < 150; ++i) builder.add_arc(rng.below(60), rng.below(60), rng.below(9));
  builder.set_points(CoordinateKind::kPlane, points);
  const Roads roads{builder.build(), {}};
  const Places places(roads.graph);
  EXPECT_EQ(places.default_limit(), kInfinity);
  for (int i = 0; i < 100; ++i) {
    check_nearest(roads, {rng.below(2000) - 1000.0, rng.below(4000) - 500.0}, places);
  }
}

TEST(Places, ATwoWayRoadWithoutShapeHasTwoSides) {
  GraphBuilder builder(3);
  builder.add_arc(0, 1, 10);
  builder.add_arc(0, 1, 7);  // of parallel arcs the cheapest counts
  builder.add_arc(1, 0, 9);
  builder.add_arc(1, 2, 5);
  builder.set_points(CoordinateKind::kPlane, {{0, 0}, {8, 0}, {8, 8}});
  const Places places(builder.build());
  const Place both = places.nearest({2, 1});
  ASSERT_EQ(both.sides, 2);
  for (const PlaceSide& side : both.side) {
    const bool there = side.tail == 0;
    EXPECT_EQ(side.head, there ? 1u : 0u);
    EXPECT_EQ(side.weight, there ? 7 : 9);
    EXPECT_EQ(side.share, there ? 0.25 : 0.75);
  }
  EXPECT_NE(both.side[0].tail, both.side[1].tail);
  const Place single = places.nearest({9, 4});
  ASSERT_EQ(single.sides, 1);
  EXPECT_EQ(single.side[0].tail, 1u);
  EXPECT_EQ(single.side[0].share, 0.5);
}

TEST(Places, AcrossTheDateLine) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 10);
  builder.set_points(CoordinateKind::kDegrees, {{179.999, 0}, {179.999, 0.01}});
  const Places places(builder.build());
  const Place place = places.nearest({-179.999, 0.005});
  EXPECT_NEAR(place.distance, 0.002 * 111195, 0.5);
}

TEST(Places, TooFarIsAnErrorWithTheDistance) {
  const Roads roads = random_roads(1, 20, 20, 0.01);
  const Places places(roads.graph, roads.shape);
  try {
    places.nearest({11, 50});
    FAIL();
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("no road near 11,50: the nearest is 7"), std::string::npos) << what;
    EXPECT_NE(what.find(" m away, the limit is 1000 m"), std::string::npos) << what;
  }
  EXPECT_THROW(Places{Graph()}, Error);  // no coordinates
  GraphBuilder lonely(1);
  lonely.set_points(CoordinateKind::kPlane, {{0, 0}});
  EXPECT_THROW(Places(lonely.build()).nearest({0, 0}), Error);
}

// The node at a point, kNoNode if there is none.
NodeId node_at(const Graph& graph, Point point) {
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    if (graph.points()[v] == point) return v;
  }
  return kNoNode;
}

// The oracle: both places become nodes of the graph, and Bellman-Ford finds the way. A place that
// has the coordinates of a node is joined to that node at no cost.
Cost cost_with_nodes(const Graph& graph, const Place& from, const Place& to) {
  const NodeId n = graph.node_count();
  testing::PlainGraph plain{"with places", n + 2, {}};
  for (NodeId u = 0; u < n; ++u) {
    for (const Arc arc : graph.arcs(u)) plain.arcs.push_back({u, arc.head, arc.weight});
  }
  const NodeId start = node_at(graph, from.at), end = node_at(graph, to.at);
  if (start != kNoNode) plain.arcs.push_back({n, start, 0});
  if (end != kNoNode) plain.arcs.push_back({end, n + 1, 0});
  for (int i = 0; i < from.sides; ++i) {
    const PlaceSide& a = from.side[static_cast<std::size_t>(i)];
    plain.arcs.push_back({n, a.head, (1 - a.share) * a.weight});
    for (int j = 0; j < to.sides; ++j) {
      const PlaceSide& b = to.side[static_cast<std::size_t>(j)];
      if (a.arc == b.arc && a.share <= b.share) {
        plain.arcs.push_back({n, n + 1, (b.share - a.share) * a.weight});
      }
    }
  }
  for (int j = 0; j < to.sides; ++j) {
    const PlaceSide& b = to.side[static_cast<std::size_t>(j)];
    plain.arcs.push_back({b.tail, n + 1, b.share * b.weight});
  }
  return testing::bellman_ford(plain, n)[n + 1];
}

TEST(Places, RoutesCostWhatTheyCostBetweenNodes) {
  int reached = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Roads roads = random_roads(seed + 50, 30, 60, 0.02);
    const Places places(roads.graph, roads.shape);
    Rng rng(seed);
    for (int i = 0; i < 40; ++i) {
      const auto place = [&] {
        if (rng.below(3) == 0) {  // on a junction
          const Point node = roads.graph.points()[rng.below(roads.graph.node_count())];
          return places.nearest(node, kInfinity);
        }
        return places.nearest({10 + rng.below(1000) / 5e4, 50 + rng.below(1000) / 5e4}, kInfinity);
      };
      const Place from = place(), to = i % 8 == 0 ? from : place();
      const PlaceRoute route = route_between(
          places, from, to, [&](Query query) { return dijkstra(roads.graph, query); });
      const Cost expected = cost_with_nodes(roads.graph, from, to);
      if (expected == kInfinity) {
        EXPECT_FALSE(route.found.reached());
        continue;
      }
      ++reached;
      EXPECT_NEAR(route.found.cost, expected, 1e-9 * (1 + expected));
      EXPECT_TRUE(route.found.optimal());
      // The legs join, add up to the cost, and the line begins and ends at the places.
      Cost sum = 0;
      double duration = 0;
      for (std::size_t l = 0; l < route.legs.size(); ++l) {
        const Leg& leg = route.legs[l];
        const auto first = roads.graph.arrays().first[0];
        sum += (leg.end - leg.begin) * roads.graph.arcs(leg.tail)[leg.arc - first[leg.tail]].weight;
        duration += (leg.end - leg.begin) * roads.shape.arc_duration[leg.arc] / 10.0;
        if (l > 0) {
          EXPECT_EQ(route.legs[l - 1].head, leg.tail);
        }
      }
      EXPECT_NEAR(sum, route.found.cost, 1e-9 * (1 + sum));
      const Itinerary trip = itinerary(roads.graph, roads.shape, route.legs);
      EXPECT_NEAR(*trip.duration, duration, 1e-9 * (1 + duration));
      ASSERT_FALSE(trip.line.empty());
      const auto apart = [](Point a, Point b) {
        return distance_between(CoordinateKind::kDegrees, a, b);
      };
      EXPECT_LT(apart(trip.line.front(), from.at), 0.1);
      EXPECT_LT(apart(trip.line.back(), to.at), 0.1);
    }
  }
  EXPECT_GT(reached, 100);
}

// One-way 0 → 3 → 2 ends at 2, where the two-way streets 1 – 2 and 0 – 2 meet.
Graph streets_at_a_junction() {
  GraphBuilder builder(4);
  builder.add_arc(0, 3, 50);
  builder.add_arc(3, 2, 50);
  builder.add_edge(0, 2, 20);
  builder.add_edge(1, 2, 10);
  builder.set_points(CoordinateKind::kDegrees, {{0, 0}, {0.002, 0}, {0.001, 0}, {0.0005, 0.001}});
  return builder.build();
}

TEST(Places, APlaceOnAJunctionIsReachedAndLeftByEveryArc) {
  const Graph graph = streets_at_a_junction();
  const Places places(graph);
  const auto cost = [&](Point a, Point b) {
    const PlaceRoute route = route_between(places, places.nearest(a), places.nearest(b),
                                           [&](Query query) { return dijkstra(graph, query); });
    EXPECT_TRUE(route.found.optimal());
    return route.found.cost;
  };
  const Point junction = graph.points()[2];
  EXPECT_NEAR(cost({0.0015, 0}, junction), 5, 1e-6);
  EXPECT_NEAR(cost(junction, {0.0015, 0}), 5, 1e-6);
  EXPECT_NEAR(cost(junction, {0.0005, 0}), 10, 1e-6);
  EXPECT_NEAR(cost(junction, {0.00075, 0.0005}), 20 + 50 + 25, 1e-6);  // half of 3 → 2
  // The one-way arcs' beginning and end, and what lies between them.
  EXPECT_EQ(cost(graph.points()[3], junction), 50);
  EXPECT_EQ(cost(junction, graph.points()[3]), 70);
  EXPECT_EQ(cost(graph.points()[3], graph.points()[1]), 60);
  // Six decimals are ten centimetres: still the junction, on whichever of its roads.
  for (const Point near :
       {Point{0.0009996, 0.0000004}, Point{0.0010004, -0.0000004}, Point{0.0009998, 0.0000007}}) {
    const Place place = places.nearest(near);
    EXPECT_EQ(place.nodes, std::vector<NodeId>{2}) << place.at.x;
    EXPECT_EQ(place.at, junction);
    EXPECT_LT(place.distance, 0.1);
    EXPECT_NEAR(cost({0.0015, 0}, near), 5, 1e-6);
  }
  // A metre beside it is a road.
  EXPECT_TRUE(places.nearest({0.00101, 0}).nodes.empty());
}

TEST(Places, AJunctionGoesBeforeARoadThatPassesOverIt) {
  // The bridge 0 – 1 passes over the junction 2 of the streets 2 – 3 and 4 → 2.
  for (const double unit : {1.0, 0.001}) {
    GraphBuilder builder(5);
    builder.add_edge(0, 1, 10);
    builder.add_edge(2, 3, 6);
    builder.add_arc(4, 2, 6);
    std::vector<Point> points = {{-2, 0}, {2, 0}, {0, 0}, {0, 3}, {0, -3}};
    for (Point& p : points) p = {p.x * unit, p.y * unit};
    builder.set_points(unit == 1 ? CoordinateKind::kPlane : CoordinateKind::kDegrees, points);
    const Places places(builder.build());
    EXPECT_EQ(places.nearest({0, 0}).nodes, std::vector<NodeId>{2});
    EXPECT_TRUE(places.nearest({0.5 * unit, 0}).nodes.empty());
    // Five centimetres beside it the bridge is nearer, and yet the junction is meant.
    if (unit < 1) {
      EXPECT_EQ(places.nearest({4e-7, 1e-7}).nodes, std::vector<NodeId>{2});
    }
  }
}

TEST(Places, NodesOfThePlaneAreTheirOwnPlaces) {
  Rng rng(11);
  constexpr NodeId kNodes = 40;
  GraphBuilder builder(kNodes);
  testing::PlainGraph plain{"plane", kNodes, {}};
  std::vector<Point> points(kNodes);
  // Coordinates that no float holds exactly, many of them on common lines.
  for (NodeId v = 0; v < kNodes; ++v) points[v] = {1e6 + v % 8 * 0.1, -7e5 + v / 8 * 0.3};
  std::vector<bool> joined(kNodes);
  for (int i = 0; i < 90; ++i) {
    const NodeId u = rng.below(kNodes), v = rng.below(kNodes);
    if (u == v) continue;
    const double weight = 1 + rng.below(50);
    builder.add_arc(u, v, weight);
    plain.arcs.push_back({u, v, weight});
    joined[u] = joined[v] = true;
  }
  builder.set_points(CoordinateKind::kPlane, points);
  const Graph graph = builder.build();
  const Places places(graph);
  for (NodeId u = 0; u < kNodes; ++u) {
    if (!joined[u]) continue;
    ASSERT_EQ(places.nearest(points[u]).nodes, std::vector<NodeId>{u});
    const std::vector<double> expected = testing::bellman_ford(plain, u);
    for (NodeId v = 0; v < kNodes; ++v) {
      if (!joined[v]) continue;
      const PlaceRoute route =
          route_between(places, places.nearest(points[u]), places.nearest(points[v]),
                        [&](Query query) { return dijkstra(graph, query); });
      EXPECT_EQ(route.found.cost, expected[v]) << u << " " << v;
    }
  }
}

TEST(Places, FromAJunctionToItselfIsARouteOfNoLength) {
  const Graph graph = streets_at_a_junction();
  const Places places(graph);
  const Place place = places.nearest(graph.points()[2]);
  const PlaceRoute route =
      route_between(places, place, place, [&](Query query) { return dijkstra(graph, query); });
  EXPECT_EQ(route.found.cost, 0);
  EXPECT_TRUE(route.found.optimal());
  const Itinerary trip = itinerary(graph, {}, route.legs);
  ASSERT_EQ(trip.line.size(), 1u);
  EXPECT_EQ(trip.line[0], graph.points()[2]);
  EXPECT_EQ(trip.length, 0);
}

TEST(Places, ParsesWhatPeopleWrite) {
  EXPECT_EQ(parse_place("9.52,47.14", CoordinateKind::kDegrees), (Point{9.52, 47.14}));
  EXPECT_EQ(parse_place(" -9.5 , +4 ", CoordinateKind::kDegrees), (Point{-9.5, 4}));
  EXPECT_EQ(parse_place("500,-900", CoordinateKind::kPlane), (Point{500, -900}));
  EXPECT_EQ(parse_place("180,-90", CoordinateKind::kDegrees), (Point{180, -90}));
  EXPECT_EQ(parse_place("-180,90", CoordinateKind::kDegrees), (Point{-180, 90}));
  for (const char* wrong : {"", ",", "1", "1,", ",1", "1,2,3", "a,b", "1,91", "181,0", "-181,0",
                            "0,-90.1", "nan,0", "inf,1", "1,1e999", "1 2", "47.14;9.52", "0x1,2"}) {
    EXPECT_THROW(parse_place(wrong, CoordinateKind::kDegrees), Error) << wrong;
  }
  EXPECT_TRUE(looks_like_place("9.52,47.14"));
  for (const char* other : {"4711", "", ",", "1,", ",1"}) EXPECT_FALSE(looks_like_place(other));
  EXPECT_FALSE(looks_like_place("berlin,mitte"));
}

}  // namespace
}  // namespace lodestar::places_test
