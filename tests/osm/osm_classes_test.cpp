// Metrics of an import: times and lengths, classes of roads, limits for vehicles.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "extract.h"
#include "lodestar/osm.h"
#include "osm/vehicle_limits.h"
#include "random_town.h"
#include "scratch_folder.h"

namespace lodestar::osm_classes_test {
namespace {

using osm::Extract;
using osm::Tags;

// A road of one way with these tags.
GraphFile road_with(const Tags& tags, const ReadOptions& options = {}) {
  Extract road;
  road.node(1, 0, 0).node(2, 0.01, 0).way(1, {1, 2}, tags);
  const ScratchFolder folder;
  road.write(folder / "road.osm");
  return read_osm(folder / "road.osm", options);
}

std::set<std::string> classes_of(const Metrics& metrics, ArcIndex arc) {
  std::set<std::string> names;
  const ArcKind& kind = metrics.kinds[metrics.arc_kind[arc]];
  for (std::size_t i = 0; i < metrics.classes.size(); ++i) {
    if ((kind.classes >> i & 1) != 0) names.insert(metrics.classes[i]);
  }
  return names;
}

std::string said(const Tags& tags) {
  std::string text;
  for (const auto& [key, value] : tags) text += key + "=" + value + " ";
  return text;
}

TEST(OsmClasses, ByTheBook) {
  const struct {
    const char* profile;
    Tags tags;
    std::set<std::string> classes;
  } kCases[] = {
      {"car", {{"highway", "motorway"}, {"oneway", "no"}}, {"motorway"}},
      {"car", {{"highway", "motorway_link"}, {"oneway", "no"}}, {"motorway", "link"}},
      {"car", {{"highway", "primary_link"}, {"toll", "yes"}}, {"primary", "link", "toll"}},
      {"car", {{"highway", "primary"}, {"toll", "no"}}, {"primary"}},
      {"car", {{"route", "ferry"}}, {"ferry", "no_stop"}},
      {"car", {{"route", "shuttle_train"}}, {"train", "no_stop"}},
      {"car", {{"highway", "trunk"}, {"tunnel", "yes"}}, {"trunk", "tunnel"}},
      {"car", {{"highway", "trunk"}, {"tunnel", "building_passage"}}, {"trunk", "tunnel"}},
      {"car", {{"highway", "trunk"}, {"tunnel", "no"}}, {"trunk"}},
      {"car", {{"highway", "trunk"}, {"bridge", "viaduct"}}, {"trunk", "bridge"}},
      {"car", {{"highway", "service"}, {"surface", "gravel"}}, {"service", "unpaved"}},
      {"car", {{"highway", "service"}, {"surface", "asphalt;gravel"}}, {"service", "unpaved"}},
      {"car", {{"highway", "service"}, {"surface", "asphalt"}}, {"service"}},
      {"car", {{"highway", "service"}, {"access", "customers"}}, {"service", "restricted"}},
      {"car",
       {{"highway", "residential"}, {"motor_vehicle", "destination"}},
       {"residential", "restricted", "destination"}},
      {"car",
       {{"highway", "residential"}, {"access", "destination"}, {"motorcar", "yes"}},
       {"residential"}},
      {"car", {{"highway", "service"}, {"access", "nonsense"}}, {"service"}},
      {"car",
       {{"highway", "service"}, {"access", "private"}},
       {"service", "restricted", "no_stop"}},
      {"car", {{"highway", "tertiary"}, {"access", "private"}}, {"tertiary", "restricted"}},
      {"car", {{"highway", "primary"}, {"hov", "designated"}}, {"primary", "hov"}},
      {"foot", {{"highway", "steps"}}, {"steps"}},
      {"foot", {{"highway", "path"}, {"surface", "mud"}}, {"path", "unpaved"}},
      {"bicycle", {{"highway", "cycleway"}, {"bridge", "yes"}}, {"cycleway", "bridge"}},
      {"bicycle", {{"highway", "tertiary_link"}}, {"tertiary", "link"}},
  };
  for (const auto& test : kCases) {
    const GraphFile file = road_with(test.tags, {.profile = test.profile});
    ASSERT_EQ(file.graph.arc_count(), 2u) << said(test.tags);
    for (const ArcIndex arc : {0, 1}) {
      EXPECT_EQ(classes_of(file.metrics, arc), test.classes) << said(test.tags);
    }
  }
}

TEST(OsmClasses, NamesOfOsrmAreKnownWithoutSuchRoads) {
  for (const char* profile : {"car", "bicycle", "foot"}) {
    const GraphFile file = road_with({{"highway", "residential"}}, {.profile = profile});
    for (const char* name : {"toll", "ferry", "restricted", "tunnel"}) {
      EXPECT_TRUE(file.metrics.find_class(name)) << profile << " " << name;
    }
  }
  EXPECT_TRUE(road_with({{"highway", "residential"}}).metrics.find_class("motorway"));
}

TEST(OsmClasses, LimitsInMetres) {
  const float kNone = ArcKind::kNoLimit;
  const std::pair<const char*, float> kKnown[] = {{"4.5", 4.5f},
                                                  {"4.5 m", 4.5f},
                                                  {"4.5m", 4.5f},
                                                  {" 4 ", 4.0f},
                                                  {"4,2", 4.2f},
                                                  {"3 m 50 cm", 3.5f},
                                                  {"250 cm", 2.5f},
                                                  {"14'6\"", 4.4196f},
                                                  {"14' 6\"", 4.4196f},
                                                  {"14'6", 4.4196f},
                                                  {"14 ft 6 in", 4.4196f},
                                                  {"14ft6in", 4.4196f},
                                                  {"14'", 4.2672f},
                                                  {"14 ft", 4.2672f},
                                                  {"14′6″", 4.4196f},
                                                  {"14'6''", 4.4196f},
                                                  {"100 in", 2.54f},
                                                  {"13 Feet", 3.9624f},
                                                  {"none", kNone},
                                                  {"default", kNone},
                                                  {"below_default", kNone},
                                                  {"no_indications", kNone},
                                                  {"3.5;4", 3.5f},
                                                  {"none;4", 4.0f},
                                                  {"12'11.5\"", 3.94970f}};
  for (const auto& [text, metres] : kKnown) {
    const std::optional<float> limit = osm::limit_in_metres(text);
    ASSERT_TRUE(limit) << text;
    if (std::isinf(metres)) {
      EXPECT_EQ(*limit, metres) << text;
    } else {
      EXPECT_NEAR(*limit, metres, 1e-4) << text;
    }
  }
  for (const char* text :
       {"", "high", "0", "-3", "4.5 t", "4.5 m m", "6 in 14 ft", "4 5", "3 m 2 ft", "14' 6 m",
        "4.5 @ (wet)", "1e9", "nan", "inf", ";", "4;x", "3 m 5", "4..5", "4.2.1"}) {
    EXPECT_FALSE(osm::limit_in_metres(text)) << text;
  }
}

TEST(OsmClasses, LimitsInTonnes) {
  const std::pair<const char*, float> kKnown[] = {
      {"7.5", 7.5f},        {"7.5 t", 7.5f},           {"7.5t", 7.5f},
      {"3500 kg", 3.5f},    {"10 st", 9.0718474f},     {"10 tons", 9.0718474f},
      {"1 lt", 1.0160469f}, {"10000 lbs", 4.5359237f}, {"18;7.5", 7.5f}};
  for (const auto& [text, tonnes] : kKnown) {
    const std::optional<float> limit = osm::limit_in_tonnes(text);
    ASSERT_TRUE(limit) << text;
    EXPECT_NEAR(*limit, tonnes, 1e-5) << text;
  }
  EXPECT_EQ(osm::limit_in_tonnes("unsigned"), ArcKind::kNoLimit);
  for (const char* text : {"", "heavy", "7.5 m", "7'6", "-1", "0 t", "5 t 300 kg"}) {
    EXPECT_FALSE(osm::limit_in_tonnes(text)) << text;
  }
}

TEST(OsmClasses, LimitsOfWaysAndTheirRemarks) {
  const Tags tags = {{"highway", "primary"},
                     {"maxheight", "3.8"},
                     {"maxheight:physical", "4"},
                     {"maxwidth", "7'"},
                     {"maxweight", "lots"}};
  const GraphFile file = road_with(tags);
  const ArcKind kind = file.metrics.kinds[file.metrics.arc_kind[0]];
  EXPECT_FLOAT_EQ(kind.max_height, 3.8f);
  EXPECT_FLOAT_EQ(kind.max_width, 2.1336f);
  EXPECT_EQ(kind.max_weight, ArcKind::kNoLimit);
  std::string notes;
  for (const std::string& note : file.notes) notes += note + "\n";
  EXPECT_NE(notes.find("1 way has a limit of height, width or weight not understood"),
            std::string::npos)
      << notes;
  const GraphFile walk = road_with(tags, {.profile = "foot"});
  EXPECT_EQ(walk.metrics.kinds[walk.metrics.arc_kind[0]].max_height, ArcKind::kNoLimit);
}

TEST(OsmClasses, ProfilesOfTheUser) {
  const ScratchFolder folder;
  const auto parse = [&](const std::string& rules) {
    const std::string path = folder / "own.json";
    folder.write("own.json", R"({"roads": {"highway": {"primary": 50}})" + rules + "}");
    return road_with({{"highway", "primary"}, {"lit", "yes"}, {"toll", "yes"}, {"height", "3"}},
                     {.profile = path});
  };
  // Without rules of its own it has those of cars.
  EXPECT_EQ(classes_of(parse("").metrics, 0), (std::set<std::string>{"primary", "toll"}));
  const GraphFile file =
      parse(R"(, "classes": {"bright": {"lit": ["*"]}}, "limits": {"height": ["height"]})");
  EXPECT_EQ(file.metrics.class_names(), "bright");
  EXPECT_EQ(classes_of(file.metrics, 0), (std::set<std::string>{"bright"}));
  EXPECT_EQ(file.metrics.kinds[file.metrics.arc_kind[0]].max_height, 3);
  EXPECT_TRUE(parse(R"(, "classes": {}, "limits": {})").metrics.classes.empty());
  for (const char* wrong :
       {R"(, "classes": {"a b": {"lit": ["yes"]}})", R"(, "classes": {"": {"lit": ["yes"]}})",
        R"(, "classes": {"a": ["yes"]})", R"(, "classes": {"a": {"lit": "yes"}})",
        R"(, "limits": {"depth": ["maxdepth"]})", R"(, "limits": {"height": "maxheight"})"}) {
    EXPECT_THROW(parse(wrong), Error) << wrong;
  }
  std::string many;
  for (int i = 0; i < 65; ++i) {
    many += (i > 0 ? ", \"" : "\"") + std::to_string(i) + "\": {}";
  }
  EXPECT_THROW(parse(R"(, "classes": {)" + many + "}"), Error);
}

// Both imports of a town have the same two metrics, the one first that was asked for; shape and
// metrics agree.
TEST(OsmMetrics, TimeAndLengthOfEveryArc) {
  const ScratchFolder folder;
  const std::string path = folder / "town.osm";
  osm::RandomTown(7, true).extract().write(path);
  for (const bool turns : {false, true}) {
    const GraphFile by_time = read_osm(path, {.turns = turns});
    const GraphFile by_length = read_osm(path, {.weight = "length", .turns = turns});
    EXPECT_EQ(by_time.metrics.names(), "time, length");
    EXPECT_EQ(by_length.metrics.names(), "length, time");
    EXPECT_EQ(by_time.metrics.metrics[0], (Metric{"time", "s", 0.1}));
    EXPECT_EQ(by_time.metrics.metrics[1], (Metric{"length", "m", 0.1}));
    for (const GraphFile* file : {&by_time, &by_length}) {
      const Metrics& metrics = file->metrics;
      const std::size_t arcs = file->graph.arc_count();
      EXPECT_EQ(what_is_wrong(metrics, arcs), "");
      const std::size_t time = *metrics.find("time"), length = *metrics.find("length");
      std::map<std::int64_t, std::set<std::string>> of_way;
      for (ArcIndex arc = 0; arc < arcs; ++arc) {
        EXPECT_EQ(metrics.weight(file->graph, time, arc), file->shape.arc_duration[arc]);
        EXPECT_EQ(metrics.weight(file->graph, length, arc),
                  file->shape.segment_length[file->shape.segment(arc)]);
        const std::int64_t way = file->shape.segment_way[file->shape.segment(arc)];
        const auto [entry, fresh] = of_way.emplace(way, classes_of(metrics, arc));
        EXPECT_FALSE(entry->second.empty());
        EXPECT_TRUE(fresh || entry->second == classes_of(metrics, arc));
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::osm_classes_test
