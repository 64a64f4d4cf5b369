// What a route's response says besides its cost: annotations, intersections, modes, units, and
// which options change it.
#include <gtest/gtest.h>

#include <cstring>

#include "apps/server/viewer_data.h"
#include "hand_town.h"
#include "lodestar/itinerary.h"
#include "lodestar/rng.h"
#include "one_segment.h"
#include "sample_service.h"

namespace lodestar::server::route_response_test {
namespace {

using nlohmann::json;

class RouteResponse : public ::testing::Test {
 protected:
  json ask(const std::string& target) {
    const Reply reply = get(service_, target);
    EXPECT_EQ(reply.status, 200) << target << ": " << reply.content();
    return json_of(reply);
  }
  json route(std::initializer_list<Point> places, const std::string& options) {
    std::string text;
    for (const Point p : places) text += (text.empty() ? "" : ";") + place_text(p);
    return ask("/route/v1/car/" + text + "?geometries=geojson&overview=full&" + options);
  }
  json leg(Point a, Point b, const std::string& options) {
    return route({a, b}, options)["routes"][0]["legs"][0];
  }
  Service service_{town_file(), quiet_options()};
};

constexpr double kBlock = 111.195;

TEST_F(RouteResponse, AnnotationsHaveOsmIdsAsNumbersOnePerCoordinate) {
  const json there = leg({0.0005, 0.0003}, {0.003, 0}, "annotations=nodes");
  EXPECT_EQ(there["annotation"]["nodes"], json({100, 900, 101, 102}));
  EXPECT_EQ(there["annotation"].size(), 1u);
  const json back = leg({0.003, 0}, {0.0005, 0.0003}, "annotations=nodes");
  EXPECT_EQ(back["annotation"]["nodes"], json({102, 101, 900, 100}));
  // Along the one-way road, with an id below 0 as editors give to new nodes.
  const json slope = leg({0.004, 0}, {0.002, 0.003}, "annotations=nodes");
  EXPECT_EQ(slope["annotation"]["nodes"], json({102, 901, -5, 103, 104}));
  // A place and itself lie between two nodes.
  const json still = leg({0.003, 0}, {0.003, 0}, "annotations=nodes,distance");
  EXPECT_EQ(still["annotation"]["nodes"], json({101, 102}));
  EXPECT_EQ(still["annotation"]["distance"], json::array({0}));
  const json named = ask("/route/v1/nodes/0;2?annotations=nodes");
  EXPECT_EQ(named["routes"][0]["legs"][0]["annotation"]["nodes"], json({100, 900, 101, 102}));
}

TEST_F(RouteResponse, AnnotationsOfRandomRoutesAddUp) {
  Rng rng(4);
  for (int i = 0; i < 300; ++i) {
    // Half of the places are nodes or bends exactly.
    const std::vector<Point> exact = {kTown[0], kTown[1],        kTown[2],       kTown[3],
                                      kTown[4], {0.001, 0.0005}, {0.003, 0.0018}};
    const auto place = [&] {
      if (rng.below(2) == 0) return exact[rng.below(static_cast<std::uint32_t>(exact.size()))];
      return Point{0.005 * rng.uniform(), 0.004 * rng.uniform()};
    };
    const json answer = route({place(), place()}, "annotations=true");
    const json& leg = answer["routes"][0]["legs"][0];
    const json& notes = leg["annotation"];
    const std::size_t points = answer["routes"][0]["geometry"]["coordinates"].size();
    ASSERT_EQ(notes["nodes"].size(), points) << answer;
    const auto sum = [&](const char* name) {
      EXPECT_EQ(notes[name].size() + 1, points) << name;
      double all = 0;
      for (const json& one : notes[name]) all += one.get<double>();
      return all;
    };
    EXPECT_NEAR(sum("distance"), leg["distance"], 0.11) << answer;
    EXPECT_NEAR(sum("duration"), leg["duration"], 0.11) << answer;
    EXPECT_NEAR(sum("weight"), leg["weight"], 0.11) << answer;
    EXPECT_EQ(sum("datasources"), 0);
    for (const json& speed : notes["speed"]) {
      if (leg["distance"] < 1) continue;
      EXPECT_NEAR(speed.get<double>(), 10, 0.11) << answer;
    }
  }
}

TEST_F(RouteResponse, DatasourcesTellUpdatesFromTheFile) {
  ASSERT_EQ(post(service_, "/weights", R"({"updates": [{"way": 2, "factor": 4}]})").status, 200);
  const json changed = leg({0, 0}, {0.004, 0}, "annotations=true&steps=true");
  EXPECT_EQ(changed["annotation"]["datasources"], json({0, 0, 1}));
  EXPECT_EQ(changed["annotation"]["metadata"]["datasource_names"].size(), 2u);
  EXPECT_EQ(changed["annotation"]["speed"][2], 2.5);
}

TEST_F(RouteResponse, WeightsAreSecondsAndMetres) {
  const json answer = route({{0.002, 0}, {0.004, 0}}, "steps=true");
  const json& route = answer["routes"][0];
  EXPECT_EQ(route["weight_name"], "duration");
  EXPECT_EQ(route["weight"], 22.2);
  EXPECT_EQ(route["duration"], 22.2);
  EXPECT_EQ(route["lower_bound"], 22.2);
  EXPECT_EQ(route["distance"], 222.4);
  EXPECT_EQ(route["legs"][0]["weight"], 22.2);
  EXPECT_EQ(route["legs"][0]["steps"][0]["weight"], 22.2);
  Service lengths(town_file(true), quiet_options());
  const json metres = json_of(get(lengths, "/route/v1/car/0.002,0;0.004,0"))["routes"][0];
  EXPECT_EQ(metres["weight_name"], "distance");
  EXPECT_EQ(metres["weight"], 222.4);
  EXPECT_EQ(metres["duration"], 22.2);
  const json table = json_of(get(lengths, "/table/v1/car/0.002,0;0.004,0"));
  EXPECT_EQ(table["durations"][0][1], 22.2);
}

TEST_F(RouteResponse, StepsSayRoadModeAndSide) {
  const json steps = leg({0.0038, 0}, {0.002, 0.003}, "steps=true")["steps"];
  ASSERT_EQ(steps.size(), 4u) << steps;
  EXPECT_EQ(steps[0]["name"], "Main Street");
  EXPECT_FALSE(steps[0].contains("ref"));
  EXPECT_EQ(steps[0]["mode"], "driving");
  EXPECT_EQ(steps[0]["driving_side"], "right");
  EXPECT_EQ(steps[1]["name"], "");
  EXPECT_EQ(steps[1]["ref"], "A 7");
  EXPECT_EQ(steps[1]["destinations"], "Chur");
  EXPECT_EQ(steps[1]["exits"], "12");
  EXPECT_EQ(steps[2]["name"], "Ferry");
  EXPECT_EQ(steps[2]["mode"], "ferry");
  EXPECT_EQ(steps[3]["mode"], "ferry");
  EXPECT_EQ(steps[3]["maneuver"]["type"], "arrive");
  const json hill = leg({0.002, 0.0015}, {0.002, 0.0005}, "steps=true")["steps"];
  EXPECT_EQ(hill[0]["driving_side"], "left");
}

TEST_F(RouteResponse, IntersectionsHaveBearingsAndEntries) {
  // From Hill Road to the ferry, past the end of the one-way road.
  const json steps = leg({0.002, 0.001}, {0.002, 0.003}, "steps=true")["steps"];
  ASSERT_EQ(steps.size(), 3u) << steps;
  const json& depart = steps[0]["intersections"];
  ASSERT_EQ(depart.size(), 1u);
  EXPECT_EQ(depart[0]["bearings"], json::array({0}));
  EXPECT_EQ(depart[0]["entry"], json({true}));
  EXPECT_EQ(depart[0]["out"], 0);
  EXPECT_FALSE(depart[0].contains("in"));
  const json& turn = steps[1]["intersections"];
  ASSERT_EQ(turn.size(), 1u);
  EXPECT_EQ(turn[0]["location"], json({0.002, 0.002}));
  EXPECT_EQ(turn[0]["bearings"], json({0, 101, 180}));
  EXPECT_EQ(turn[0]["entry"], json({true, false, false}));
  EXPECT_EQ(turn[0]["in"], 2);
  EXPECT_EQ(turn[0]["out"], 0);
  const json& arrive = steps[2]["intersections"];
  ASSERT_EQ(arrive.size(), 1u);
  EXPECT_EQ(arrive[0]["bearings"], json({180}));
  EXPECT_EQ(arrive[0]["in"], 0);
  EXPECT_FALSE(arrive[0].contains("out"));
  // Junctions passed on the same street are in its step.
  const json main = leg({0.001, 0.0005}, {0.003, 0}, "steps=true")["steps"];
  ASSERT_EQ(main.size(), 2u) << main;
  ASSERT_EQ(main[0]["intersections"].size(), 2u) << main;
  const json& passed = main[0]["intersections"][1];
  EXPECT_EQ(passed["bearings"], json({0, 90, 297}));
  EXPECT_EQ(passed["entry"], json({true, true, false}));
  EXPECT_EQ(passed["in"], 2);
  EXPECT_EQ(passed["out"], 1);
}

TEST_F(RouteResponse, NoStepIsEmptyAndNoStreetIsNamedThatIsNotTravelled) {
  for (const Point a : kTown) {
    for (const Point b : kTown) {
      if (a == b) continue;
      const json one = leg(a, b, "steps=true");
      std::string streets;
      for (const json& step : one["steps"]) {
        const bool arrives = step["maneuver"]["type"] == "arrive";
        EXPECT_EQ(step["distance"] == 0, arrives) << one;
        streets += step["name"].get<std::string>() + step.value("ref", "");
      }
      for (const char* street : {"Main Street", "Hill Road", "Ferry"}) {
        if (streets.find(street) != std::string::npos) continue;
        EXPECT_EQ(one["summary"].get<std::string>().find(street), std::string::npos) << one;
      }
    }
  }
  const json hill = leg(kTown[kB], kTown[kD], "steps=true");
  ASSERT_EQ(hill["steps"].size(), 2u) << hill;
  EXPECT_EQ(hill["steps"][0]["name"], "Hill Road");
  EXPECT_EQ(hill["summary"], "Hill Road");
}

TEST_F(RouteResponse, SummaryHasTheLongestStreetsInTheOrderOfTravel) {
  EXPECT_EQ(leg({0.0015, 0.00025}, {0.002, 0.003}, "steps=true")["summary"], "Hill Road, Ferry");
  EXPECT_EQ(leg({0.002, 0.003}, {0.0015, 0.00025}, "steps=true")["summary"], "Ferry, Hill Road");
  EXPECT_EQ(leg({0, 0}, {0.002, 0.0021}, "steps=true")["summary"], "Main Street, Hill Road");
}

TEST_F(RouteResponse, LessThanAMetreAtAnEndIsNoStep) {
  // Half a metre of Main Street, Hill Road, half a metre of the ferry.
  const json one = leg({0.0020045, 0}, {0.002, 0.0020045}, "steps=true&annotations=nodes");
  ASSERT_EQ(one["steps"].size(), 2u) << one;
  EXPECT_EQ(one["steps"][0]["name"], "Hill Road");
  EXPECT_EQ(one["steps"][1]["name"], "Hill Road");
  EXPECT_EQ(one["summary"], "Hill Road");
  EXPECT_NEAR(one["distance"], 2 * kBlock + 1, 0.1);
  EXPECT_EQ(one["annotation"]["nodes"], json({102, 101, 103, 104}));
}

TEST_F(RouteResponse, WaypointsAreSkippedOrPassed) {
  const std::string places = "/route/v1/car/0,0;0.003,0;0.002,0.003";
  const json all = ask(places + "?steps=true&annotations=true");
  EXPECT_EQ(all["waypoints"].size(), 3u);
  ASSERT_EQ(all["routes"][0]["legs"].size(), 2u);
  const json passed = ask(places + "?waypoints=0;2&steps=true&annotations=true");
  ASSERT_EQ(passed["routes"][0]["legs"].size(), 1u);
  EXPECT_EQ(passed["routes"][0]["weight"], all["routes"][0]["weight"]);
  EXPECT_EQ(passed["routes"][0]["geometry"], all["routes"][0]["geometry"]);
  EXPECT_EQ(passed["routes"][0]["legs"][0]["weight"], passed["routes"][0]["weight"]);
  const json& steps = passed["routes"][0]["legs"][0]["steps"];
  EXPECT_EQ(steps.front()["maneuver"]["type"], "depart");
  for (std::size_t i = 1; i + 1 < steps.size(); ++i)
    EXPECT_NE(steps[i]["maneuver"]["type"], "depart");
  EXPECT_EQ(ask(places + "?waypoints=0;1;2")["routes"][0]["legs"].size(), 2u);
  EXPECT_FALSE(ask(places + "?skip_waypoints=true").contains("waypoints"));
  const json table = ask("/table/v1/car/0,0;0.003,0?skip_waypoints=true");
  EXPECT_FALSE(table.contains("sources"));
  EXPECT_FALSE(table.contains("destinations"));
  EXPECT_FALSE(all["waypoints"][0].contains("hint"));
  EXPECT_TRUE(ask(places + "?generate_hints=true")["waypoints"][0]["hint"].is_string());
  EXPECT_EQ(ask(places + "?hints=;bogus;")["routes"], ask(places)["routes"]);
}

// Every option has an effect, is at the value that has none, or is refused.
TEST_F(RouteResponse, OptionsAreHonouredOrRefused) {
  const char* wrong[] = {"/route/v1/car/0,0;0.003,0?waypoints=1",
                         "/route/v1/car/0,0;0.003,0?waypoints=0;0;1",
                         "/route/v1/car/0,0;0.003,0?waypoints=1;0",
                         "/route/v1/car/0,0;0.003,0?waypoints=0;2",
                         "/route/v1/car/0,0;0.003,0?hints=a",
                         "/route/v1/car/0,0;0.003,0?continue_straight=1",
                         "/route/v1/car/0,0;0.003,0?bearings=90,10",
                         "/route/v1/car/0,0;0.003,0?approaches=curb",
                         "/route/v1/car/0,0;0.003,0?snapping=none",
                         "/route/v1/car/0,0;0.003,0?annotations=nodes,colour",
                         "/route/v1/car/0,0;0.003,0?annotations=",
                         "/route/v1/car/0,0;0.003,0?number=1",
                         "/table/v1/car/0,0;0.003,0?waypoints=0;1",
                         "/table/v1/car/0,0;0.003,0?alternatives=true",
                         "/table/v1/car/0,0;0.003,0?continue_straight=default",
                         "/nearest/v1/car/0,0?number=0",
                         "/nearest/v1/car/0,0?skip_waypoints=true",
                         "/nearest/v1/car/0,0?annotations=true"};
  for (const char* target : wrong) {
    const Reply reply = get(service_, target);
    EXPECT_EQ(reply.status, 400) << target << reply.content();
    EXPECT_EQ(reply.code, "InvalidOptions") << target;
  }
}

TEST_F(RouteResponse, TablesAreScaledAndFilled) {
  const json plain = ask("/table/v1/nodes/0;1;2");
  const json scaled = ask("/table/v1/nodes/0;1;2?scale_factor=2.5");
  EXPECT_NEAR(scaled["durations"][0][1], 2.5 * plain["durations"][0][1].get<double>(), 0.051);
  EXPECT_EQ(ask("/table/v1/nodes/0;1;2?fallback_speed=5")["fallback_speed_cells"], json::array());
  // Two islands.
  GraphBuilder builder(4);
  builder.add_edge(0, 1, 3);
  builder.add_edge(2, 3, 3);
  builder.set_points(CoordinateKind::kDegrees, {{0, 0}, {0.001, 0}, {0, 0.002}, {0.001, 0.002}});
  Service islands(file_of(builder.build()), quiet_options());
  const json filled =
      json_of(get(islands, "/table/v1/nodes/0;2?fallback_speed=10&annotations=duration,distance"));
  EXPECT_NEAR(filled["distances"][0][1], 2 * kBlock, 0.1) << filled;
  EXPECT_NEAR(filled["durations"][0][1], 0.2 * kBlock, 0.1);
  EXPECT_EQ(filled["fallback_speed_cells"], json({{0, 1}, {1, 0}}));
  const std::string far = "/table/v1/car/0.0005,-0.001;0.0005,0.003?fallback_speed=1";
  EXPECT_NEAR(json_of(get(islands, far))["durations"][0][1], 4 * kBlock, 0.1);
  EXPECT_NEAR(json_of(get(islands, far + "&fallback_coordinate=snapped"))["durations"][0][1],
              2 * kBlock, 0.1);
  for (const char* wrong : {"scale_factor=0", "scale_factor=-1", "scale_factor=big",
                            "fallback_speed=0", "fallback_coordinate=both", "scale_factor=1e999"}) {
    EXPECT_EQ(get(islands, "/table/v1/nodes/0;2?" + std::string(wrong)).code, "InvalidOptions")
        << wrong;
  }
}

// Enough cells for a matrix on the index: places on roads and at their ends, by either direction.
TEST_F(RouteResponse, DistancesOfTablesAreThoseOfRoutes) {
  std::vector<std::string> places;
  for (const TownRoad& road : town_roads()) {
    for (const double share : {0.0, 0.2, 0.9}) {
      const Point a = kTown[road.from], b = kTown[road.to];
      places.push_back(place_text({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)}));
    }
  }
  std::string all;
  for (const std::string& place : places) all += (all.empty() ? "" : ";") + place;
  service_.live().settle();  // until the index is built
  const json table = ask("/table/v1/car/" + all + "?annotations=duration,distance");
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      const json best = ask("/route/v1/car/" + places[i] + ";" + places[k])["routes"][0];
      EXPECT_EQ(table["durations"][i][k], best["duration"]) << places[i] << " " << places[k];
      EXPECT_EQ(table["distances"][i][k], best["distance"]) << places[i] << " " << places[k];
    }
  }
}

