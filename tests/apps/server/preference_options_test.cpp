// Options of requests with weights of their own: URLs, forms and JSON, bad input, limits.
#include <gtest/gtest.h>

#include "hand_town.h"
#include "preference_roads.h"

namespace lodestar::server::preference_options_test {
namespace {

using nlohmann::json;

class PreferenceOptions : public ::testing::Test {
 protected:
  json route(const std::string& options) {
    return json_of(get(service_, "/route/v1/nodes/5;280?" + options));
  }
  json body(json options) {
    options["nodes"] = {"5", "280"};
    return json_of(post(service_, "/route/v1/nodes", options.dump()));
  }
  PreferenceRoads roads_ = preference_roads(300);
  Service service_{roads_.file, quiet_options()};
};

TEST_F(PreferenceOptions, BodiesAndFormsAreAnsweredAsUrlsAre) {
  const std::vector<std::pair<std::string, json>> same = {
      {"exclude=motorway,toll", {{"exclude", {"motorway", "toll"}}}},
      {"exclude=motorway", {{"exclude", "motorway"}}},
      {"factors=motorway:2,toll:1.5", {{"factors", {{"motorway", 2}, {"toll", 1.5}}}}},
      {"blend=length:0.02,time:1", {{"blend", {{"time", 1}, {"length", 0.02}}}}},
      {"vehicle=height:3.8,width:2", {{"vehicle", {{"height", 3.8}, {"width", 2}}}}},
      {"avoid_circles=9.55,47.15,900;9.52,47.12,300",
       {{"avoid_circles", {{9.55, 47.15, 900}, {9.52, 47.12, 300}}}}},
      {"avoid_circles=9.55,47.15,900,3", {{"avoid_circles", {{9.55, 47.15, 900, 3}}}}},
      {"avoid_polygons=9.54,47.14,9.56,47.14,9.55,47.16",
       {{"avoid_polygons",
         {{"type", "Polygon"},
          {"coordinates", {{{9.54, 47.14}, {9.56, 47.14}, {9.55, 47.16}, {9.54, 47.14}}}}}}}},
      {"avoid_polygons=9.54,47.14,9.56,47.14,9.55,47.16;9.51,47.11,9.52,47.11,9.51,47.12",
       {{"avoid_polygons",
         {{"type", "MultiPolygon"},
          {"coordinates",
           {{{{9.54, 47.14}, {9.56, 47.14}, {9.55, 47.16}}},
            {{{9.51, 47.11}, {9.52, 47.11}, {9.51, 47.12}}}}}}}}},
      {"alternatives=2", {{"alternatives", 2}}},
      {"alternatives=true", {{"alternatives", true}}}};
  const json plain = route("");
  for (const auto& [url, options] : same) {
    const json expected = route(url);
    ASSERT_TRUE(expected["code"] == "Ok" || expected["code"] == "NoRoute") << url << expected;
    EXPECT_NE(expected, plain) << url;
    EXPECT_EQ(body(options), expected) << url;
    EXPECT_EQ(json_of(post(service_, "/route/v1/nodes", "nodes=5;280&" + url, false,
                           "application/x-www-form-urlencoded")),
              expected)
        << url;
  }
}

// A route may enter the hole of a polygon, but not the area around it.
TEST_F(PreferenceOptions, PolygonsMayHaveHoles) {
  const json around = {{{9.4, 47.0}, {9.7, 47.0}, {9.7, 47.3}, {9.4, 47.3}}};
  json with_hole = around;
  with_hole.push_back({{9.49, 47.09}, {9.61, 47.09}, {9.61, 47.21}, {9.49, 47.21}});
  const auto answer = [&](const json& rings) {
    return body({{"avoid_polygons", {{"type", "Polygon"}, {"coordinates", rings}}}})["code"];
  };
  EXPECT_EQ(answer(around), "NoRoute");
  EXPECT_EQ(answer(with_hole), "Ok");
}

// The areas cover all roads, so a route costs as many times more.
TEST_F(PreferenceOptions, AreasMayHaveFactors) {
  const json everywhere = {{"type", "Polygon"},
                           {"coordinates", {{{9, 46.5}, {10, 46.5}, {10, 48}, {9, 48}}}}};
  const auto feature = [&](const json& factor) {
    return json{
        {"type", "Feature"}, {"geometry", everywhere}, {"properties", {{"factor", factor}}}};
  };
  const json usual = body(json::object())["routes"][0];
  for (const json& options :
       {json{{"avoid_polygons", feature(3)}}, json{{"avoid_circles", {{9.55, 47.15, 2e5, 3}}}},
        json{{"avoid_polygons",
              {{"type", "FeatureCollection"}, {"features", {feature(1.5), feature(2)}}}}}}) {
    const json answer = body(options);
    ASSERT_EQ(answer["code"], "Ok") << answer;
    const json& found = answer["routes"][0];
    EXPECT_NEAR(found["weight"], 3 * usual["weight"].get<double>(), 0.2) << options;
    EXPECT_EQ(found["duration"], usual["duration"]);
    EXPECT_EQ(found["weight_name"], "custom");
  }
  EXPECT_EQ(body({{"avoid_polygons", everywhere}})["code"], "NoRoute");
  for (const json& wrong : {json(0.5), json(-1), json("two")}) {
    EXPECT_EQ(body({{"avoid_polygons", feature(wrong)}})["code"], "InvalidOptions") << wrong;
  }
}

TEST_F(PreferenceOptions, WrongOnesAreRefusedWithAReason) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"exclude=motorway,nonsense", "InvalidValue"},
      {"exclude=,", "InvalidOptions"},
      {"factors=toll:0.5", "InvalidValue"},
      {"factors=toll:-1", "InvalidValue"},
      {"factors=toll:nan", "InvalidOptions"},
      {"factors=toll", "InvalidOptions"},
      {"factors=:2", "InvalidOptions"},
      {"factors=nonsense:2", "InvalidValue"},
      {"blend=beauty:1", "InvalidValue"},
      {"blend=time:-1", "InvalidValue"},
      {"blend=time:0", "InvalidValue"},
      {"blend=time:inf", "InvalidOptions"},
      {"blend=:1", "InvalidOptions"},
      {"vehicle=height:-2", "InvalidValue"},
      {"vehicle=speed:2", "InvalidOptions"},
      {"ways=1,2", "InvalidValue"},  // the graph has none
      {"ways=x", "InvalidOptions"},
      {"ways=99999999999999999999", "InvalidOptions"},
      {"avoid_circles=9.5,47.1", "InvalidOptions"},
      {"avoid_circles=9.5,47.1,5,2,1", "InvalidOptions"},
      {"avoid_circles=9.5,47.1,5,0.5", "InvalidOptions"},
      {"avoid_circles=motorway", "InvalidOptions"},
      {"avoid_circles=9.5,47.1,-5", "InvalidValue"},
      {"avoid_circles=9.5,nan,5", "InvalidOptions"},
      {"avoid_circles=9.5,97.1,5", "InvalidValue"},
      {"avoid_polygons=9.5,47.1,9.6,47.1", "InvalidOptions"},
      {"avoid_polygons=9.5,47.1,9.6,47.1,9.6", "InvalidOptions"},
      {"avoid_polygons=9.5,47.1,9.6,47.1,9.5,47.1", "InvalidValue"},
      {"avoid_polygons=9.5,47.1,9.6,47.2,9.6,47.1,9.5,47.2", "InvalidValue"},  // crosses itself
      {"avoid_polygons=9.5,47.1,190,47.2,9.6,47.1", "InvalidValue"},
      {"alternatives=4", "TooBig"},
      {"alternatives=-1", "InvalidOptions"},
      {"alternatives=many", "InvalidOptions"}};
  for (const auto& [options, code] : wrong) {
    const Reply reply = get(service_, "/route/v1/nodes/5;280?" + options);
    EXPECT_EQ(reply.status, 400) << options;
    EXPECT_EQ(json_of(reply)["code"], code) << options << reply.content();
    EXPECT_GT(json_of(reply)["message"].get<std::string>().size(), 20u);
  }
  for (const json& options :
       {json{{"avoid_polygons", {{"type", "Point"}, {"coordinates", {9.5, 47.1}}}}},
        json{{"avoid_polygons", {{"type", "Polygon"}}}},
        json{{"avoid_polygons", {{"type", "Polygon"}, {"coordinates", {{{"a", "b"}}}}}}},
        json{{"avoid_polygons", {{"type", "Polygon"}, {"coordinates", json::array()}}}},
        json{{"avoid_polygons", {{"type", 3}, {"coordinates", 4}}}},
        json{{"avoid_polygons", {{1, 2}, {3, 4}}}}, json{{"blend", {{"time", {1, 2}}}}},
        json{{"exclude", {{{"toll", true}}}}}, json{{"factors", {{"toll", "two"}}}},
        json{{"avoid_circles", {{{1, 2}, 3, 4}}}}}) {
    EXPECT_EQ(body(options)["code"], "InvalidOptions") << options;
  }
  EXPECT_EQ(json_of(get(service_, "/nearest/v1/car/9.55,47.15?exclude=toll"))["code"],
            "InvalidOptions");
  EXPECT_EQ(json_of(get(service_, "/table/v1/nodes/5;280?alternatives=1"))["code"],
            "InvalidOptions");
}

