// Preferences as JSON and in short forms: what is read, and what is rejected with which words.
#include "lodestar/preferences_text.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace lodestar::preferences_text_test {
namespace {

using testing::error_of;

TEST(PreferencesText, ReadsEveryKindFromJson) {
  const Preferences read = parse_preferences(R"({
    "blend": {"time": 1, "length": 0.02},
    "avoid": ["toll", "ferry=2", "way/4711", "way/-3=1.5", "9.5,47.25,500", "-9.5,-47.25,500=3",
              {"class": "track", "factor": 4}, {"class": "ford"}, {"way": 12, "factor": 2},
              {"circle": [1, 2, 3]}, {"circle": [1, 2, 3], "factor": 9},
              {"arc": 17}, {"arc": 18, "factor": 2}, {"arc": 19, "extra": 30},
              {"arc": 20, "factor": 3, "extra": 4},
              {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 0]]], "factor": 5}],
    "vehicle": {"height": 3.8, "width": 2.5, "weight": 12},
    "depart": "08:30"})");
  ASSERT_EQ(read.blend.size(), 2u);  // in the order of their names
  EXPECT_EQ(read.blend[0].metric, "length");
  EXPECT_EQ(read.blend[0].share, 0.02);
  ASSERT_EQ(read.classes.size(), 4u);
  EXPECT_EQ(read.classes[0].name, "toll");
  EXPECT_EQ(read.classes[0].factor, kInfinity);
  EXPECT_EQ(read.classes[1].factor, 2);
  EXPECT_EQ(read.classes[2].factor, 4);
  EXPECT_EQ(read.classes[3].factor, kInfinity);
  ASSERT_EQ(read.ways.size(), 3u);
  EXPECT_EQ(read.ways[0].id, 4711);
  EXPECT_EQ(read.ways[1].id, -3);
  EXPECT_EQ(read.ways[1].factor, 1.5);
  EXPECT_EQ(read.ways[2].factor, 2);
  ASSERT_EQ(read.circles.size(), 4u);
  EXPECT_EQ(read.circles[0].centre, (Point{9.5, 47.25}));
  EXPECT_EQ(read.circles[0].radius, 500);
  EXPECT_EQ(read.circles[0].factor, kInfinity);
  EXPECT_EQ(read.circles[1].centre, (Point{-9.5, -47.25}));
  EXPECT_EQ(read.circles[1].factor, 3);
  EXPECT_EQ(read.circles[2].centre, (Point{1, 2}));
  EXPECT_EQ(read.circles[2].radius, 3);
  EXPECT_EQ(read.circles[3].factor, 9);
  ASSERT_EQ(read.arcs.size(), 4u);
  EXPECT_EQ(read.arcs[0].factor, kInfinity);
  EXPECT_EQ(read.arcs[1].factor, 2);
  EXPECT_EQ(read.arcs[2].factor, 1);  // only an extra cost
  EXPECT_EQ(read.arcs[2].extra, 30);
  EXPECT_EQ(read.arcs[3].extra, 4);
  ASSERT_EQ(read.polygons.size(), 1u);
  EXPECT_EQ(read.polygons[0].factor, 5);
  EXPECT_EQ(read.vehicle.weight, 12);
  EXPECT_EQ(read.depart, 8.5 * 3600);
  EXPECT_TRUE(parse_preferences("{}").empty());
  EXPECT_EQ(parse_preferences(R"({"depart": 60.5})").depart, 60.5);
}