TEST_F(RouteResponse, OtherServicesAreInvalidOrSayWhatToUse) {
  for (const char* target : {"/nonsense/v1/car/0,0;0.003,0", "/Route/v1/car/0,0", "/x/v2/"}) {
    const Reply reply = get(service_, target);
    EXPECT_EQ(reply.status, 400) << target;
    EXPECT_EQ(reply.code, "InvalidService") << target;
    EXPECT_EQ(post(service_, target, "{}").code, "InvalidService") << target;
  }
  for (const auto& [service, instead] :
       {std::pair{"match", "/route"}, {"trip", "/table"}, {"tile", "/viewer/graph"}}) {
    const std::string target = "/" + std::string(service) + "/v1/car/0,0;0.003,0";
    const json reply = json_of(get(service_, target));
    EXPECT_EQ(reply["code"], "NotImplemented");
    EXPECT_NE(reply["message"].get<std::string>().find(instead), std::string::npos) << reply;
  }
  EXPECT_EQ(get(service_, "/nonsense").code, "InvalidUrl");
}

TEST_F(RouteResponse, NearestNamesTheNodesAroundThePlace) {
  const json near = ask("/nearest/v1/car/0.0015,0.0003")["waypoints"][0];
  std::vector<int> nodes = near["nodes"];
  std::sort(nodes.begin(), nodes.end());
  EXPECT_EQ(nodes, (std::vector{101, 900}));
}