TEST_F(PreferenceOptions, LimitsAreKept) {
  json ring = json::array();
  for (int i = 0; i < 2001; ++i) {
    ring.push_back({9.55 + 0.01 * std::cos(i / 318.47), 47.15 + 0.01 * std::sin(i / 318.47)});
  }
  const auto polygon = [&] {
    return json{{"avoid_polygons", {{"type", "Polygon"}, {"coordinates", {ring}}}}};
  };
  EXPECT_EQ(body(polygon())["code"], "TooBig");
  ring.erase(ring.begin());
  EXPECT_NE(body(polygon())["code"], "TooBig");
  json circles = json::array(), ways = json::array();
  for (int i = 0; i < 101; ++i) circles.push_back({9.5, 47.1, 1});
  for (int i = 0; i < 1001; ++i) ways.push_back(i);
  EXPECT_EQ(body({{"avoid_circles", circles}})["code"], "TooBig");
  EXPECT_EQ(body({{"ways", ways}})["code"], "TooBig");
  ServiceOptions options = quiet_options();
  options.limits.expansions = 5;
  Service small(roads_.file, options);
  EXPECT_EQ(json_of(get(small, "/route/v1/nodes/5;280?exclude=toll"))["code"], "TooBig");
  options = quiet_options();
  options.limits.seconds = 1e-9;
  Service hasty(roads_.file, options);
  EXPECT_EQ(json_of(get(hasty, "/route/v1/nodes/5;280?exclude=toll"))["code"], "TooBig");
  EXPECT_EQ(json_of(get(hasty, "/route/v1/nodes/5;280?alternatives=3"))["code"], "TooBig");
}

