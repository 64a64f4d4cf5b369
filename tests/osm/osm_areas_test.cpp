// Water, parks, coasts and streams of an extract.
#include <gtest/gtest.h>

#include <algorithm>

#include "extract.h"
#include "lodestar/osm.h"
#include "scratch_folder.h"

namespace lodestar::osm::osm_areas_test {
namespace {

using Line = std::vector<FixedPoint>;

// Nodes 10 r + c on a lattice of thousandths of degrees.
Extract lattice() {
  Extract town;
  for (int r = 0; r < 10; ++r) {
    for (int c = 0; c < 10; ++c) town.node(10 * r + c, c / 1000.0, r / 1000.0);
  }
  return town;
}

std::vector<MapArea> areas_of(const Extract& town) {
  const ScratchFolder folder;
  std::vector<MapArea> out;
  for (const char* name : {"town.osm.pbf", "town.osm"}) {
    town.write(folder / name, false);
    auto read = read_osm_areas(folder / name);
    std::sort(read.begin(), read.end(),
              [](const MapArea& a, const MapArea& b) { return a.kind < b.kind; });
    EXPECT_TRUE(out.empty() || out.size() == read.size());
    out = std::move(read);
  }
  return out;
}

Line line_of(const std::vector<int>& nodes) {
  Line out;
  for (const int v : nodes) out.push_back({v % 10 * 10'000, v / 10 * 10'000});
  return out;
}

TEST(OsmAreas, ClosedWaysAreAreasByTheirTags) {
  Extract town = lattice();
  town.way(1, {11, 12, 22, 21, 11}, {{"leisure", "park"}});
  town.way(2, {31, 32, 42, 41, 31}, {{"natural", "water"}});
  town.way(3, {51, 52, 62, 61, 51}, {{"building", "yes"}});
  town.way(4, {71, 72, 82}, {{"landuse", "forest"}});  // not closed
  const auto areas = areas_of(town);
  ASSERT_EQ(areas.size(), 2u);
  EXPECT_EQ(areas[0].kind, MapArea::kWater);
  EXPECT_EQ(areas[0].lines, std::vector<Line>{line_of({31, 32, 42, 41, 31})});
  EXPECT_EQ(areas[1].kind, MapArea::kGreen);
}

TEST(OsmAreas, MembersOfRelationsAreJoinedToRings) {
  Extract town = lattice();
  town.way(1, {11, 15, 55}, {});
  town.way(2, {11, 51, 55}, {});  // the other half, in the other direction
  town.way(3, {22, 23, 33, 32, 22}, {});
  town.way(4, {71, 72, 82}, {});
  town.relation(1, {{'w', 1, "outer"}, {'w', 2, "outer"}, {'w', 3, "inner"}},
                {{"type", "multipolygon"}, {"natural", "water"}});
  town.relation(2, {{'w', 4, "outer"}, {'w', 999, "outer"}},
                {{"type", "multipolygon"}, {"natural", "wood"}});  // cut off by the extract
  const auto areas = areas_of(town);
  ASSERT_EQ(areas.size(), 1u);
  ASSERT_EQ(areas[0].lines.size(), 2u);
  EXPECT_EQ(areas[0].lines[0], line_of({11, 15, 55, 51, 11}));
  EXPECT_EQ(areas[0].lines[1], line_of({22, 23, 33, 32, 22}));
}

TEST(OsmAreas, CoastsKeepTheirDirectionAndStreamsStayOpen) {
  Extract town = lattice();
  town.way(1, {55, 65, 75}, {{"natural", "coastline"}});
  town.way(2, {35, 45, 55}, {{"natural", "coastline"}});
  town.way(3, {1, 2, 3}, {{"waterway", "stream"}});
  town.way(4, {4, 5, 6}, {{"waterway", "stream"}, {"tunnel", "culvert"}});
  const auto areas = areas_of(town);
  ASSERT_EQ(areas.size(), 2u);
  EXPECT_EQ(areas[0].kind, MapArea::kSea);
  EXPECT_EQ(areas[0].lines, std::vector<Line>{line_of({35, 45, 55, 65, 75})});
  EXPECT_EQ(areas[1].kind, MapArea::kStream);
  EXPECT_EQ(areas[1].lines, std::vector<Line>{line_of({1, 2, 3})});
}

TEST(OsmAreas, WhatIsNoExtractIsAnError) {
  const ScratchFolder folder;
  EXPECT_THROW(read_osm_areas(folder.write("town.osm.pbf", "no extract")), Error);
  EXPECT_THROW(read_osm_areas(folder / "missing.osm"), Error);
  EXPECT_THROW(read_osm_areas(folder.write("town.lsg", "x")), Error);
}

}  // namespace
}  // namespace lodestar::osm::osm_areas_test