// Files written before details were kept.
TEST(RouteResponseOfOldFiles, ModeComesFromTheProfileAndNodesAreRefused) {
  Service service(town_file(false, false), quiet_options());
  const json steps =
      json_of(get(service, "/route/v1/car/0.003,0;0.001,0.0005?steps=true&annotations=true"));
  const json& leg = steps["routes"][0]["legs"][0];
  EXPECT_EQ(leg["steps"][0]["mode"], "cycling");
  EXPECT_EQ(leg["steps"][0]["name"], "Main Street");
  EXPECT_FALSE(leg["annotation"].contains("nodes"));
  EXPECT_TRUE(leg["annotation"].contains("duration"));
  EXPECT_EQ(get(service, "/route/v1/car/0.003,0;0.001,0.0005?annotations=nodes").code,
            "InvalidOptions");
}

// The viewer draws and exports this line: along the bend, not across.
TEST_F(RouteResponse, TheViewersLineFollowsTheRoad) {
  const json trace = json_of(get(service_, "/viewer/trace?from=0&to=2&method=dijkstra"));
  EXPECT_EQ(trace["path"], json({0, 1, 2}));
  const double size = 0.004 * std::cos(0.002 * 3.14159265358979 / 180);
  const double expected[] = {0, 0, 0.001, 0.0005, 0.002, 0, 0.004, 0};
  ASSERT_EQ(trace["line"].size(), 8u) << trace;
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(trace["line"][i], expected[i] / std::max(size, 0.004), 1e-5) << i;
  }
}