TEST_F(PreferenceOptions, TheViewerShowsTheSameRoutes) {
  for (const std::string options : {"exclude=toll", "alternatives=3&blend=time:1,length:0.03",
                                    "avoid_circles=9.55,47.15,500"}) {
    const json routes = route("overview=false&" + options)["routes"];
    const Reply reply = get(service_, "/viewer/trace?from=5&to=280&method=request&" + options);
    ASSERT_EQ(reply.status, 200) << reply.content();
    const json trace = json_of(reply);
    ASSERT_EQ(trace["routes"].size(), routes.size()) << options;
    EXPECT_NEAR(trace["cost"], routes[0]["weight"], 0.051);
    EXPECT_EQ(trace["weight_name"], routes[0]["weight_name"]);
    EXPECT_EQ(trace["optimal"], true);
    EXPECT_GT(trace["settled"].size(), 1u);
    for (std::size_t i = 0; i < routes.size(); ++i) {
      EXPECT_NEAR(trace["routes"][i]["duration"], routes[i]["duration"], 0.051);
      EXPECT_NEAR(trace["routes"][i]["distance"], routes[i]["metrics"][1]["total"], 0.051);
      EXPECT_GT(trace["routes"][i]["line"].size(), 2u);
    }
  }
  EXPECT_EQ(get(service_, "/viewer/trace?from=5&to=280&method=request&exclude=sea").status, 400);
  EXPECT_EQ(get(service_, "/viewer/trace?from=5&to=280&method=request&depart=8").status, 400);
}

