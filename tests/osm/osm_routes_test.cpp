// Routes on towns drawn by hand, each checked by looking at the drawing.
#include <gtest/gtest.h>

#include <cmath>

#include "lodestar/isochrone.h"
#include "town.h"

namespace lodestar::osm_routes_test {
namespace {

using namespace osm;  // the town

constexpr double kBlock = 111.195;  // metres

//   10 --3-- 11      a square; way 1 leads from 0 to 1 only
//    |        |
//    4        2
//    |        |
//    0 --1--> 1
Extract square(Tags bottom) {
  return lattice(2, 2)
      .way(1, {0, 1}, std::move(bottom))
      .way(2, {1, 11}, street("residential"))
      .way(3, {11, 10}, street("residential"))
      .way(4, {10, 0}, street("residential"));
}

TEST(OsmRoutes, ABlockTakesAsLongAsItsSpeedSays) {
  const GraphFile file = roads_of(square(street("residential", {{"maxspeed", "40"}})));
  ASSERT_EQ(file.graph.node_count(), 4u);
  ASSERT_EQ(file.graph.arc_count(), 8u);
  // 111.195 m at 0.9 × 40 km/h are 11.12 s: a weight of 111.
  EXPECT_EQ(travel(file, {0, 0}, {1, 0}).cost, 111);
  // The other streets at 30 km/h: 13.34 s each.
  EXPECT_EQ(travel(file, {0, 0}, {0, 1}).cost, 133);
  // Half a block on both ends, a whole one between.
  const Trip trip = travel(file, {0.5, 0}, {0.5, 1});
  EXPECT_NEAR(trip.cost, 55.5 + 133 + 66.5, 1);
  EXPECT_NEAR(trip.itinerary.length, 2 * kBlock, 0.5);
  EXPECT_NEAR(*trip.itinerary.duration, trip.cost / 10, 1e-6);
}

TEST(OsmRoutes, OnewayIsObeyed) {
  const GraphFile file = roads_of(square(street("residential", {{"oneway", "yes"}})));
  EXPECT_EQ(ways(file, {0, 0}, {1, 0}), (Ids{1}));
  EXPECT_EQ(ways(file, {1, 0}, {0, 0}), (Ids{2, 3, 4}));
  // Against the street within it: once round the block.
  EXPECT_EQ(ways(file, {0.8, 0}, {0.2, 0}), (Ids{1, 2, 3, 4, 1}));
}

TEST(OsmRoutes, OnewayAgainstTheDrawing) {
  const GraphFile file = roads_of(square(street("residential", {{"oneway", "-1"}})));
  EXPECT_EQ(ways(file, {1, 0}, {0, 0}), (Ids{1}));
  EXPECT_EQ(ways(file, {0, 0}, {1, 0}), (Ids{4, 3, 2}));
}

TEST(OsmRoutes, MotorwaysLeadOneWay) {
  const GraphFile file = roads_of(square(street("motorway")));
  EXPECT_EQ(ways(file, {1, 0}, {0, 0}), (Ids{2, 3, 4}));
  const GraphFile both = roads_of(square(street("motorway", {{"oneway", "no"}})));
  EXPECT_EQ(ways(both, {1, 0}, {0, 0}), (Ids{1}));
}

TEST(OsmRoutes, PrivateRoadsAreAvoided) {
  for (const char* key : {"access", "motor_vehicle", "vehicle", "motorcar"}) {
    const GraphFile file = roads_of(square(street("residential", {{key, "private"}})));
    EXPECT_EQ(ways(file, {0, 0.2}, {1, 0.2}), (Ids{4, 3, 2})) << key;
    EXPECT_EQ(ways(file, {0, 0.2}, {0.9, 0}), (Ids{4, 1})) << key;  // unless they lead there
    const GraphFile closed = roads_of(square(street("residential", {{key, "no"}})));
    EXPECT_EQ(ways(closed, {0, 0}, {1, 0}), (Ids{4, 3, 2})) << key;
  }
  // The more special key counts.
  const GraphFile open =
      roads_of(square(street("residential", {{"access", "private"}, {"motorcar", "yes"}})));
  EXPECT_EQ(ways(open, {0, 0}, {1, 0}), (Ids{1}));
  const GraphFile walk = roads_of(square(street("residential", {{"motor_vehicle", "no"}})),
                                  {.profile = "foot", .all = true});
  EXPECT_EQ(ways(walk, {0, 0}, {1, 0}), (Ids{1}));
}

TEST(OsmRoutes, WhatIsBeingBuiltIsNoRoad) {
  const GraphFile file =
      roads_of(square(street("construction", {{"construction", "residential"}})));
  EXPECT_EQ(ways(file, {0.1, 0}, {0.9, 0}), (Ids{4, 3, 2}));
}

TEST(OsmRoutes, BicyclesMayRideAgainstTheFlow) {
  const Tags tags = street("residential", {{"oneway", "yes"}, {"oneway:bicycle", "no"}});
  EXPECT_EQ(ways(roads_of(square(tags)), {1, 0}, {0, 0}), (Ids{2, 3, 4}));
  EXPECT_EQ(ways(roads_of(square(tags), {.profile = "bicycle", .all = true}), {1, 0}, {0, 0}),
            (Ids{1}));
  const Tags lane = street("residential", {{"oneway", "yes"}, {"cycleway", "opposite_lane"}});
  EXPECT_EQ(ways(roads_of(square(lane), {.profile = "bicycle", .all = true}), {1, 0}, {0, 0}),
            (Ids{1}));
}

TEST(OsmRoutes, ABollardStopsCarsAndNobodyElse) {
  //  0 --1-- 1 --1-- 2, bollard at 1; the way round is 0 10 11 12 2
  Extract town = lattice(3, 2);
  town.node(1, 0.001, 0, {{"barrier", "bollard"}})
      .way(1, {0, 1, 2}, street("residential"))
      .way(2, {0, 10, 11, 12, 2}, street("residential"));
  const GraphFile car = roads_of(town);
  EXPECT_EQ(ways(car, {0.1, 0}, {1.9, 0}), (Ids{1, 2, 1}));
  EXPECT_EQ(ways(roads_of(town, {.profile = "foot", .all = true}), {0.1, 0}, {1.9, 0}), (Ids{1}));
  // Up to the bollard and no farther: two dead ends.
  EXPECT_EQ(ways(car, {0.1, 0}, {0.95, 0}), (Ids{1}));
}

TEST(OsmRoutes, RoundaboutsTurnOneWay) {
  // A roundabout drawn counter-clockwise 1 → 12 → 21 → 10 → 1 with an arm at each corner.
  Extract town = lattice(3, 3);
  town.way(9, {1, 12, 21, 10, 1}, street("residential", {{"junction", "roundabout"}}));
  town.node(91, 0.001, -0.001).way(1, {91, 1}, street("residential"));
  town.node(92, 0.003, 0.001).way(2, {92, 12}, street("residential"));
  town.node(94, -0.001, 0.001).way(4, {94, 10}, street("residential"));
  const GraphFile file = roads_of(town);
  // From the southern arm: the eastern is the first exit, the western the third.
  const Trip east = travel(file, {1, -1}, {3, 1}), west = travel(file, {1, -1}, {-1, 1});
  EXPECT_EQ(east.ways, (Ids{1, 9, 2}));
  EXPECT_EQ(west.ways, (Ids{1, 9, 4}));
  const double quarter = kBlock * std::sqrt(2.0);
  EXPECT_NEAR(east.itinerary.length, 2 * kBlock + quarter, 1);
  EXPECT_NEAR(west.itinerary.length, 2 * kBlock + 3 * quarter, 1);
}

TEST(OsmRoutes, AFerryTakesAsLongAsItsTimetableSays) {
  // Six blocks along the shore, or one across by ferry.
  Extract town = lattice(4, 2);
  town.way(1, {0, 1, 2, 3, 13, 12, 11, 10}, street("living_street"));
  const auto with = [&](Tags tags) {
    Extract both = town;
    tags.insert(tags.begin(), {"route", "ferry"});
    return roads_of(both.way(2, {0, 10}, std::move(tags)));
  };
  const GraphFile quick = with({{"duration", "00:03"}});
  EXPECT_EQ(ways(quick, {0, 0}, {0, 1}), (Ids{2}));
  EXPECT_EQ(travel(quick, {0, 0}, {0, 1}).cost, 1800);
  const GraphFile slow = with({{"duration", "1:00"}});
  EXPECT_EQ(ways(slow, {0, 0}, {0, 1}), (Ids{1}));
  const GraphFile closed = with({{"duration", "00:03"}, {"motor_vehicle", "no"}});
  EXPECT_EQ(ways(closed, {0, 0}, {0, 1}), (Ids{1}));
  // Without a timetable at 12 km/h.
  EXPECT_EQ(travel(with({}), {0, 0}, {0, 1}).cost, 334);
}

TEST(OsmRoutes, NoLeftTurnIsObeyedWithTurnsOnly) {
  const Extract town = crossing().restriction(100, "no_left_turn", 1, 11, 3);
  const ReadOptions turns{.turns = true, .all = true};
  EXPECT_EQ(ways(roads_of(town), kWest, kNorth), (Ids{1, 3}));
  const GraphFile file = roads_of(town, turns);
  EXPECT_EQ(ways(file, kWest, kNorth), (Ids{1, 2, 5, 3}));
  EXPECT_EQ(ways(file, kWest, kEast), (Ids{1, 2}));
  EXPECT_EQ(ways(file, kSouth, kNorth), (Ids{4, 3}));
  EXPECT_TRUE(file.shape.arc_based);
  bool said = false;
  for (const std::string& note : file.notes) {
    said = said || note.find("1 no_, 0 only_ used") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

TEST(OsmRoutes, OnlyStraightOnForbidsTheRest) {
  const GraphFile file = roads_of(crossing().restriction(100, "only_straight_on", 1, 11, 2),
                                  {.turns = true, .all = true});
  EXPECT_EQ(ways(file, kWest, kEast), (Ids{1, 2}));
  EXPECT_EQ(ways(file, kWest, kNorth), (Ids{1, 2, 5, 3}));
  // To the south: round by 22 and 21, then down way 3.
  EXPECT_EQ(ways(file, kWest, kSouth), (Ids{1, 2, 5, 3, 4}));
}

TEST(OsmRoutes, ExceptionsAreHeard) {
  const Extract town =
      crossing().restriction(100, "no_left_turn", 1, 11, 3, {{"except", "psv;motorcar"}});
  EXPECT_EQ(ways(roads_of(town, {.turns = true, .all = true}), kWest, kNorth), (Ids{1, 3}));
}

TEST(OsmRoutes, RestrictionsForBicycles) {
  const auto by_bicycle = [](const Tags& more) {
    const Extract town = crossing().restriction(100, "no_left_turn", 1, 11, 3, more);
    return ways(roads_of(town, {.profile = "bicycle", .turns = true, .all = true}), kWest, kNorth);
  };
  EXPECT_EQ(by_bicycle({}), (Ids{1, 3}));  // it can be pushed
  EXPECT_EQ(by_bicycle({{"restriction:bicycle", "no_left_turn"}}), (Ids{1, 2, 5, 3}));
}

TEST(OsmRoutes, TurningBackOnlyAtDeadEnds) {
  // A long street with side streets that are dead ends; back is possible only in one of them.
  const GraphFile file = roads_of(crossing(), {.turns = true, .all = true});
  // At 10 way 1 ends: a car that goes west comes back there.
  const Trip back = travel(file, {0.5, 1}, {0.4, 1});
  EXPECT_EQ(back.ways, (Ids{1}));
  for (NodeId u = 0; u < file.graph.node_count(); ++u) {
    const std::int64_t here = file.shape.node_id[u];
    for (ArcIndex a = file.graph.arrays().first[0][u]; a < file.graph.arrays().first[0][u + 1];
         ++a) {
      // Nodes 10 and 91 are the dead ends; only there may the arc into them be followed back.
      const bool dead_end = here == 10 || here == 91;
      EXPECT_EQ(file.graph.degree(u) == 1 && dead_end, dead_end);
    }
  }
  // No turn leads back where the road continues: 5 arcs out of 11 each way without the arc of
  // arrival.
  std::size_t turns = 0;
  for (NodeId u = 0; u < file.graph.node_count(); ++u) {
    if (file.shape.node_id[u] == 11) turns += file.graph.degree(u);
  }
  EXPECT_EQ(turns, 4u * 3u);
}

// In a graph of turns the nodes are roads. From the beginnings of an isochrone to its ends it takes
// as long as a route between the two places.
TEST(OsmRoutes, IsochronesOfTurnsAgreeWithRoutes) {
  const GraphFile file =
      roads_of(crossing().restriction(100, "no_left_turn", 1, 11, 3), {.turns = true, .all = true});
  ASSERT_TRUE(file.shape.arc_based);
  const Places places(file.graph, file.shape);
  Searcher searcher(file.graph);
  const Point points[] = {kWest, kEast, kNorth, kSouth, {0.4, 1}, {1.3, 1}};
  for (const Point from : points) {
    for (const Point to : points) {
      if (from == to) continue;
      const auto place = [&](Point p) { return places.nearest({p.x / 1000, p.y / 1000}); };
      const IsochroneStart begin = isochrone_start(places, place(from));
      const IsochroneStart end = isochrone_start(places, place(to), Direction::kBackward);
      ASSERT_FALSE(end.nodes.empty());
      const IsochroneStart same = isochrone_start(places, place(to), Direction::kBackward,
                                                  ArcWeights(file.graph.weights()));
      EXPECT_EQ(same.nodes, end.nodes);
      EXPECT_EQ(same.spent, end.spent);
      Cost least = kInfinity;
      for (std::size_t i = 0; i < begin.nodes.size(); ++i) {
        searcher.run_all(begin.nodes[i]);
        for (std::size_t k = 0; k < end.nodes.size(); ++k) {
          least = std::min(least, begin.spent[i] + searcher.distance(end.nodes[k]) + end.spent[k]);
        }
      }
      // On one road no junction lies between.
      const bool on_one_road =
          !begin.road.empty() && !end.road.empty() &&
          file.shape.segment(begin.road[0].arc) == file.shape.segment(end.road[0].arc);
      if (on_one_road) continue;
      EXPECT_NEAR(least, travel(file, from, to).cost, 1e-9);
    }
  }
}

TEST(OsmRoutes, RestrictionsThroughWaysAreCounted) {
  Extract town = crossing();
  town.relation(100, {{'w', 1, "from"}, {'w', 2, "via"}, {'w', 5, "to"}},
                {{"type", "restriction"}, {"restriction", "no_u_turn"}});
  town.restriction(101, "no_left_turn", 1, 11, 77);
  const GraphFile file = roads_of(town, {.turns = true, .all = true});
  bool said = false;
  for (const std::string& note : file.notes) {
    said =
        said || note.find("1 of them via ways; 1 beside this profile's roads") != std::string::npos;
  }
  EXPECT_TRUE(said);
  const GraphFile without = roads_of(town);
  ASSERT_GE(without.notes.size(), 2u);
  EXPECT_EQ(without.notes[1], "2 turn restrictions not used; --turns honours them");
}

}  // namespace
}  // namespace lodestar::osm_routes_test