// One schema for routes: the viewer exports what `solve --geojson` and Python write.
TEST_F(RouteResponse, TheViewersRouteIsGeoJsonInSecondsOrMetres) {
  for (const bool by_length : {false, true}) {
    Service service(town_file(by_length), quiet_options());
    const json trace = json_of(get(service, "/viewer/trace?from=0&to=2&method=dijkstra"));
    const json route =
        json_of(get(service, "/route/v1/nodes/0;2?geometries=geojson&overview=full"))["routes"][0];
    EXPECT_EQ(trace["cost"], route["weight"]);
    EXPECT_EQ(trace["lower_bound"], route["lower_bound"]);
    EXPECT_EQ(trace["optimal"], true);
    const json& feature = trace["feature"];
    EXPECT_EQ(feature["type"], "Feature");
    EXPECT_EQ(feature["geometry"], route["geometry"]);
    const json& facts = feature["properties"];
    EXPECT_EQ(facts["cost"], route["weight"]);
    EXPECT_EQ(facts["lower_bound"], route["lower_bound"]);
    EXPECT_EQ(facts["optimal"], route["optimal"]);
    EXPECT_NEAR(facts["distance"], route["distance"], 0.05);
    EXPECT_NEAR(facts["duration"], route["duration"], 0.05);
    EXPECT_EQ(facts["streets"][0]["name"], "Main Street");
    EXPECT_NEAR(facts[by_length ? "distance" : "duration"], facts["cost"], 0.11);
  }
  const json none = json_of(get(service_, "/viewer/trace?from=0&to=0&method=dijkstra"));
  EXPECT_EQ(none["feature"]["geometry"]["coordinates"].size(), 2u) << none;
}

