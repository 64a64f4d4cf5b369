// What an import keeps of roads for responses: ids of all nodes, numbers, signs, modes, driving
// sides.
#include <gtest/gtest.h>

#include "extract.h"
#include "lodestar/osm.h"
#include "scratch_folder.h"

namespace lodestar::osm_details_test {
namespace {

using osm::Extract;
using osm::Tags;

TEST(OsmDetails, KeepsIdsOfBendsAndWhatSignsSay) {
  Extract town;
  town.node(1, 0, 0).node(12'000'000'000, 0.001, 0.0005).node(-3, 0.0015, 0).node(4, 0.002, 0);
  town.node(5, 0.003, 0).node(6, 0.003, 0.001);
  town.way(7, {1, 12'000'000'000, -3, 4},
           {{"highway", "motorway_link"},
            {"oneway", "yes"},
            {"ref", "A 1;A 2"},
            {"destination", "Chur; Sargans"},
            {"destination:ref", "A 13"},
            {"junction:ref", "12"}})
      .way(8, {4, 5},
           {{"highway", "residential"},
            {"name", "Lane"},
            {"driving_side", "left"},
            {"destination", "Nowhere"}})
      .way(9, {5, 6}, {{"route", "ferry"}, {"name", "Lane"}})
      .way(10, {5, 1}, {{"highway", "residential"}, {"name", "Lane"}});
  const ScratchFolder folder;
  town.write(folder / "town.osm");
  for (const bool turns : {false, true}) {
    const GraphFile read = read_osm(folder / "town.osm", {.turns = turns, .all = true});
    write_graph(read, folder / "town.lsg");
    const Shape shape = read_graph(folder / "town.lsg").shape;
    ASSERT_EQ(shape.segment_count(), 4u);
    const auto text = [&](std::uint32_t i) { return std::string(shape.text(i)); };
    const StreetDetail link = shape.detail(0);
    EXPECT_EQ(text(link.ref), "A 1, A 2");
    EXPECT_EQ(text(link.destinations), "A 13: Chur, Sargans\n12");
    EXPECT_EQ(text(link.mode), "driving");
    EXPECT_EQ(link.left, 0u);
    EXPECT_EQ(shape.point_id.part(shape.first_point[0], shape.first_point[1]),
              (std::vector<std::int64_t>{12'000'000'000, -3}));
    EXPECT_EQ(shape.detail(1).left, 1u);
    EXPECT_EQ(text(shape.detail(1).destinations), "");  // it has two directions
    EXPECT_EQ(text(shape.detail(2).mode), "ferry");
    EXPECT_EQ(shape.detail(3).left, 0u);
    EXPECT_EQ(shape.street(1), "Lane");
    EXPECT_EQ(shape.street(2), "Lane");
    EXPECT_EQ(shape.street(3), "Lane");
  }
}

TEST(OsmDetails, ModesByProfile) {
  const struct {
    const char* profile;
    Tags tags;
    const char* mode;
  } kCases[] = {
      {"car", {{"highway", "primary"}}, "driving"},
      {"car", {{"route", "shuttle_train"}}, "train"},
      {"bicycle", {{"highway", "primary"}}, "cycling"},
      {"bicycle", {{"highway", "footway"}}, "pushing bike"},
      {"bicycle", {{"highway", "footway"}, {"bicycle", "yes"}}, "cycling"},
      {"bicycle", {{"highway", "path"}, {"bicycle", "dismount"}}, "pushing bike"},
      {"bicycle", {{"route", "ferry"}, {"bicycle", "yes"}}, "ferry"},
      {"bicycle", {{"highway", "primary"}, {"oneway", "yes"}}, "cycling;pushing bike"},
      {"bicycle", {{"highway", "primary"}, {"oneway", "-1"}}, "pushing bike;cycling"},
      {"bicycle", {{"highway", "footway"}, {"oneway", "yes"}}, "pushing bike"},
      {"bicycle", {{"highway", "bridleway"}, {"foot", "yes"}}, "pushing bike"},
      {"bicycle", {{"highway", "residential"}, {"railway", "tram"}}, "cycling"},
      {"bicycle", {{"railway", "tram"}, {"bicycle", "yes"}}, "train"},
      {"foot", {{"highway", "steps"}}, "walking"},
      {"foot", {{"route", "ferry"}}, "ferry"},
  };
  const ScratchFolder folder;
  for (const auto& [profile, tags, mode] : kCases) {
    Extract road;
    road.node(1, 0, 0).node(2, 0.01, 0).way(1, {1, 2}, tags);
    road.write(folder / "road.osm");
    const Shape shape = read_osm(folder / "road.osm", {.profile = profile}).shape;
    EXPECT_EQ(shape.text(shape.detail(0).mode), mode) << profile;
  }
  Extract road;
  road.node(1, 0, 0).node(2, 0.01, 0).way(1, {1, 2}, {{"waterway", "canal"}});
  road.write(folder / "road.osm");
  const std::string boat = folder.write(
      "boat.json",
      R"({"roads": {"waterway": {"canal": 6}}, "mode": "sailing", "driving_side": "left"})");
  const Shape shape = read_osm(folder / "road.osm", {.profile = boat}).shape;
  EXPECT_EQ(shape.text(shape.detail(0).mode), "sailing");
  EXPECT_EQ(shape.detail(0).left, 1u);
}

TEST(OsmDetails, WrongModesAreErrors) {
  Extract road;
  road.node(1, 0, 0).node(2, 0.01, 0).way(1, {1, 2}, {{"highway", "primary"}});
  const ScratchFolder folder;
  road.write(folder / "road.osm");
  const std::pair<const char*, const char*> kWrong[] = {
      {R"("mode": 3)", "'mode' is no text"},
      {R"("mode": "")", "'mode' is no text"},
      {R"("modes": {"a": {"b": ""}})", "'b' is no text"},
      {R"("modes": {"a": "b"})", "is not an object"},
      {R"("driving_side": "middle")", "'driving_side' is left or right"},
  };
  for (const auto& [rule, what] : kWrong) {
    const std::string path = folder.write(
        "wrong.json", R"({"roads": {"highway": {"primary": 5}}, )" + std::string(rule) + "}");
    try {
      read_osm(folder / "road.osm", {.profile = path});
      FAIL() << rule;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace lodestar::osm_details_test
