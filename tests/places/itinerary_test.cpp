// Lines and texts of routes against hand-made ones.
#include "lodestar/itinerary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lodestar/rng.h"
#include "one_segment.h"

namespace lodestar::itinerary_test {
namespace {

TEST(Itinerary, CutsLinesByTheirLength) {
  // A bent arc 0 → 1 of two equal pieces, 222 m together.
  ShapeBuilder shape = testing::one_segment("Bow Street", {{0, 10'000}});
  shape.segment_length = {2224};
  shape.arc_duration = {100, 300};
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
  SearchResult found;
  found.cost = found.lower_bound = 600;
  set_result(trip, found, kSeconds);
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
  EXPECT_EQ(feature["properties"]["cost"], 60);
  EXPECT_EQ(feature["properties"]["lower_bound"], 60);
  EXPECT_EQ(feature["properties"]["optimal"], true);
  EXPECT_EQ(feature["properties"]["distance"], 12345.7);
  EXPECT_EQ(feature["properties"]["duration"], 60);
  EXPECT_EQ(feature["properties"]["streets"][0]["name"], "A & B <\"1\">");
  const std::string gpx = to_gpx({&trip, 1});
  EXPECT_NE(gpx.find("<desc>A &amp; B &lt;&quot;1&quot;&gt;"), std::string::npos) << gpx;
  EXPECT_NE(gpx.find("<trkpt lat=\"47.1234568\" lon=\"9.5\"/>"), std::string::npos) << gpx;
  EXPECT_TRUE(gpx.ends_with("/>\n</trkseg></trk>\n</gpx>\n")) << gpx;
  // A route that stays where it is has a line all the same.
  trip.line.resize(1);
  EXPECT_EQ(nlohmann::json::parse(to_geojson({&trip, 1}))["features"][0]["geometry"]["coordinates"]
                .size(),
            2u);
  trip.kind = CoordinateKind::kPlane;
  EXPECT_THROW(to_geojson({&trip, 1}), Error);
  EXPECT_THROW(to_gpx({&trip, 1}), Error);
}

TEST(Itinerary, GeoJsonOfNoPathAndInThePlane) {
  Itinerary trip;
  SearchResult none;
  none.cost = none.lower_bound = kInfinity;
  set_result(trip, none, {});
  auto feature = nlohmann::json::parse(to_geojson_feature(trip));
  EXPECT_TRUE(feature["geometry"].is_null());
  EXPECT_TRUE(feature["properties"]["cost"].is_null());
  EXPECT_EQ(feature["properties"]["optimal"], true);
  EXPECT_FALSE(feature["properties"].contains("distance"));
  // The plane has no metres to round to.
  none.cost = none.lower_bound = 0.5;
  set_result(trip, none, {});
  trip.kind = CoordinateKind::kPlane;
  trip.line = {{0.123456789, 1}, {0.25, 1}};
  trip.length = 0.126543211;
  feature = nlohmann::json::parse(to_geojson_feature(trip));
  EXPECT_EQ(feature["geometry"]["coordinates"][0][0], 0.123456789);
  EXPECT_EQ(feature["properties"]["distance"], 0.126543211);
  EXPECT_FALSE(feature["properties"].contains("duration"));
  EXPECT_FALSE(feature["properties"].contains("streets"));
}

TEST(Itinerary, CostsOfAnImportAreSecondsOrMetres) {
  ShapeBuilder builder;
  builder.arc_segment = {0, 1};
  builder.arc_duration = {123, 45};
  builder.segment_length = {678};
  builder.segment_street = {0};
  builder.segment_way = {1};
  builder.first_point = {0, 0};
  builder.first_letter = {0, 0};
  builder.node_id = {1, 2};
  const Shape shape = std::move(builder).build();
  const auto unit = [&](Weight there, Weight back) {
    GraphBuilder graph(2);
    graph.add_arc(0, 1, there);
    graph.add_arc(1, 0, back);
    return cost_unit(graph.build(), shape);
  };
  EXPECT_EQ(unit(123, 45).name, "duration");
  EXPECT_EQ(unit(123, 45).of(123), 12.3);
  EXPECT_EQ(unit(678, 678).name, "distance");
  EXPECT_EQ(unit(678, 678).of(678), 67.8);
  EXPECT_EQ(unit(123, 46).name, "cost");
  EXPECT_EQ(unit(123, 46).of(1.2345), 1.2345);
  EXPECT_EQ(kSeconds.of(kInfinity), kInfinity);
  EXPECT_EQ(cost_unit(Graph(), {}).name, "cost");
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
}  // namespace lodestar::itinerary_test