TEST(Viewer, AGraphWithoutCoordinatesHasNoGeoJson) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 2);
  builder.add_edge(1, 2, 3);
  Service service(file_of(builder.build()), quiet_options());
  const json trace = json_of(get(service, "/viewer/trace?from=0&to=2&method=dijkstra"));
  EXPECT_EQ(trace["cost"], 5);
  EXPECT_TRUE(trace["feature"].is_null());
  EXPECT_EQ(trace["line"].size(), 6u);
}

// Street names come from outside and lie in a script of the recorded page.
TEST(Viewer, ARecordedPageCannotBeEndedByAStreetName) {
  const World world(town_file(false, true, "</script><script>alert(1)</script>"));
  LiveOptions options;
  options.build_index = false;
  LiveWeights live(world.file, options);
  Methods methods(world.file, 0.05);
  const std::string page = recorded_page(world, *live.now(), methods, {kA, kC}, {"dijkstra"});
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  const std::string mark = "<script id=\"recording\" type=\"application/json\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const json recorded = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(recorded["traces"][0]["feature"]["properties"]["streets"][0]["name"],
            "</script><script>alert(1)</script>");
}

std::string from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(letters.find(c));
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += static_cast<char>(bits >> have & 0xff);
  }
  return out;
}

// Six digits are a tenth of a metre; more would pretend.
TEST(Waypoints, HaveSixDigits) {
  Service service(town_file(), quiet_options());
  int fractions = 0;
  for (int i = 1; i < 20; ++i) {
    const json reply =
        json_of(get(service, "/nearest/v1/car/" + place_text({1e-4 * i / 3, 2e-4 / 7})));
    for (const double degrees : reply["waypoints"][0]["location"]) {
      EXPECT_NEAR(1e6 * degrees, std::round(1e6 * degrees), 1e-6);
      fractions += std::abs(1e5 * degrees - std::round(1e5 * degrees)) > 1e-3 ? 1 : 0;
    }
  }
  EXPECT_GT(fractions, 10);
}