// Any mixture of fragments is answered with JSON and never with an internal error.
TEST_F(PreferenceOptions, NonsenseIsRefused) {
  const char* const names[] = {"exclude",       "factors",     "blend", "vehicle",
                               "ways",          "depart",      "steps", "avoid_polygons",
                               "avoid_circles", "alternatives"};
  const char* const pieces[] = {"toll", "motorway", "time",  "length", "height", ":",    ",",
                                ";",    "1",        "2.5",   "-1",     "1e308",  "9.55", "47.15",
                                "nan",  "inf",      "08:30", "true",   "%25",    "9.56", "47.16"};
  Rng rng(5);
  for (int round = 0; round < 4000; ++round) {
    std::string target = "/route/v1/nodes/5;280?";
    for (std::size_t k = 0; k <= rng.below(3); ++k) {
      target += std::string(names[rng.below(std::size(names))]) + "=";
      for (std::size_t i = rng.below(9); i > 0; --i) target += pieces[rng.below(std::size(pieces))];
      target += "&";
    }
    const Reply reply = get(service_, target);
    ASSERT_TRUE(reply.status == 200 || reply.status == 400) << target << reply.content();
    ASSERT_TRUE(json::accept(reply.content())) << target;
  }
}

class TownPreferences : public ::testing::Test {
 protected:
  static GraphFile town() {
    GraphFile file = town_file();
    MetricsBuilder metrics({"time", "s", 0.1});
    std::vector<Weight> lengths;
    const Shape& shape = file.shape;
    for (ArcIndex arc = 0; arc < file.graph.arc_count(); ++arc) {
      const std::uint32_t segment = shape.segment(arc);
      lengths.push_back(shape.segment_length[segment]);
      std::vector<std::string_view> classes;
      if (segment == 4) classes.push_back("ferry");
      if (segment == 3) classes.push_back("motorway");
      metrics.add_arc(classes);
    }
    metrics.add({"length", "m", 0.1}, std::move(lengths));
    file.metrics = std::move(metrics).build(file.graph);
    return file;
  }
  Service service_{town(), quiet_options()};
};

TEST_F(TownPreferences, WaysAndClassesAreClosed) {
  const auto length = [&](const std::string& options) -> double {
    const json answer = json_of(get(service_, "/route/v1/nodes/2;3?" + options));  // C to D
    return answer["code"] == "Ok" ? answer["routes"][0]["distance"].get<double>() : -1;
  };
  const double straight = length(""), round = 2 * 222.4;
  EXPECT_GT(round, straight + 50);
  EXPECT_NEAR(length("exclude=motorway"), round, 0.5);
  EXPECT_NEAR(length("ways=4"), round, 0.5);
  EXPECT_NEAR(length("ways=1,4"), round, 0.5);
  EXPECT_NEAR(length("factors=motorway:3"), round, 0.5);
  EXPECT_EQ(length("ways=3,4"), -1);
  EXPECT_EQ(json_of(get(service_, "/route/v1/nodes/2;3?ways=77"))["code"], "InvalidValue");
  EXPECT_EQ(json_of(get(service_, "/route/v1/nodes/0;4?exclude=ferry"))["code"], "NoRoute");
  EXPECT_EQ(json_of(get(service_, "/route/v1/nodes/0;4"))["code"], "Ok");
}

// As in OSRM a place on a closed road is moved to the nearest open one.
TEST_F(TownPreferences, PlacesAreSnappedToOpenRoads) {
  const std::string places = "/route/v1/car/0.002,0.0029;0,0?overview=full&geometries=geojson";
  EXPECT_NEAR(json_of(get(service_, places))["waypoints"][0]["location"][1], 0.0029, 1e-6);
  const json moved = json_of(get(service_, places + "&exclude=ferry"));
  ASSERT_EQ(moved["code"], "Ok") << moved;
  EXPECT_NEAR(moved["waypoints"][0]["location"][1], 0.002, 1e-6);
  EXPECT_EQ(json_of(get(service_, places + "&exclude=ferry&radiuses=50;50"))["code"], "NoSegment");
  // Nothing is open around the first place.
  EXPECT_EQ(json_of(get(service_, places + "&avoid_circles=0.002,0.002,2000"))["code"],
            "NoSegment");
}

// A circle on the bend of a road closes it, although both ends are outside.
TEST_F(TownPreferences, AreasSeeTheLinesOfRoads) {
  EXPECT_EQ(json_of(get(service_, "/route/v1/nodes/0;2?avoid_circles=0.001,0.0005,10"))["code"],
            "NoRoute");
  EXPECT_EQ(json_of(get(service_, "/route/v1/nodes/0;2?avoid_circles=0.001,0,10"))["code"], "Ok");
}

}  // namespace
}  // namespace lodestar::server::preference_options_test
