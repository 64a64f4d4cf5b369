// Asking by place: the nearest arc against a scan of all of them, routes against a graph in which
// both places are nodes, lines and texts against hand-made ones.
#include "lodestar/places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "lodestar/rng.h"
#include "oracle.h"

namespace lodestar {
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
  EXPECT_NEAR(place.distance, best, tolerance);
  EXPECT_NEAR(distance_between(roads.graph.coordinate_kind(), q, place.at), best, tolerance);
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

// The oracle: both places become nodes of the graph, and Bellman-Ford finds the way.
Cost cost_with_nodes(const Graph& graph, const Place& from, const Place& to) {
  const NodeId n = graph.node_count();
  testing::PlainGraph plain{"with places", n + 2, {}};
  for (NodeId u = 0; u < n; ++u) {
    for (const Arc arc : graph.arcs(u)) plain.arcs.push_back({u, arc.head, arc.weight});
  }
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
      EXPECT_TRUE(route.found.proven_optimal());
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

TEST(Places, ParsesWhatPeopleWrite) {
  EXPECT_EQ(parse_place("9.52,47.14", CoordinateKind::kDegrees), (Point{9.52, 47.14}));
  EXPECT_EQ(parse_place(" -9.5 , +4 ", CoordinateKind::kDegrees), (Point{-9.5, 4}));
  EXPECT_EQ(parse_place("500,-900", CoordinateKind::kPlane), (Point{500, -900}));
  for (const char* wrong : {"", ",", "1", "1,", ",1", "1,2,3", "a,b", "1,91", "181,0", "nan,0",
                            "inf,1", "1 2", "47.14;9.52", "0x1,2"}) {
    EXPECT_THROW(parse_place(wrong, CoordinateKind::kDegrees), Error) << wrong;
  }
  EXPECT_TRUE(looks_like_place("9.52,47.14"));
  EXPECT_FALSE(looks_like_place("4711"));
  EXPECT_FALSE(looks_like_place("berlin,mitte"));
}

TEST(Itinerary, CutsLinesByTheirLength) {
  // A bent arc 0 → 1 of two equal pieces, 222 m together.
  ShapeBuilder shape;
  shape.points = {{0, 10'000}};
  shape.first_point = {0, 1};
  shape.segment_length = {2224};
  shape.segment_street = {0};
  shape.segment_way = {1};
  shape.letters = "Bow Street";
  shape.first_letter = {0, 10};
  shape.arc_segment = {0, 1};
  shape.arc_duration = {100, 300};
  shape.node_id = {1, 2};
  GraphBuilder builder(2);
  builder.add_arc(0, 1, 100);
  builder.add_arc(1, 0, 300);
  builder.set_points(CoordinateKind::kDegrees, {{0, 0}, {0.001, 0.001}});
  const Graph graph = builder.build();
  const Shape built = std::move(shape).build();
  const std::vector<Leg> legs = {{0, 1, 0, 0.25, 0.75}};
  const Itinerary trip = itinerary(graph, built, legs);
  ASSERT_EQ(trip.line.size(), 3u);
  EXPECT_NEAR(trip.line[0].y, 0.0005, 1e-9);
  EXPECT_EQ(trip.line[1], (Point{0, 0.001}));
  EXPECT_NEAR(trip.line[2].x, 0.0005, 1e-9);
  EXPECT_NEAR(trip.length, 111.2, 0.01);
  EXPECT_NEAR(*trip.duration, 5, 1e-9);
  ASSERT_EQ(trip.streets.size(), 1u);
  EXPECT_EQ(trip.streets[0].name, "Bow Street");
  // Backward the line is turned round.
  const std::vector<Leg> back = {{1, 0, 1, 0, 0.25}};
  const Itinerary other = itinerary(graph, built, back);
  ASSERT_EQ(other.line.size(), 2u);
  EXPECT_EQ(other.line[0], (Point{0.001, 0.001}));
  EXPECT_NEAR(other.line[1].x, 0.0005, 1e-9);
  EXPECT_NEAR(*other.duration, 7.5, 1e-9);
}

TEST(Itinerary, GeoJsonAndGpx) {
  Itinerary trip;
  trip.kind = CoordinateKind::kDegrees;
  trip.cost = trip.lower_bound = 12;
  trip.line = {{9.5, 47.123456789}, {9.6, 47.2}};
  trip.length = 12345.67;
  trip.duration = 60;
  trip.streets = {{"A & B <\"1\">", 100}, {"", 20}, {"bad \xff", 1}};
  const auto json = nlohmann::json::parse(to_geojson({&trip, 1}));
  EXPECT_EQ(json["type"], "FeatureCollection");
  const auto& feature = json["features"][0];
  EXPECT_EQ(feature["type"], "Feature");
  EXPECT_EQ(feature["geometry"]["type"], "LineString");
  EXPECT_EQ(feature["geometry"]["coordinates"],
            nlohmann::json::parse("[[9.5,47.1234568],[9.6,47.2]]"));
  EXPECT_EQ(feature["properties"]["length"], 12345.7);
  EXPECT_EQ(feature["properties"]["optimal"], true);
  EXPECT_EQ(feature["properties"]["streets"][0]["name"], "A & B <\"1\">");
  const std::string gpx = to_gpx({&trip, 1});
  EXPECT_NE(gpx.find("<desc>A &amp; B &lt;&quot;1&quot;&gt;"), std::string::npos) << gpx;
  EXPECT_NE(gpx.find("<trkpt lat=\"47.1234568\" lon=\"9.5\"/>"), std::string::npos) << gpx;
  // A route that stays where it is has a line all the same.
  trip.line.resize(1);
  EXPECT_EQ(nlohmann::json::parse(to_geojson({&trip, 1}))["features"][0]["geometry"]["coordinates"]
                .size(),
            2u);
  trip.kind = CoordinateKind::kPlane;
  EXPECT_THROW(to_geojson({&trip, 1}), Error);
  EXPECT_THROW(to_gpx({&trip, 1}), Error);
}

TEST(Itinerary, Polylines) {
  // The example of the format's description.
  const std::vector<Point> line = {{-120.2, 38.5}, {-120.95, 40.7}, {-126.453, 43.252}};
  EXPECT_EQ(to_polyline(line, 5), "_p~iF~ps|U_ulLnnqC_mqNvxq`@");
  Rng rng(3);
  for (const int digits : {5, 6}) {
    std::vector<Point> drawn;
    for (int i = 0; i < 200; ++i) {
      drawn.push_back({rng.below(3'600'000) / 1e4 - 180, rng.below(1'800'000) / 1e4 - 90});
    }
    const std::vector<Point> again = from_polyline(to_polyline(drawn, digits), digits);
    ASSERT_EQ(again.size(), drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      EXPECT_NEAR(again[i].x, drawn[i].x, 0.6 * std::pow(10, -digits));
      EXPECT_NEAR(again[i].y, drawn[i].y, 0.6 * std::pow(10, -digits));
    }
  }
  for (const char* wrong : {"_p~iF", "_", "\x01", "~~~~~~~~~~~~~~~~~~"}) {
    EXPECT_THROW(from_polyline(wrong, 5), Error) << wrong;
  }
}

}  // namespace
}  // namespace lodestar