// A recorded page has the bytes that the server would send.
TEST(Recordings, HoldTheGraphAndThePotentials) {
  const World world(town_file());
  LiveOptions options;
  options.build_index = false;
  LiveWeights live(world.file, options);
  Methods methods(world.file, 0.05);
  const std::string page = recorded_page(world, *live.now(), methods, {kA, kC}, {"alt"});
  const std::string mark = "<script id=\"recording\" type=\"application/json\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const json recorded = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  const std::string graph = recorded["graph"], heuristic = recorded["potentials"]["alt"];
  EXPECT_EQ(graph.size() % 4, 0u);
  EXPECT_EQ(from_base64(graph),
            graph_bytes(world, *live.now(), layout_of(world.file, methods), methods));
  EXPECT_EQ(from_base64(heuristic), potential_bytes(kC, *methods.potentials("alt")));
  EXPECT_EQ(from_base64(heuristic).size(), 5 * sizeof(float));
}

// Where a bicycle is pushed against a one-way street, the segment has a mode for each direction.
TEST(Modes, MayDifferByDirection) {
  Service service(town_file(false, true, "Main Street", "cycling;pushing bike"), quiet_options());
  const auto modes = [&](const std::string& nodes) {
    std::vector<std::string> out;
    const json reply = json_of(get(service, "/route/v1/nodes/" + nodes + "?steps=true"));
    for (const json& step : reply["routes"][0]["legs"][0]["steps"]) out.push_back(step["mode"]);
    return out;
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(modes("1;3"), (Words{"cycling", "cycling"}));
  EXPECT_EQ(modes("3;1"), (Words{"pushing bike", "pushing bike"}));
}

// The bytes of /viewer/graph: a head of JSON and arrays of four bytes a value.
TEST_F(RouteResponse, TheViewersGraphHasEveryRoadAndItsBends) {
  const Reply reply = get(service_, "/viewer/graph");
  const std::string_view bytes = reply.content();
  std::uint32_t head_bytes = 0;
  std::memcpy(&head_bytes, bytes.data(), 4);
  const json head = json::parse(bytes.substr(4, head_bytes));
  EXPECT_EQ(head["nodes"], 5);
  EXPECT_EQ(head["edges"], 5);
  EXPECT_EQ(head["arcs"], 9);
  EXPECT_EQ(head["bends"], 3);
  EXPECT_EQ(head["kind"], "degrees");
  EXPECT_EQ(head["first_name"], "0");
  EXPECT_EQ(head["numbered"], true);
  std::size_t at = 4 + head_bytes;
  const auto take = [&]<class T>(std::size_t count, T) {
    std::vector<T> out(count);
    std::memcpy(out.data(), bytes.data() + at, count * sizeof(T));
    at += count * sizeof(T);
    return out;
  };
  const auto positions = take(10, 0.0f);
  for (NodeId v = 0; v < 5; ++v) {
    EXPECT_NEAR(positions[2 * v], kTown[v].x / 0.004, 1e-5) << v;
    EXPECT_NEAR(positions[2 * v + 1], kTown[v].y / 0.004, 1e-5) << v;
  }
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(take(10, 0u), (Numbers{kA, kB, kB, kC, kB, kD, kC, kD, kD, kE}));
  // Arcs there and back: A–B, B–A B–C B–D, C–B C–D, D–B D–E, E–D; one way from C to D.
  EXPECT_EQ(take(10, 0u), (Numbers{0, 1, 2, 4, 3, 6, 5, UINT32_MAX, 7, 8}));
  EXPECT_EQ(take(5, 0.0f), std::vector<float>(5, 1));  // nothing has changed
  EXPECT_EQ(take(6, 0u), (Numbers{0, 1, 1, 1, 3, 3}));
  const auto bends = take(6, 0.0f);
  const double expected[] = {0.001, 0.0005, 0.0035, 0.0015, 0.003, 0.0018};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(bends[i], expected[i] / 0.004, 1e-5) << i;
  EXPECT_EQ(take(5, 0u), (Numbers{1 << 8, 2 << 8, 3 << 8, 4 << 8, 5 << 8}));
  EXPECT_EQ(at, bytes.size());
}

// A road that is drawn from its higher node to its lower one bends the other way round.
TEST(ViewerGraph, BendsFollowTheEdge) {
  ShapeBuilder shape = testing::one_segment("a", {{35'000, 15'000}, {10'000, 5'000}});
  shape.arc_segment = {1, 0};  // from 0 to 1 against the segment
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 100);
  builder.set_points(CoordinateKind::kDegrees, {{0, 0}, {0.004, 0.004}});
  GraphFile file = file_of(builder.build());
  shape.remarks = "profile car, weights are times in tenths of a second\n";
  file.shape = std::move(shape).build();
  Service service(std::move(file), quiet_options());
  const Reply reply = get(service, "/viewer/graph");
  const std::string_view bytes = reply.content();
  // Before them lie a head, two positions, two ends, two arcs, a factor and two counts.
  std::uint32_t head_bytes = 0;
  std::memcpy(&head_bytes, bytes.data(), 4);
  float bends[4];
  std::memcpy(bends, bytes.data() + 4 + head_bytes + 4 * (4 + 2 + 2 + 1 + 2), sizeof bends);
  const double expected[] = {0.001, 0.0005, 0.0035, 0.0015};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(bends[i], expected[i] / 0.004, 1e-4) << i;
}

}  // namespace
}  // namespace lodestar::server::route_response_test
