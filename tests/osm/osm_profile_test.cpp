// The rules of the profiles: speeds, directions, access and durations; profiles of the user's own.
#include <gtest/gtest.h>

#include <cmath>

#include "extract.h"
#include "lodestar/osm.h"
#include "scratch_folder.h"

namespace lodestar::osm_profile_test {
namespace {

using osm::Extract;
using osm::Tags;

TEST(OsmProfile, SpeedsByTheBook) {
  // 1 km along the equator; the time, in tenths of a second, tells the speed.
  const struct {
    Tags tags;
    double speed;
  } kCases[] = {
      {{{"highway", "primary"}}, 65},
      {{{"highway", "primary"}, {"maxspeed", "50"}}, 45},
      {{{"highway", "primary"}, {"maxspeed", "50 km/h"}}, 45},
      {{{"highway", "primary"}, {"maxspeed", "30 mph"}}, 0.9 * 30 * 1.609344},
      {{{"highway", "primary"}, {"maxspeed", "10 knots"}}, 0.9 * 18.52},
      {{{"highway", "primary"}, {"maxspeed", "70;50"}}, 63},
      {{{"highway", "motorway"}, {"maxspeed", "none"}, {"oneway", "no"}}, 130},
      {{{"highway", "service"}, {"maxspeed", "walk"}}, 6.3},
      {{{"highway", "primary"}, {"maxspeed", "signals"}}, 65},
      {{{"highway", "primary"}, {"maxspeed", "DE:rural"}}, 90},
      {{{"highway", "primary"}, {"maxspeed", "RO:urban"}}, 45},
      {{{"highway", "primary"}, {"source:maxspeed", "DE:urban"}}, 45},
      {{{"highway", "primary"}, {"maxspeed", "fast"}}, 65},
      {{{"highway", "primary"}, {"maxspeed", "0"}}, 65},
      {{{"highway", "primary"}, {"maxspeed", "1"}}, 3},
      {{{"highway", "primary"}, {"surface", "gravel"}}, 40},
      {{{"highway", "primary"}, {"surface", "asphalt"}}, 65},
      {{{"highway", "service"}, {"service", "parking_aisle"}}, 10},
  };
  const double metres = distance_between(CoordinateKind::kDegrees, {0, 0}, {0.01, 0});
  for (const auto& test : kCases) {
    Extract road;
    road.node(1, 0, 0).node(2, 0.01, 0).way(1, {1, 2}, test.tags);
    const ScratchFolder folder;
    road.write(folder / "road.osm");
    const GraphFile file = read_osm(folder / "road.osm");
    std::string text;
    for (const auto& [key, value] : test.tags) text += key + "=" + value + " ";
    ASSERT_EQ(file.graph.arc_count(), 2u) << text;
    EXPECT_EQ(file.graph.arcs(0)[0].weight, std::round(36 * metres / test.speed)) << text;
    EXPECT_EQ(read_osm(folder / "road.osm", {.weight = "length"}).graph.arcs(0)[0].weight,
              std::round(10 * metres));
  }
}

// Which directions of a road are open, as "forward backward", "forward", "backward" or "".
std::string open_directions(Tags tags, const std::string& profile) {
  Extract road;
  tags.push_back({"name", "road"});
  road.node(1, 0, 0).node(2, 0.01, 0).node(3, 0.01, 0.01).way(1, {1, 2}, tags);
  road.way(2, {2, 3}, {{"highway", "residential"}});  // so that there is a road at all
  const ScratchFolder folder;
  road.write(folder / "road.osm");
  const GraphFile file = read_osm(folder / "road.osm", {.profile = profile, .all = true});
  bool forward = false, backward = false;
  for (ArcIndex arc = 0; arc < file.graph.arc_count(); ++arc) {
    if (file.shape.segment_way[file.shape.segment(arc)] != 1) continue;
    (file.shape.against(arc) ? backward : forward) = true;
  }
  return std::string(forward ? "forward" : "") + (forward && backward ? " " : "") +
         (backward ? "backward" : "");
}

TEST(OsmProfile, DirectionsByTheBook) {
  const struct {
    const char* profile;
    Tags tags;
    const char* open;
  } kCases[] = {
      {"car", {{"highway", "primary"}}, "forward backward"},
      {"car", {{"highway", "primary"}, {"oneway", "reversible"}}, ""},
      {"car", {{"highway", "motorway"}, {"oneway", "reversible"}}, ""},
      {"car", {{"highway", "primary"}, {"oneway", "alternating"}}, "forward backward"},
      {"car", {{"highway", "primary"}, {"oneway:vehicle", "yes"}}, "forward"},
      {"car", {{"highway", "primary"}, {"oneway:vehicle", "-1"}}, "backward"},
      {"car",
       {{"highway", "primary"}, {"oneway", "yes"}, {"oneway:vehicle", "no"}},
       "forward backward"},
      {"car",
       {{"highway", "primary"}, {"oneway:vehicle", "yes"}, {"oneway:motorcar", "no"}},
       "forward backward"},
      {"bicycle", {{"highway", "primary"}, {"oneway:bicycle", "-1"}, {"foot", "no"}}, "backward"},
      // A bicycle is pushed against one-way streets, and where only walkers may go.
      {"bicycle", {{"highway", "primary"}, {"oneway:vehicle", "yes"}}, "forward backward"},
      {"bicycle", {{"highway", "primary"}, {"junction", "roundabout"}}, "forward"},
      {"bicycle", {{"highway", "primary"}, {"oneway", "yes"}, {"foot", "no"}}, "forward"},
      {"bicycle", {{"highway", "primary"}, {"oneway", "yes"}, {"bicycle", "no"}}, ""},
      {"bicycle", {{"route", "ferry"}, {"oneway", "yes"}}, "forward"},
      {"bicycle", {{"highway", "bridleway"}, {"foot", "yes"}}, "forward backward"},
      {"bicycle", {{"highway", "motorway"}, {"foot", "yes"}}, "forward"},
      {"bicycle", {{"railway", "train"}, {"bicycle", "yes"}}, "forward backward"},
      {"bicycle", {{"railway", "train"}}, ""},
      {"bicycle", {{"railway", "construction"}, {"bicycle", "yes"}}, ""},
      {"bicycle", {{"highway", "cycleway"}, {"railway", "abandoned"}}, "forward backward"},
      {"bicycle", {{"highway", "primary"}, {"oneway", "reversible"}}, ""},
      {"foot", {{"highway", "primary"}, {"oneway", "reversible"}}, "forward backward"},
      {"foot", {{"highway", "steps"}, {"conveying", "forward"}}, "forward"},
      {"foot", {{"highway", "steps"}, {"conveying", "backward"}}, "backward"},
      {"foot", {{"highway", "steps"}, {"conveying", "yes"}}, "forward backward"},
      {"foot", {{"highway", "steps"}, {"conveying", "reversible"}}, "forward backward"},
      {"foot", {{"highway", "footway"}, {"conveying", "forward"}}, "forward"},
      {"foot",
       {{"highway", "steps"}, {"conveying", "forward"}, {"oneway", "no"}},
       "forward backward"},
      {"foot", {{"highway", "residential"}, {"conveying", "forward"}}, "forward backward"},
      {"foot", {{"highway", "primary"}, {"sidewalk", "separate"}}, ""},
      {"foot",
       {{"highway", "primary"}, {"sidewalk", "separate"}, {"foot", "yes"}},
       "forward backward"},
      {"bicycle", {{"highway", "motorway"}, {"cycleway", "lane"}}, "forward"},
      {"foot",
       {{"highway", "footway"}, {"conveying", "backward"}, {"oneway:foot", "no"}},
       "forward backward"},
      {"car", {{"highway", "primary"}, {"smoothness", "impassable"}}, ""},
      {"bicycle", {{"highway", "track"}, {"smoothness", "impassable"}}, ""},
      {"car", {{"highway", "primary"}, {"smoothness", "very_horrible"}}, "forward backward"},
      // Access opens classes that are not listed, in the direction it speaks of.
      {"car", {{"highway", "track"}}, ""},
      {"car", {{"highway", "track"}, {"motor_vehicle", "yes"}}, "forward backward"},
      {"car", {{"highway", "track"}, {"motor_vehicle", "destination"}}, ""},
      {"car", {{"highway", "pedestrian"}, {"vehicle:forward", "yes"}}, "forward"},
      {"car", {{"highway", "steps"}, {"access", "yes"}}, ""},
      {"car", {{"waterway", "canal"}, {"access", "yes"}}, ""},
      {"bicycle", {{"highway", "motorway"}}, ""},
      {"bicycle", {{"highway", "motorway"}, {"bicycle", "yes"}}, "forward"},
      {"foot", {{"highway", "motorway"}, {"foot", "yes"}}, "forward backward"},
      {"car", {{"highway", "motorway_link"}}, "forward backward"},
      {"car", {{"highway", "tertiary"}, {"access", "private"}}, "forward backward"},
      {"foot", {{"highway", "tertiary"}, {"access", "private"}}, ""},
      // The profile's own vehicle.
      {"car", {{"highway", "primary"}, {"maxheight", "1.9"}}, ""},
      {"car", {{"highway", "primary"}, {"maxheight", "2"}}, "forward backward"},
      {"car", {{"highway", "primary"}, {"maxwidth", "1.9"}}, ""},
      {"car", {{"highway", "primary"}, {"maxweight", "1.5"}}, ""},
      {"car", {{"highway", "primary"}, {"maxlength", "4"}}, ""},
      {"bicycle", {{"highway", "primary"}, {"maxwidth", "1"}}, "forward backward"},
      // Areas are walked along their edge.
      {"foot", {{"highway", "pedestrian"}, {"area", "yes"}}, "forward backward"},
      {"car", {{"highway", "service"}, {"area", "yes"}}, ""},
  };
  for (const auto& test : kCases) {
    std::string text = test.profile;
    for (const auto& [key, value] : test.tags) text += " " + key + "=" + value;
    EXPECT_EQ(open_directions(test.tags, test.profile), test.open) << text;
  }
}

TEST(OsmProfile, BarriersByTheBook) {
  const struct {
    Tags node;
    bool car, bicycle, foot;
  } kCases[] = {
      {{{"barrier", "bollard"}}, false, true, true},
      {{{"barrier", "bollard"}, {"bollard", "rising"}}, true, true, true},
      {{{"barrier", "gate"}}, true, true, true},
      {{{"barrier", "gate"}, {"access", "no"}}, false, false, false},
      {{{"barrier", "gate"}, {"access", "private"}}, true, false, false},
      {{{"barrier", "wall"}}, false, false, false},
      {{{"barrier", "wall"}, {"access", "yes"}}, true, true, true},
      {{{"barrier", "kerb"}}, false, true, true},
      {{{"barrier", "kerb"}, {"highway", "crossing"}}, true, true, true},
      {{{"barrier", "kerb"}, {"kerb", "flush"}}, true, true, true},
      {{{"barrier", "fence"}, {"sensory", "audible"}}, true, true, true},
      {{{"barrier", "no"}}, true, true, true},
      {{{"barrier", "height_restrictor"}, {"maxheight", "1.8"}}, false, true, true},
      {{{"barrier", "height_restrictor"}, {"maxheight", "3"}}, true, true, true},
      {{{"access", "no"}}, false, false, false},
      {{{"access", "no"}, {"highway", "crossing"}}, true, true, true},
      {{{"highway", "traffic_signals"}}, true, true, true},
  };
  for (const auto& test : kCases) {
    Extract road;
    road.node(1, 0, 0).node(2, 0.001, 0, test.node).node(3, 0.002, 0);
    road.way(1, {1, 2, 3}, {{"highway", "residential"}});
    const ScratchFolder folder;
    road.write(folder / "road.osm");
    for (const auto& [profile, open] :
         {std::pair{"car", test.car}, {"bicycle", test.bicycle}, {"foot", test.foot}}) {
      const GraphFile file = read_osm(folder / "road.osm", {.profile = profile, .all = true});
      EXPECT_EQ(file.graph.node_count() <= 3, open)
          << profile << " " << test.node[0].first << "=" << test.node[0].second << " "
          << test.node.back().first << "=" << test.node.back().second;
    }
  }
}

TEST(OsmProfile, AccessValuesAreListsOfGroups) {
  const struct {
    const char* value;
    bool car, bicycle, foot;
  } kCases[] = {
      {"yes", true, true, true},
      {"no", false, false, false},
      {"agricultural;forestry", false, false, false},
      {"forestry;agricultural", false, false, false},
      {"forestry; destination", true, true, true},
      {"no;yes", true, true, true},
      {"taxi", false, false, false},
      {"bus;taxi", false, false, false},
      {"minibus", false, false, false},
      {"restricted", false, false, false},
      {"emergency_vehicle", false, false, false},
      {"share_taxi", false, false, false},
      {"residents", true, true, true},
      {"official", false, true, true},
      {"foot", false, false, true},
      {"foot;bicycle", false, true, true},
      {"motorcar", true, false, false},
      {"unknown", true, true, true},
      {"a slip of the pen", true, true, true},
      {"", true, true, true},
      {";", true, true, true},
  };
  for (const auto& test : kCases) {
    for (const auto& [profile, open] :
         {std::pair{"car", test.car}, {"bicycle", test.bicycle}, {"foot", test.foot}}) {
      EXPECT_EQ(open_directions({{"highway", "residential"}, {"access", test.value}}, profile),
                open ? "forward backward" : "")
          << profile << " access=" << test.value;
    }
  }
  // A value that says nothing leaves the word to the more general key.
  EXPECT_EQ(
      open_directions({{"highway", "service"}, {"access", "no"}, {"motorcar", "unknown"}}, "car"),
      "");
}

TEST(OsmProfile, DurationsOfFerries) {
  const struct {
    const char* text;
    double seconds;  // 0: by its speed, 12 km/h
  } kCases[] = {
      {"00:15", 900},
      {"90", 5400},
      {"01:30:00", 5400},
      {"PT1M", 60},
      {"PT1H30M", 5400},
      {"PT90S", 90},
      {"P1DT2H", 93600},
      {"PT0.5H", 1800},
      {" PT5M ", 300},
      {"P1W", 604800},
      {"P", 0},
      {"PT", 0},
      {"PT5", 0},
      {"PTM", 0},
      {"PT1M1H", 0},
      {"PT1M1M", 0},
      {"P1H", 0},
      {"P1M", 0},
      {"PT-5M", 0},
      {"PT1MT1S", 0},
      {"P1Y", 0},
      {"PT5MS", 0},
      {"PTinfM", 0},
      {"PT1e9999H", 0},
      {"soon", 0},
      {"PT99999999999H", 0},
      {"1:2:3:4", 0},
      {"-5", 0},
      {"", 0},
  };
  const double metres = distance_between(CoordinateKind::kDegrees, {0, 0}, {0.01, 0});
  for (const auto& test : kCases) {
    Extract road;
    road.node(1, 0, 0).node(2, 0.01, 0);
    road.way(1, {1, 2}, {{"route", "ferry"}, {"duration", test.text}});
    const ScratchFolder folder;
    road.write(folder / "road.osm");
    const double expected = test.seconds > 0 ? 10 * test.seconds : std::round(36 * metres / 12);
    EXPECT_EQ(read_osm(folder / "road.osm").graph.arcs(0)[0].weight, expected) << test.text;
  }
}

TEST(OsmProfile, SpeedsMayDifferByDirection) {
  Extract road;
  road.node(1, 0, 0).node(2, 0.01, 0);
  road.way(1, {1, 2},
           {{"highway", "primary"}, {"maxspeed:forward", "40"}, {"maxspeed:backward", "80"}});
  const ScratchFolder folder;
  road.write(folder / "road.osm");
  const GraphFile file = read_osm(folder / "road.osm");
  const NodeId west = file.graph.points()[0].x == 0 ? 0 : 1;
  EXPECT_NEAR(file.graph.arcs(west)[0].weight, 2 * file.graph.arcs(1 - west)[0].weight, 1);
}

TEST(OsmProfile, AUsersOwnProfile) {
  Extract road;
  road.node(1, 0, 0).node(2, 0.01, 0).way(1, {1, 2}, {{"waterway", "canal"}});
  const ScratchFolder folder;
  road.write(folder / "road.osm");
  const std::string boat = folder.write(
      "boat.json", R"({"name": "boat", "roads": {"waterway": {"river": 8, "canal": 6}}})");
  EXPECT_THROW(read_osm(folder / "road.osm"), Error);
  const GraphFile file = read_osm(folder / "road.osm", {.profile = boat});
  EXPECT_EQ(file.graph.arc_count(), 2u);
  EXPECT_EQ(file.notes[0], "profile boat, weights are times in tenths of a second");
  const struct {
    const char* json;
    const char* what;
  } kWrong[] = {
      {"{", "is no profile"},
      {"[]", "is not an object"},
      {"{}", "has no 'roads'"},
      {R"({"roads": {"a": {"b": "fast"}}})", "'b' is not a number"},
      {R"({"roads": {"a": {"b": -1}}})", "'b' is not a number"},
      {R"({"roads": {"a": {"b": 5}}, "acess": {}})", "unknown rule 'acess'"},
      {R"({"roads": {"a": {"b": 5}}, "speed": {"country": "XX"}})", "'countries' has no 'XX'"},
      {R"({"roads": {"a": {"b": 5}}, "speed": {"least": 9, "most": 8}})", "'least' above"},
      {R"({"roads": {"a": {"b": 5}}, "oneway": {"keys": "oneway"}})", "'keys' is no list"},
      {R"({"roads": {"a": {"b": 5}}, "entry": {"classes": ["x"]}})", "unknown class 'x'"},
      {R"({"roads": {"a": {"b": 5}}, "entry": {"seconds": -1}})", "'seconds' is not a number"},
      {R"({"roads": {"a": {"b": 5}}, "vehicle": {"hight": 2}})", "unknown rule 'hight'"},
      {R"({"roads": {"a": {"b": 0}}})", "'b' is not a number above 0 and up to 1000"},
      {R"({"roads": {"a": {"b": 1000.5}}})", "'b' is not a number above 0 and up to 1000"},
      {R"({"roads": {"a": {"b": 5}}, "entry": {"seconds": 1000001}})",
       "'seconds' is not a number of seconds up to 1000000"},
      {R"({"roads": {"a": {"b": 5}}, "entry": {"second": 1}})", "unknown rule 'second'"},
  };
  for (const auto& wrong : kWrong) {
    const std::string path = folder.write("wrong.json", wrong.json);
    try {
      read_osm(folder / "road.osm", {.profile = path});
      FAIL() << wrong.json;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(wrong.what), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("wrong.json"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(read_osm(folder / "road.osm", {.profile = "spaceship"}), Error);
  // The ends of the ranges belong to them.
  for (const char* seconds : {"0", "1000000"}) {
    const std::string limits =
        folder.write("limits.json", std::string(R"({"roads": {"waterway": {"canal": 1000}}, )") +
                                        R"("entry": {"seconds": )" + seconds + "}}");
    EXPECT_EQ(read_osm(folder / "road.osm", {.profile = limits}).graph.arc_count(), 2u) << seconds;
  }
}

// Turns to both sides cost the same unless a profile says otherwise.
TEST(OsmProfile, TurnsHaveNoBiasByDefault) {
  Extract road;
  road.node(1, 0, 0).node(2, 0.01, 0).node(3, 0.02, 0).node(4, 0.01, 0.01).node(5, 0.01, -0.01);
  road.way(1, {1, 2, 3}, {{"highway", "residential"}});
  road.way(2, {4, 2, 5}, {{"highway", "residential"}});
  const ScratchFolder folder;
  road.write(folder / "road.osm");
  const auto weights = [&](const std::string& more) {
    const std::string path = folder.write(
        "turns.json",
        R"({"roads": {"highway": {"residential": 30}}, "turns": {"seconds": 20)" + more + "}}");
    return read_osm(folder / "road.osm", {.profile = path, .turns = true}).graph.weights();
  };
  const std::vector<Weight> plain = weights("");
  EXPECT_EQ(plain, weights(R"(, "bias": 1)"));
  EXPECT_NE(plain, weights(R"(, "bias": 2)"));
}

// The classes of a country are those of highways alone.
TEST(OsmProfile, CountriesChangeHighways) {
  Extract road;
  road.node(1, 0, 0).node(2, 0.01, 0).node(3, 0.02, 0);
  road.way(1, {1, 2}, {{"highway", "primary"}}).way(2, {2, 3}, {{"waterway", "primary"}});
  const ScratchFolder folder;
  road.write(folder / "road.osm");
  const auto weights = [&](const std::string& country) {
    const std::string path = folder.write(
        "land.json", R"({"roads": {"highway": {"primary": 10}, "waterway": {"primary": 10}},
          "speed": {"country": ")" +
                         country + R"(", "countries": {"AT": {"primary": 20}}}})");
    const GraphFile file = read_osm(folder / "road.osm", {.profile = path});
    std::vector<Weight> out;
    for (NodeId v = 0; v < file.graph.node_count(); ++v) {
      if (file.shape.node_id[v] != 2) out.push_back(file.graph.arcs(v)[0].weight);
    }
    std::sort(out.begin(), out.end());
    return out;
  };
  const std::vector<Weight> plain = weights(""), other = weights("AT");
  ASSERT_EQ(plain.size(), 2u);
  EXPECT_EQ(plain[0], plain[1]);
  EXPECT_NEAR(other[0], plain[0] / 2, 1);
  EXPECT_EQ(other[1], plain[1]);
}

// Limits of the profile's vehicle hold for nodes as well, however light it is.
TEST(OsmProfile, BarriersForLightVehicles) {
  const struct {
    const char* key;
    const char* value;
    bool open;
  } kCases[] = {{"maxweight", "0.4", false}, {"maxweight", "0.5", true},
                {"maxlength", "0.8", false}, {"maxlength", "0.9", true},
                {"maxheight", "0.6", false}, {"maxheight", "0.7", true},
                {"maxwidth", "0.3", false},  {"maxwidth", "0.31", true}};
  const ScratchFolder folder;
  const std::string cart =
      folder.write("cart.json",
                   R"({"roads": {"highway": {"residential": 5}}, "access": {"keys": ["cart"]},
          "barriers": {"barrier": ["gate"]}, "passable": {"barrier": ["gate"]},
          "limits": {"height": ["maxheight"], "width": ["maxwidth"], "length": ["maxlength"],
                     "weight": ["maxweight"]},
          "vehicle": {"height": 0.7, "width": 0.3, "length": 0.9, "weight": 0.5}})");
  for (const auto& test : kCases) {
    Extract road;
    road.node(1, 0, 0).node(2, 0.001, 0, {{"barrier", "gate"}, {test.key, test.value}});
    road.node(3, 0.002, 0).way(1, {1, 2, 3}, {{"highway", "residential"}});
    road.write(folder / "road.osm");
    const GraphFile file = read_osm(folder / "road.osm", {.profile = cart, .all = true});
    EXPECT_EQ(file.graph.node_count() <= 3, test.open) << test.key << "=" << test.value;
  }
}

}  // namespace
}  // namespace lodestar::osm_profile_test
