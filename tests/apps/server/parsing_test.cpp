// Every option of a request and every way to get it wrong, without a graph: parse_target,
// parse_routing_request, set_preference.
#include <gtest/gtest.h>

#include <cmath>

#include "apps/server/message.h"
#include "apps/server/request.h"
#include "apps/server/request_options.h"

namespace lodestar::server::parsing_test {
namespace {

RoutingRequest parsed(const std::string& target, const std::string& body = "",
                      const std::string& type = "application/json", const Limits& limits = {}) {
  return parse_routing_request(parse_target(target), body, type, limits);
}

// The code of the refusal; "Ok" where there is none.
std::string code_of(const std::string& target, const std::string& body = "",
                    const std::string& type = "application/json", const Limits& limits = {}) {
  try {
    parsed(target, body, type, limits);
    return "Ok";
  } catch (const Refusal& refusal) {
    EXPECT_EQ(refusal.status(), 400);
    EXPECT_NE(std::string(refusal.what()), "");
    return std::string(refusal.code());
  }
}

RoutingRequest route(const std::string& options) {
  return parsed("/route/v1/car/1,2;3,4;5,6?" + options);
}
RoutingRequest table(const std::string& options) {
  return parsed("/table/v1/car/1,2;3,4;5,6?" + options);
}
RoutingRequest isochrone(const std::string& options) {
  return parsed("/isochrone/v1/car/1,2?" + options);
}

TEST(Parsing, Targets) {
  struct Row {
    const char* text;
    std::vector<std::string> path;
    std::size_t options;
  };
  const Row rows[] = {
      {"/", {}, 0},
      {"/a//b/", {"a", "b"}, 0},
      {"/a?x=1&&y=2&x=3", {"a"}, 3},
      {"/a%2Fb/%41%5a%5A", {"a/b", "AZZ"}, 0},
      {"/a+b?a+b=c+d", {"a+b"}, 1},
      {"/a?flag", {"a"}, 1},
      {"/a?x=1#y=2&z=3", {"a"}, 1},
      {"/a#b?c", {"a"}, 0},
  };
  for (const Row& row : rows) {
    const Target target = parse_target(row.text);
    EXPECT_EQ(target.path, row.path) << row.text;
    EXPECT_EQ(target.options.size(), row.options) << row.text;
  }
  const Target twice = parse_target("/a?x=1&y=2&x=3&flag&a+b=c+d");
  EXPECT_EQ(*twice.option("x"), "3");
  EXPECT_EQ(*twice.option("y"), "2");
  EXPECT_EQ(*twice.option("flag"), "");
  EXPECT_EQ(*twice.option("a b"), "c d");
  EXPECT_EQ(twice.option("z"), nullptr);
  for (const char* bad : {"", "a", "/%", "/%4", "/a?x=%4", "/%g0", "/%0g", "/%/0", "/%:0", "/%`0",
                          "/%@0", "/%1f", "/%7f", "/a?x=%00", "/%ff", "/\x01"}) {
    try {
      parse_target(bad);
      ADD_FAILURE() << bad;
    } catch (const Refusal& refusal) {
      EXPECT_EQ(refusal.code(), "InvalidUrl") << bad;
    }
  }
  EXPECT_EQ(parse_target("/%20%7e").path[0], " ~");
  EXPECT_EQ(parse_target("/%c3%a9").path[0], "é");
}

TEST(Parsing, Numbers) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number("+2e1"), 20);
  EXPECT_EQ(parse_number("-.5"), -0.5);
  EXPECT_EQ(parse_number("1e308"), 1e308);
  for (const char* bad : {"", "+", "-", "e", "1x", "nan", "inf", "1e999", "0x10", " 1", "1 ",
                          "1.2.3", "++1", "+-", "1e"}) {
    EXPECT_FALSE(parse_number(bad)) << bad;
  }
  EXPECT_EQ(parse_count("0"), 0u);
  EXPECT_EQ(parse_count("9"), 9u);
  EXPECT_EQ(parse_count("18446744073709551615"), ~std::uint64_t{0});
  for (const char* bad : {"", "-1", "+1", "1.0", "1a", "18446744073709551616", "/", ":", " 1"}) {
    EXPECT_FALSE(parse_count(bad)) << bad;
  }
  EXPECT_EQ(split("", ';').size(), 1u);
  EXPECT_EQ(split(";", ';').size(), 2u);
  EXPECT_EQ(split("a;b", ';')[1], "b");
}