TEST(PreferencesText, ReadsTheKindsOfGeoJson) {
  const char* const square = "[[[0,0],[4,0],[4,4],[0,4],[0,0]], [[1,1],[2,1],[2,2]]]";
  const std::string polygon = std::string(R"({"type": "Polygon", "coordinates": )") + square + "}";
  const std::string many =
      std::string(R"({"type": "MultiPolygon", "coordinates": [)") + square + "," + square + "]}";
  Preferences wish;
  add_areas(wish, polygon, "a.geojson");
  ASSERT_EQ(wish.polygons.size(), 1u);
  EXPECT_EQ(wish.polygons[0].rings.size(), 2u);
  EXPECT_EQ(wish.polygons[0].rings[1][2], (Point{2, 2}));
  EXPECT_EQ(wish.polygons[0].factor, kInfinity);
  add_areas(wish,
            R"({"type": "FeatureCollection", "features": [
                {"type": "Feature", "properties": {"factor": 7}, "geometry": )" +
                polygon + R"(}, {"type": "Feature", "properties": null, "geometry": )" + many +
                R"(}, {"type": "Feature", "geometry": null},
                {"type": "GeometryCollection", "geometries": [)" +
                polygon + "]}]}",
            "b.geojson", 2);
  ASSERT_EQ(wish.polygons.size(), 5u);
  EXPECT_EQ(wish.polygons[1].factor, 7);  // its own
  EXPECT_EQ(wish.polygons[2].factor, 2);  // that of the file
  EXPECT_EQ(wish.polygons[4].factor, 2);
}

TEST(PreferencesText, ReadsShortForms) {
  Preferences wish;
  set_blend(wish, "time=1,length=0.02");
  ASSERT_EQ(wish.blend.size(), 2u);
  EXPECT_EQ(wish.blend[1].metric, "length");
  EXPECT_EQ(wish.blend[1].share, 0.02);
  set_blend(wish, "length");
  ASSERT_EQ(wish.blend.size(), 1u);
  EXPECT_EQ(wish.blend[0].share, 1);
  set_blend(wish, "time:1,length:0.02");  // as URLs have it
  ASSERT_EQ(wish.blend.size(), 2u);
  EXPECT_EQ(wish.blend[1].share, 0.02);
  add_factors(wish, "toll:2,ferry=1.5");
  ASSERT_EQ(wish.classes.size(), 2u);
  EXPECT_EQ(wish.classes[0].name, "toll");
  EXPECT_EQ(wish.classes[1].factor, 1.5);
  set_vehicle(wish, "height=3.8,weight=12");
  EXPECT_EQ(wish.vehicle.height, 3.8);
  EXPECT_EQ(wish.vehicle.width, 0);
  EXPECT_EQ(split_factor("area.geojson=3").what, "area.geojson");
  EXPECT_EQ(split_factor("area.geojson=3").factor, 3);
  EXPECT_EQ(split_factor("area.geojson").factor, kInfinity);
  EXPECT_EQ(split_factor("toll=inf").factor, kInfinity);
}

TEST(PreferencesText, RejectsWhatItDoesNotUnderstand) {
  for (const char* const json :
       {"",
        "[]",
        "7",
        "{",
        R"({"avoyd": []})",
        R"({"avoid": "toll"})",
        R"({"avoid": [5]})",
        R"({"avoid": [[]]})",
        R"({"avoid": [{}]})",
        R"({"avoid": [{"factor": 2}]})",
        R"({"avoid": [{"class": 5}]})",
        R"({"avoid": [{"class": "a", "way": 5}]})",
        R"({"avoid": [{"class": "a", "factor": 0.5}]})",
        R"({"avoid": [{"way": 1.5}]})",
        R"({"avoid": [{"circle": [1, 2]}]})",
        R"({"avoid": [{"circle": [1, 2, "x"]}]})",
        R"({"avoid": [{"arc": -1}]})",
        R"({"avoid": [{"arc": 99999999999}]})",
        R"({"avoid": [{"type": "Point", "coordinates": [1, 2]}]})",
        R"({"avoid": [{"type": "Polygon"}]})",
        R"({"avoid": [{"type": 7}]})",
        R"({"avoid": [{"type": "Polygon", "coordinates": [[1, 2]]}]})",
        R"({"avoid": [{"type": "Polygon", "coordinates": [[["a", "b"]]]}]})",
        R"({"avoid": [{"type": "Polygon", "coordinates": [], "factor": "2"}]})",
        R"({"avoid": ["1,2"]})",
        R"({"avoid": ["1,2,x"]})",
        R"({"avoid": ["toll=0.5"]})",
        R"({"avoid": ["toll=nan"]})",
        R"({"avoid": ["toll=-inf"]})",
        R"({"avoid": ["toll="]})",
        R"({"avoid": [""]})",
        R"({"avoid": ["=2"]})",
        R"({"avoid": ["way/x"]})",
        R"({"avoid": ["way/"]})",
        R"({"blend": []})",
        R"({"blend": {"time": "1"}})",
        R"({"blend": {"time": null}})",
        R"({"vehicle": {"length": 3}})",
        R"({"vehicle": {"height": "3"}})",
        R"({"vehicle": 5})",
        R"({"depart": "8.30"})",
        R"({"depart": true})",
        R"({"blend": {"time": 1e999}})"}) {
    EXPECT_NE(error_of([&] { parse_preferences(json, "wish.json"); }), "") << json;
  }
  Preferences wish;
  for (const char* const text : {"", "=1", "time=", "time=x", "time=1,,length=2", "a=1=2"}) {
    EXPECT_NE(error_of([&] { set_blend(wish, text); }), "") << text;
  }
  for (const char* const text : {"", "height", "height=x", "depth=3"}) {
    EXPECT_NE(error_of([&] { set_vehicle(wish, text); }), "") << text;
  }
  EXPECT_NE(
      error_of([&] { add_areas(wish, R"({"type": "FeatureCollection", "features": []})", "f"); }),
      "");
  // A collection in a collection in …: an error, no overflow of the stack.
  const std::pair<const char*, const char*> nests[] = {
      {R"({"type": "GeometryCollection", "geometries": [)", "]}"},
      {R"({"type": "Feature", "geometry": )", "}"}};
  for (const auto& [begin, end] : nests) {
    std::string deep;
    for (int i = 0; i < 2000; ++i) deep += begin;
    deep += R"({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 0]]]})";
    for (int i = 0; i < 2000; ++i) deep += end;
    EXPECT_NE(error_of([&] { add_areas(wish, deep, "deep"); }).find("nested"), std::string::npos);
  }
}

TEST(PreferencesText, SaysWhereAndWhat) {
  // Short texts inside JSON, too.
  for (const char* json :
       {R"({"avoid": ["1,2"]})", R"({"avoid": ["toll=0"]})", R"({"depart": "8 o'clock"})"}) {
    const std::string said = error_of([&] { parse_preferences(json, "wish.json"); });
    EXPECT_EQ(said.substr(0, 11), "wish.json: ") << said;
  }
  EXPECT_EQ(error_of([] { parse_preferences(R"({"avoyd": []})", "wish.json"); }),
            "wish.json: has an unknown key 'avoyd'; keys are blend, avoid, vehicle, depart");
  EXPECT_TRUE(
      error_of([] { parse_preferences("{", "wish.json"); }).starts_with("wish.json: parse"));
  Preferences wish;
  EXPECT_EQ(error_of([&] { add_avoided(wish, "1,2"); }),
            "'1,2' is no circle; write longitude,latitude,radius in metres, like 9.52,47.14,500");
}

}  // namespace
}  // namespace lodestar::preferences_text_test