TEST(Parsing, WhichTargetsAreRequests) {
  for (const char* target : {"/route", "/table/v1", "/nearest/x", "/isochrone", "/match/v1/car/1,2",
                             "/trip/v2", "/tile/v10/car"}) {
    EXPECT_TRUE(is_routing_request(parse_target(target))) << target;
  }
  for (const char* target : {"/", "/health", "/match", "/match/v", "/match/w1", "/match/vx",
                             "/match/1", "/viewer/graph"}) {
    EXPECT_FALSE(is_routing_request(parse_target(target))) << target;
  }
}

TEST(Parsing, Paths) {
  const std::pair<const char*, const char*> rows[] = {
      {"/", "InvalidService"},
      {"/drive/v1/car/1,2;3,4", "InvalidService"},
      {"/match/v1/car/1,2;3,4", "NotImplemented"},
      {"/trip/v1/car/1,2;3,4", "NotImplemented"},
      {"/tile/v1/car/1,2;3,4", "NotImplemented"},
      {"/route", "InvalidVersion"},
      {"/route/v2/car/1,2;3,4", "InvalidVersion"},
      {"/route/v1", "InvalidUrl"},
      {"/route/v1/car", "InvalidUrl"},
      {"/route/v1/car/1,2;3,4/more", "InvalidUrl"},
      {"/route/v1/car/1,2", "InvalidOptions"},
      {"/table/v1/car/1,2", "Ok"},
      {"/nearest/v1/car/1,2", "Ok"},
      {"/nearest/v1/car/1,2;3,4", "InvalidOptions"},
      {"/isochrone/v1/car/1,2;3,4?contours=1", "InvalidOptions"},
      {"/isochrone/v1/car/1,2", "InvalidOptions"},
      {"/isochrone/v1/car/1,2?contours=1", "Ok"},
      {"/route/v1/car/1,2;3,4", "Ok"},
      {"/route/v1/car/1,2;3,4.json", "Ok"},
      {"/route/v1/car/1,2;3", "InvalidQuery"},
      {"/route/v1/car/1,2;x,4", "InvalidQuery"},
      {"/route/v1/car/1,2;3,x", "InvalidQuery"},
      {"/route/v1/car/1,2;", "InvalidQuery"},
      {"/route/v1/car/1,2;1e300,4", "InvalidValue"},
      {"/route/v1/car/1,2;3,1e300", "InvalidValue"},
      {"/route/v1/car/polyline(_p~iF~ps%7CU_ulLnnqC)", "Ok"},
      {"/route/v1/car/polyline6(_p~iF~ps%7CU_ulLnnqC)", "Ok"},
      {"/route/v1/car/polyline7(_p~iF~ps%7CU_ulLnnqC)", "InvalidQuery"},
      {"/route/v1/car/polyline(_p~iF~ps%7C)", "InvalidQuery"},
      {"/route/v1/car/polyline(_p~iF~ps%7CU", "InvalidQuery"},
      {"/route/v1/nodes/polyline(a);b", "Ok"},
      {"/route/v1/nodes/polyline(a);polyline(b)", "Ok"},
  };
  for (const auto& [target, code] : rows) EXPECT_EQ(code_of(target), code) << target;
  const RoutingRequest five = parsed("/route/v1/car/polyline(_p~iF~ps%7CU_ulLnnqC)");
  ASSERT_EQ(five.points.size(), 2u);
  EXPECT_EQ(five.points[0].y, 38.5);
  const RoutingRequest six = parsed("/route/v1/car/polyline6(_p~iF~ps%7CU_ulLnnqC)");
  EXPECT_EQ(six.points[0].y, 3.85);
  const RoutingRequest names = parsed("/route/v1/nodes/a;b.json");
  EXPECT_EQ(names.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(names.size(), 2u);
}

TEST(Parsing, Bodies) {
  const std::string form = "application/x-www-form-urlencoded";
  struct Row {
    const char* target;
    const char* body;
    const char* type;
    const char* code;
  };
  const char* const kJson = "application/json";
  const Row rows[] = {
      {"/route/v1/car/1,2;3,4", "{}", kJson, "InvalidQuery"},  // twice
      {"/route/v1/car", "[]", kJson, "InvalidQuery"},
      {"/route/v1/car", "{", kJson, "InvalidQuery"},
      {"/route/v1/car", "{}", kJson, "InvalidQuery"},
      {"/route/v1/car", R"({"coordinates": 3})", kJson, "InvalidQuery"},
      {"/route/v1/car", R"({"nodes": ["a", "b"]})", kJson, "InvalidQuery"},
      {"/route/v1/nodes", R"({"nodes": ["a", 7]})", kJson, "Ok"},
      {"/route/v1/nodes", R"({"nodes": ["a", -7]})", kJson, "InvalidQuery"},
      {"/route/v1/nodes", R"({"nodes": ["a", 1.5]})", kJson, "InvalidQuery"},
      {"/route/v1/nodes", R"({"nodes": ["a", null]})", kJson, "InvalidQuery"},
      {"/route/v1/car", R"({"coordinates": [[1, 2], [3, 4]]})", kJson, "Ok"},
      {"/route/v1/car", R"({"coordinates": [[1, 2], 3]})", kJson, "InvalidQuery"},
      {"/route/v1/car", R"({"coordinates": [[1, 2], [3]]})", kJson, "InvalidQuery"},
      {"/route/v1/car", R"({"coordinates": [[1, 2], [3, 4, 5]]})", kJson, "InvalidQuery"},
      {"/route/v1/car", R"({"coordinates": [[1, 2], ["3", 4]]})", kJson, "InvalidQuery"},
      {"/route/v1/car", R"({"coordinates": [[1, 2], [3, "4"]]})", kJson, "InvalidQuery"},
      {"/route/v1/car", R"({"coordinates": [[1, 2], [3, 1e300]]})", kJson, "InvalidValue"},
      {"/route/v1/car", R"({"coordinates": [[1,2],[3,4]], "steps": true})", kJson, "Ok"},
      {"/route/v1/car", R"({"coordinates": [[1,2],[3,4]], "steps": null})", kJson,
       "InvalidOptions"},
      {"/route/v1/car", R"({"coordinates": [[1,2],[3,4]], "steps": [[[1]]]})", kJson,
       "InvalidOptions"},
      {"/route/v1/car", R"({"coordinates": [[1,2],[3,4]], "steps": [{"a": 1}]})", kJson,
       "InvalidOptions"},
      {"/route/v1/car", R"({"coordinates": [[1,2],[3,4]], "avoid_polygons": {"type": "Point"}})",
       kJson, "InvalidOptions"},
      {"/nearest/v1/car", R"({"coordinates": [[1,2]], "avoid_polygons": {}})", kJson,
       "InvalidOptions"},
      {"/route/v1/car", "coordinates=1,2;3,4", "application/x-www-form-urlencoded", "Ok"},
      {"/route/v1/car", "steps=true", "application/x-www-form-urlencoded", "InvalidQuery"},
      {"/route/v1/car", "coordinates=1,2;3,4&coordinates=1,2;3,4",
       "application/x-www-form-urlencoded", "InvalidQuery"},
      {"/route/v1/car", "  {\"coordinates\": [[1,2],[3,4]]}", "application/x-www-form-urlencoded",
       "Ok"},
      {"/route/v1/car", "coordinates=1,2;3,4", kJson, "InvalidQuery"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(code_of(row.target, row.body, row.type), row.code) << row.target << " " << row.body;
  }
  const RoutingRequest one = parsed("/table/v1/car", R"({"coordinates": [[1, 2], [3, 4]],
      "annotations": ["duration", "distance"], "sources": [0, 1], "blend": {"time": 1, "length": 2},
      "exclude": ["toll", "ferry"], "ways": [4711, 12],
      "avoid_circles": [[1, 2, 3], [4, 5, 6, 7]],
      "avoid_polygons": {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}})");
  EXPECT_TRUE(one.durations && one.distances);
  EXPECT_EQ(one.sources, (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(one.preferences.blend.size(), 2u);
  EXPECT_EQ(one.preferences.classes.size(), 2u);
  EXPECT_EQ(one.preferences.ways.size(), 2u);
  EXPECT_EQ(one.preferences.polygons.size(), 1u);
  ASSERT_EQ(one.preferences.circles.size(), 2u);
  EXPECT_EQ(one.preferences.circles[1].factor, 7);
  EXPECT_TRUE(one.has_preferences());
  const RoutingRequest shown =
      parsed("/isochrone/v1/car",
             R"({"coordinates": [[1, 2]], "contours_minutes": [1, 2], "show": ["arcs", "nodes"]})");
  EXPECT_EQ(shown.contours, (std::vector<double>{60, 120}));
  EXPECT_TRUE(shown.arcs && shown.nodes && !shown.polygons);
}

TEST(Parsing, OptionsAndTheirValues) {
  EXPECT_FALSE(route("").geometry);
  EXPECT_EQ(route("geometries=polyline").geometry, Geometry::kPolyline);
  EXPECT_EQ(route("geometries=polyline6").geometry, Geometry::kPolyline6);
  EXPECT_EQ(route("geometries=geojson").geometry, Geometry::kGeojson);
  EXPECT_EQ(route("overview=simplified").overview, Overview::kSimplified);
  EXPECT_EQ(route("overview=full").overview, Overview::kFull);
  EXPECT_EQ(route("overview=false").overview, Overview::kNone);
  EXPECT_TRUE(route("steps=true").steps);
  EXPECT_FALSE(route("steps=true&steps=false").steps);
  EXPECT_EQ(route("annotations=true").annotations, kAllAnnotations);
  EXPECT_EQ(route("annotations=false").annotations, 0);
  EXPECT_EQ(route("annotations=nodes,speed").annotations, kNodes | kSpeed);
  EXPECT_EQ(route("annotations=distance,duration,weight,datasources").annotations,
            kDistance | kDuration | kWeight | kDatasources);
  EXPECT_EQ(route("radiuses=;unlimited;5").radiuses, (std::vector<double>{-1, kInfinity, 5}));
  EXPECT_EQ(route("radiuses=0;0;0").radiuses, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(route("alternatives=true").alternatives, 1u);
  EXPECT_EQ(route("alternatives=false").alternatives, 0u);
  EXPECT_EQ(route("alternatives=3").alternatives, 3u);
  EXPECT_TRUE(route("alternatives=1").has_preferences());
  EXPECT_FALSE(route("alternatives=0").has_preferences());
  EXPECT_TRUE(route("generate_hints=true").hints);
  EXPECT_TRUE(route("skip_waypoints=true").skip_waypoints);
  EXPECT_EQ(route("waypoints=0;2").waypoints, (std::vector<std::size_t>{0, 2}));
  EXPECT_TRUE(route("waypoints=all").waypoints.empty());
  EXPECT_TRUE(route("snapping=any").snap_any);
  EXPECT_FALSE(route("snapping=any&snapping=default").snap_any);
  EXPECT_EQ(route("continue_straight=true").continue_straight, true);
  EXPECT_EQ(route("continue_straight=false").continue_straight, false);
  EXPECT_FALSE(route("continue_straight=true&continue_straight=default").continue_straight);
  const RoutingRequest bearings = route("bearings=0,180;;360");
  ASSERT_EQ(bearings.bearings.size(), 3u);
  EXPECT_EQ(bearings.bearings[0]->value, 0);
  EXPECT_EQ(bearings.bearings[0]->range, 180);
  EXPECT_FALSE(bearings.bearings[1]);
  EXPECT_EQ(bearings.bearings[2]->value, 360);
  EXPECT_EQ(bearings.bearings[2]->range, 10);
  EXPECT_EQ(route("approaches=curb;opposite;").approaches,
            (std::vector<Approach>{Approach::kCurb, Approach::kOpposite, Approach::kAny}));

  EXPECT_TRUE(table("").durations);
  EXPECT_FALSE(table("annotations=distance").durations);
  EXPECT_TRUE(table("annotations=distance").distances);
  EXPECT_EQ(table("sources=2;0").sources, (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(table("destinations=1").destinations, (std::vector<std::size_t>{1}));
  EXPECT_TRUE(table("sources=all&destinations=").sources.empty());
  EXPECT_EQ(table("fallback_speed=2.5").fallback_speed, 2.5);
  EXPECT_EQ(table("fallback_speed=1e9").fallback_speed, 1e9);
  EXPECT_TRUE(table("fallback_coordinate=snapped").fallback_snapped);
  EXPECT_FALSE(table("fallback_coordinate=input").fallback_snapped);
  EXPECT_EQ(table("nearest=1").nearest, 1u);
  EXPECT_EQ(table("scale_factor=0.5").scale_factor, 0.5);
  EXPECT_EQ(parsed("/nearest/v1/car/1,2?number=100").number, 100u);

  EXPECT_EQ(isochrone("contours=0,5").contours, (std::vector<double>{0, 5}));
  EXPECT_EQ(isochrone("contours=5").contour_unit, "");
  EXPECT_EQ(isochrone("contours_seconds=5").contour_unit, "duration");
  EXPECT_EQ(isochrone("contours_minutes=5").contours[0], 300);
  EXPECT_EQ(isochrone("contours_minutes=5").contour_unit, "duration");
  EXPECT_EQ(isochrone("contours_meters=5").contours[0], 5);
  EXPECT_EQ(isochrone("contours_meters=5").contour_unit, "distance");
  EXPECT_TRUE(isochrone("contours=1&reverse=true").reverse);
  EXPECT_EQ(isochrone("contours=1&concavity=0").concavity, 0);
  EXPECT_EQ(isochrone("contours=1&concavity=1").concavity, 1);
  EXPECT_TRUE(isochrone("contours=1&show=polygons").polygons);
  EXPECT_FALSE(isochrone("contours=1&show=polygons").arcs);
  EXPECT_TRUE(isochrone("contours=1&skip_waypoints=true").skip_waypoints);
}

TEST(Parsing, WrongOptions) {
  for (const char* option : {"geometries=wkt",   "overview=some",
                             "steps=1",          "annotations=colour",
                             "annotations=",     "radiuses=1;2",
                             "radiuses=1;2;-1",  "radiuses=1;2;x",
                             "alternatives=-1",  "alternatives=x",
                             "sources=0",        "destinations=0",
                             "fallback_speed=1", "fallback_coordinate=input",
                             "nearest=1",        "scale_factor=1",
                             "number=1",         "contours=1",
                             "reverse=true",     "show=arcs",
                             "concavity=1",      "waypoints=1;2",
                             "waypoints=0;1",    "waypoints=0;0;2",
                             "waypoints=2;0",    "waypoints=0;3",
                             "waypoints=0;x",    "hints=a;b",
                             "bearings=0;0",     "bearings=361;;",
                             "bearings=-1;;",    "bearings=0,181;;",
                             "bearings=0,-1;;",  "bearings=0,x;;",
                             "bearings=x;;",     "approaches=left;;",
                             "snapping=none",    "continue_straight=1",
                             "format=xml",       "generate_hints=1",
                             "skip_waypoints=1", "nonsense=1",
                             "exclude=toll,",    "depart=noon"}) {
    EXPECT_EQ(code_of(std::string("/route/v1/car/1,2;3,4;5,6?") + option), "InvalidOptions")
        << option;
  }
  for (const char* option :
       {"hints=", "hints=a;b;c", "bearings=", "format=json", "exclude=", "ways=", "blend=",
        "vehicle=", "depart=", "avoid_circles=", "avoid_polygons="}) {
    EXPECT_EQ(code_of(std::string("/route/v1/car/1,2;3,4;5,6?") + option), "Ok") << option;
  }
  for (const char* option :
       {"annotations=speed", "sources=3", "sources=x", "destinations=-1", "fallback_speed=0",
        "fallback_speed=-1", "fallback_speed=x", "fallback_speed=1.1e9", "scale_factor=0",
        "fallback_coordinate=there", "nearest=0", "nearest=x", "alternatives=1", "waypoints=0;2",
        "number=1", "continue_straight=true"}) {
    EXPECT_EQ(code_of(std::string("/table/v1/car/1,2;3,4;5,6?") + option), "InvalidOptions")
        << option;
  }
  for (const char* option : {"number=0", "number=x", "annotations=true", "skip_waypoints=true",
                             "exclude=toll", "contours=1", "sources=0"}) {
    EXPECT_EQ(code_of(std::string("/nearest/v1/car/1,2?") + option), "InvalidOptions") << option;
  }
  EXPECT_EQ(code_of("/nearest/v1/car/1,2?number=101"), "TooBig");
  for (const char* option :
       {"contours=", "contours=x", "contours=-1", "contours=1.1e15", "contours_hours=1",
        "contours=1&contours_meters=1", "contours=1&reverse=1", "contours=1&show=roads",
        "contours=1&concavity=1.1", "contours=1&concavity=-0.1", "contours=1&concavity=x",
        "contours=1&blend=time:1", "contours=1&annotations=true"}) {
    EXPECT_EQ(code_of(std::string("/isochrone/v1/car/1,2?") + option), "InvalidOptions") << option;
  }
}

// Each limit just kept and just passed.
TEST(Parsing, Limits) {
  Limits limits;
  limits.places = 3;
  limits.alternatives = 2;
  limits.contours = 2;
  limits.nearest = 4;
  limits.cells = 6;
  limits.areas = 2;
  limits.corners = 6;
  limits.ways = 2;
  const std::string json = "application/json", form = "application/x-www-form-urlencoded";
  const auto code = [&](const std::string& target, const std::string& body = "") {
    return code_of(target, body, json, limits);
  };
  EXPECT_EQ(code("/route/v1/car/1,2;3,4;5,6"), "Ok");
  EXPECT_EQ(code("/route/v1/car/1,2;3,4;5,6;7,8"), "TooBig");
  EXPECT_EQ(code("/route/v1/nodes/a;b;c"), "Ok");
  EXPECT_EQ(code("/route/v1/nodes/a;b;c;d"), "TooBig");
  EXPECT_EQ(code("/route/v1/car", R"({"coordinates": [[1,2],[1,2],[1,2],[1,2]]})"), "TooBig");
  EXPECT_EQ(code("/table/v1/nodes", R"({"nodes": [1,2,3,4,5,6], "sources": [0]})"), "Ok");
  EXPECT_EQ(code("/table/v1/nodes", R"({"nodes": [1,2,3,4,5,6,7], "sources": [0]})"), "TooBig");
  EXPECT_EQ(code("/table/v1/nodes", R"({"nodes": [1,2,3], "sources": [0, 1]})"), "Ok");
  EXPECT_EQ(code("/table/v1/nodes", R"({"nodes": [1,2,3]})"), "TooBig");
  EXPECT_EQ(code("/table/v1/nodes/1;2?sources=0;0;0;0;0;0;0&destinations=0"), "TooBig");
  EXPECT_EQ(code("/table/v1/nodes/1;2?destinations=0;0;0;0;0;0;0&sources=0"), "TooBig");
  EXPECT_EQ(code("/route/v1/car/1,2;3,4?alternatives=2"), "Ok");
  EXPECT_EQ(code("/route/v1/car/1,2;3,4?alternatives=3"), "TooBig");
  EXPECT_EQ(code("/isochrone/v1/car/1,2?contours=1,2"), "Ok");
  EXPECT_EQ(code("/isochrone/v1/car/1,2?contours=1,2,3"), "TooBig");
  EXPECT_EQ(code("/nearest/v1/car/1,2?number=4"), "Ok");
  EXPECT_EQ(code("/nearest/v1/car/1,2?number=5"), "TooBig");
  EXPECT_EQ(code("/route/v1/car/1,2;3,4?ways=1,2"), "Ok");
  EXPECT_EQ(code("/route/v1/car/1,2;3,4?ways=1,2,3"), "TooBig");
  EXPECT_EQ(code("/route/v1/car/1,2;3,4?avoid_circles=1,2,3;1,2,3"), "Ok");
  EXPECT_EQ(code("/route/v1/car/1,2;3,4?avoid_circles=1,2,3;1,2,3;1,2,3"), "TooBig");
  EXPECT_EQ(code("/route/v1/car/1,2;3,4?avoid_polygons=0,0,1,0,1,1;0,0,1,0,1,1"), "Ok");
  EXPECT_EQ(code("/route/v1/car/1,2;3,4?avoid_polygons=0,0,1,0,1,1;0,0,1,0,1,1,0,1"), "TooBig");
  EXPECT_EQ(code("/route/v1/car", R"({"coordinates": [[1,2],[3,4]], "avoid_polygons":
      {"type": "Polygon", "coordinates": [[[0,0],[1,0],[2,1],[2,2],[1,3],[0,1],[0,0]]]}})"),
            "TooBig");
  // The bytes of a table: 32 and 12 a cell, 64 and 24 with distances.
  limits.cells = 100;
  limits.places = 100;
  limits.response_bytes = 9 * 44;
  EXPECT_EQ(code("/table/v1/nodes/1;2;3"), "Ok");
  EXPECT_EQ(code("/table/v1/nodes/1;2;3?annotations=duration,distance"), "TooBig");
  limits.response_bytes = 9 * 44 - 1;
  EXPECT_EQ(code("/table/v1/nodes/1;2;3"), "TooBig");
  limits.response_bytes = 9 * (64 + 24);
  EXPECT_EQ(code("/table/v1/nodes/1;2;3?annotations=duration,distance"), "Ok");
  // Positions may repeat, within reason.
  limits.response_bytes = 1 << 20;
  limits.cells = 100'000;
  std::string many = "0";
  for (int i = 0; i < 1008; ++i) many += ";0";
  EXPECT_EQ(code("/table/v1/nodes/1;2?destinations=0&sources=" + many), "TooBig");
  EXPECT_EQ(code("/table/v1/nodes/1;2?destinations=0&sources=" + many.substr(2)), "Ok");
}

TEST(Parsing, Preferences) {
  for (const char* name : {"exclude", "avoid_polygons", "avoid_circles", "ways", "factors", "blend",
                           "vehicle", "depart"}) {
    EXPECT_TRUE(is_preference(name)) << name;
  }
  EXPECT_FALSE(is_preference("steps"));
  const auto set = [](const char* name, const char* value) {
    Preferences wish;
    set_preference(name, value, wish, {});
    return wish;
  };
  EXPECT_EQ(set("exclude", "toll,ferry").classes.size(), 2u);
  EXPECT_EQ(set("exclude", "toll").classes[0].name, "toll");
  EXPECT_EQ(set("exclude", "toll").classes[0].factor, kInfinity);
  EXPECT_EQ(set("factors", "track:2,ferry:1.5").classes[1].factor, 1.5);
  EXPECT_EQ(set("blend", "time:1,length:0.02").blend[1].metric, "length");
  EXPECT_EQ(set("blend", "a:b:2").blend[0].metric, "a:b");
  EXPECT_EQ(set("blend", "time").blend[0].share, 1);
  EXPECT_EQ(set("ways", "-7,4711").ways[0].id, -7);
  EXPECT_EQ(set("avoid_circles", "1,2,3").circles[0].factor, kInfinity);
  EXPECT_EQ(set("avoid_circles", "1,2,3").circles[0].radius, 3);
  EXPECT_EQ(set("avoid_polygons", "0,0,1,0,1,1").polygons[0].rings[0].size(), 3u);
  EXPECT_EQ(set("vehicle", "height:3.8,width:2.5,weight:12").vehicle.height, 3.8);
  EXPECT_EQ(set("vehicle", "height:3.8,width:2.5,weight:12").vehicle.width, 2.5);
  EXPECT_EQ(set("vehicle", "height:3.8,width:2.5,weight:12").vehicle.weight, 12);
  EXPECT_TRUE(set("depart", "08:30").depart.has_value());
  EXPECT_FALSE(set("depart", "").depart.has_value());
  const std::pair<const char*, const char*> wrong[] = {
      {"exclude", "toll,,ferry"},
      {"exclude", ","},
      {"factors", "track"},
      {"factors", "track:x"},
      {"factors", ":2"},
      {"blend", ":1"},
      {"ways", "x"},
      {"ways", "1,"},
      {"ways", "99999999999999999999"},
      {"avoid_circles", "1,2"},
      {"avoid_circles", "1,2,3,4,5"},
      {"avoid_circles", "1,2,x"},
      {"avoid_polygons", "0,0,1,0"},
      {"avoid_polygons", "0,0,1,0,1,1,2"},
      {"avoid_polygons", "0,0,1,0,1,x"},
      {"vehicle", "length:3"},
      {"vehicle", "height"},
      {"depart", "noon"},
  };
  for (const auto& [name, value] : wrong) {
    try {
      set(name, value);
      ADD_FAILURE() << name << "=" << value;
    } catch (const Refusal& refusal) {
      EXPECT_EQ(refusal.code(), "InvalidOptions") << name << "=" << value;
    }
  }
  const RoutingRequest wish =
      parse_wish(parse_target("/x?exclude=toll&alternatives=2&steps=nonsense"), {});
  EXPECT_EQ(wish.alternatives, 2u);
  EXPECT_EQ(wish.preferences.classes.size(), 1u);
  EXPECT_THROW(parse_wish(parse_target("/x?alternatives=99"), {}), Refusal);
}

}  // namespace
}  // namespace lodestar::server::parsing_test
