// Turn restrictions, turning back and places on junctions, on hand-drawn towns and against an
// oracle that searches the states "on this road in this direction" of random towns.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "lodestar/place_requests.h"
#include "random_town.h"
#include "town.h"

namespace lodestar::osm_turns_test {
namespace {

using namespace osm;  // the town

const ReadOptions kTurns{.turns = true};
const ReadOptions kAllTurns{.turns = true, .all = true};

bool has_note(const GraphFile& file, const std::string& text) {
  for (const std::string& note : file.notes) {
    if (note.find(text) != std::string::npos) return true;
  }
  return false;
}

//   10 -- 11      a block, a two-way street 1 – 2, and a one-way street 2 → 3 that leads nowhere
//    |     |
//    0 --- 1 ---- 2 ---> 3
Extract block_with_a_trap() {
  return lattice(4, 2)
      .way(1, {0, 1, 11, 10, 0}, street("residential"))
      .way(2, {1, 2}, street("residential"))
      .way(3, {2, 3}, street("residential", {{"oneway", "yes"}}));
}

TEST(OsmTurns, AStreetBeforeAOneWayThatLeadsNowhereStays) {
  for (const bool all : {false, true}) {
    const GraphFile file = roads_of(block_with_a_trap(), {.turns = true, .all = all});
    // In, round at the end, and out again.
    EXPECT_EQ(ways(file, {0.5, 0}, {1.5, 0}), (Ids{1, 2}));
    EXPECT_EQ(ways(file, {1.5, 0}, {0.5, 0}), (Ids{2, 1}));
    EXPECT_EQ(ways(file, {1.5, 0}, {1, 0.5}), (Ids{2, 1}));
    const Places places(file.graph, file.shape);
    EXPECT_LT(places.nearest({0.0015, 0}).distance, 0.01);
    EXPECT_EQ(places.nearest({0.0015, 0}).sides, 2);
  }
  // A trap that lies farther on, and one that is a ring.
  Extract far = block_with_a_trap();
  far.node(4, 0.004, 0).node(5, 0.005, 0.001).node(6, 0.005, -0.001);
  far.way(4, {3, 4}, street("residential", {{"oneway", "yes"}}));
  far.way(5, {4, 5, 6, 4}, street("residential", {{"oneway", "yes"}}));
  const GraphFile file = roads_of(far, kTurns);
  EXPECT_EQ(ways(file, {1.5, 0}, {0.5, 0}), (Ids{2, 1}));
  EXPECT_EQ(ways(file, {0.5, 0}, {1.5, 0}), (Ids{1, 2}));
}

TEST(OsmTurns, AOneWayStreetFromADeadEndKeepsItsArc) {
  // 3 → 2 begins at a dead end.
  Extract town = lattice(4, 2)
                     .way(1, {0, 1, 11, 10, 0}, street("residential"))
                     .way(2, {1, 2}, street("residential"))
                     .way(3, {3, 2}, street("residential", {{"oneway", "yes"}}));
  const GraphFile file = roads_of(town, kAllTurns);
  EXPECT_EQ(ways(file, {3, 0}, {0.5, 0}), (Ids{3, 2, 1}));
  EXPECT_EQ(ways(file, {2.5, 0}, {1.5, 0}), (Ids{3, 2}));
  EXPECT_EQ(ways(file, {2.8, 0}, {2.2, 0}), (Ids{3}));
  EXPECT_EQ(ways(file, {1.5, 0}, {2.5, 0}), (Ids{}));  // not reachable
  // Alone on the map it is a road, too.
  const GraphFile alone =
      roads_of(lattice(2, 1).way(1, {0, 1}, street("residential", {{"oneway", "yes"}})), kAllTurns);
  EXPECT_EQ(ways(alone, {0, 0}, {1, 0}), (Ids{1}));
  EXPECT_EQ(ways(alone, {0.2, 0}, {0.9, 0}), (Ids{1}));
  EXPECT_EQ(ways(alone, {1, 0}, {0, 0}), (Ids{}));
}

TEST(OsmTurns, RestrictionsOnRedCloseNothing) {
  for (const char* value : {"no_left_turn_on_red", "no_right_turn_on_red", "no_turn_on_red",
                            "no_left_turn;only_straight_on", "give_way", ""}) {
    const GraphFile file = roads_of(crossing().restriction(100, value, 1, 11, 3), kAllTurns);
    EXPECT_EQ(ways(file, kWest, kNorth), (Ids{1, 3})) << value;
    EXPECT_TRUE(has_note(file, "0 no_, 0 only_ used")) << value;
    if (*value != 0) {
      EXPECT_TRUE(has_note(file, "1 unclear ones ignored")) << value;
    }
  }
  const GraphFile list =
      roads_of(crossing().restriction(100, "no_left_turn; no_u_turn", 1, 11, 3), kAllTurns);
  EXPECT_EQ(ways(list, kWest, kNorth), (Ids{1, 2, 5, 3}));
}

//          21
//           |
//   10 -1- 11      way 2 goes straight through 11; to turn left is to turn into it, and so is right
//           |
//           1
Extract through(Tags tags = {}) {
  return lattice(3, 3)
      .way(1, {10, 11}, street("residential"))
      .way(2, {1, 11, 21}, street("residential", std::move(tags)))
      .way(3, {1, 2, 12, 22, 21}, street("residential"));
}

TEST(OsmTurns, AnAmbiguousRestrictionIsIgnoredAndCounted) {
  for (const char* value : {"no_left_turn", "only_left_turn"}) {
    const GraphFile file = roads_of(through().restriction(100, value, 1, 11, 2), kAllTurns);
    EXPECT_EQ(ways(file, kWest, kNorth), (Ids{1, 2})) << value;
    EXPECT_EQ(ways(file, kWest, kSouth), (Ids{1, 2})) << value;
    EXPECT_TRUE(has_note(file, "0 no_, 0 only_ used")) << value;
    EXPECT_TRUE(has_note(file, "1 ambiguous")) << value;
  }
  // From the way that goes through it is ambiguous as well.
  const GraphFile from = roads_of(through().restriction(100, "no_left_turn", 2, 11, 1), kAllTurns);
  EXPECT_EQ(ways(from, kSouth, kWest), (Ids{2, 1}));
  EXPECT_EQ(ways(from, kNorth, kWest), (Ids{2, 1}));
  EXPECT_TRUE(has_note(from, "1 ambiguous"));
  // A one-way street leaves a node once: that is clear.
  const GraphFile clear =
      roads_of(through({{"oneway", "yes"}}).restriction(100, "no_left_turn", 1, 11, 2), kAllTurns);
  EXPECT_TRUE(has_note(clear, "1 no_, 0 only_ used"));
  EXPECT_TRUE(has_note(clear, "0 ambiguous"));
  // So is turning back within one way.
  const GraphFile back = roads_of(through().restriction(100, "no_u_turn", 2, 11, 2), kAllTurns);
  EXPECT_TRUE(has_note(back, "1 no_, 0 only_ used"));
  EXPECT_EQ(ways(back, kSouth, kNorth), (Ids{2}));
}

TEST(OsmTurns, AJunctionIsLeftAndReachedByEveryRoad) {
  const Extract town = crossing().restriction(100, "no_left_turn", 1, 11, 3);
  for (const bool turns : {false, true}) {
    for (const bool all : {false, true}) {
      const GraphFile file = roads_of(town, {.turns = turns, .all = all});
      const Point junction{1, 1};
      for (const auto& [side, way] : {std::pair{kWest, 1}, {kNorth, 3}, {kSouth, 4}, {kEast, 2}}) {
        EXPECT_EQ(ways(file, junction, side), (Ids{way}));
        EXPECT_EQ(ways(file, side, junction), (Ids{way}));
      }
      // What begins at a junction obeys no restriction there, but the next one.
      EXPECT_EQ(ways(file, junction, {1, 2}), (Ids{3}));
      EXPECT_EQ(ways(file, {0, 1}, {1, 2}), turns ? (Ids{1, 2, 5}) : (Ids{1, 3}));
    }
  }
}

TEST(OsmTurns, APlaceOnABarrierBelongsToBothSides) {
  Extract town = lattice(3, 1);
  town.node(1, 0.001, 0, {{"barrier", "bollard"}}).way(1, {0, 1, 2}, street("residential"));
  for (const bool turns : {false, true}) {
    const GraphFile file = roads_of(town, {.turns = turns, .all = true});
    for (const Point end : {Point{0, 0}, Point{2, 0}}) {
      EXPECT_EQ(ways(file, {1, 0}, end), (Ids{1}));
      EXPECT_EQ(ways(file, end, {1, 0}), (Ids{1}));
    }
    EXPECT_EQ(ways(file, {0, 0}, {2, 0}), (Ids{}));
  }
}

TEST(OsmTurns, RandomTownsAgreeWithASearchOverRoads) {
  const ScratchFolder folder;  // as for cars, but turns are free
  const std::string plain =
      folder.write("plain.json", R"({"roads": {"highway": {"residential": 30}},
      "oneway": {"keys": ["oneway"], "forward": ["yes"], "backward": ["-1"]},
      "turns": {"keys": ["restriction"]}, "classes": {}, "limits": {}})");
  int reached = 0, not_reached = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RandomTown town(seed, seed % 3 != 0);
    if (town.roads().empty()) continue;
    const GraphFile file = roads_of(town.extract(), {.profile = plain, .turns = true, .all = true});
    for (int i = 0; i < 30; ++i) {
      const RandomTown::Spot from = town.spot(), to = town.spot();
      const double expected = town.cost(from, to);
      const Trip trip = travel(file, from.at, to.at);
      ++(expected == kInfinity ? not_reached : reached);
      if (expected == kInfinity) {
        EXPECT_EQ(trip.cost, kInfinity) << seed;
        continue;
      }
      ASSERT_NEAR(trip.cost, expected, 0.01) << "seed " << seed << ": " << from.at.x << ","
                                             << from.at.y << " to " << to.at.x << "," << to.at.y;
    }
  }
  EXPECT_GT(reached, 1000);
  EXPECT_GT(not_reached, 100);
}

// Two ways of the same length lead from the first road (x from 0 to 1) to the last one (2 to 3).
Extract fork_and_join() {
  return lattice(4, 3)
      .way(1, {10, 11}, street("residential"))
      .way(2, {11, 1, 2, 12}, street("residential"))
      .way(3, {11, 21, 22, 12}, street("residential"))
      .way(4, {12, 13}, street("residential"));
}

// Earliest arrivals between places on roads where turns take time and every turn has slots of its
// own. The oracle knows when each road is left and tries all turns into the last one.
TEST(OsmTurns, DeparturesArriveEarliestWithinTheLastRoad) {
  constexpr double kSlot = 10, kSeven = 7 * 3600;
  constexpr std::size_t kSlots = 30;
  int reached = 0, other_turn = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomTown town(seed, seed % 3 != 0);
    const bool joins = seed % 6 == 1;
    if (town.roads().size() < 10 && !joins) continue;
    const GraphFile file = roads_of(joins ? fork_and_join() : town.extract(), kAllTurns);
    const Graph& graph = file.graph;
    const Shape& shape = file.shape;
    Rng rng(seed);
    std::vector<std::array<double, kSlots>> factor(graph.arc_count());
    std::string csv = "arc,from,to,factor\n";
    for (std::size_t arc = 0; arc < factor.size(); ++arc) {
      for (std::size_t slot = 0; slot < kSlots; ++slot) {
        const double values[] = {0.3, 1, 5};
        factor[arc][slot] = seed % 4 == 0 && arc > 0 ? factor[0][slot] : values[rng.below(3)];
        const auto time = [](std::size_t of) {  // six slots in a minute
          return "07:0" + std::to_string(of / 6) + ":" + std::to_string(of % 6) + "0";
        };
        csv += std::to_string(arc) + "," + time(slot) + "," + time(slot + 1) + "," +
               std::to_string(factor[arc][slot]) + "\n";
      }
    }
    // From `clock` on, what takes `seconds` without slots; returns the end.
    const auto drive = [&](ArcIndex arc, double seconds, double clock) {
      while (seconds > 0) {
        const double slot = std::floor((clock - kSeven) / kSlot);
        if (slot < 0 || slot >= kSlots) return clock + seconds;
        const double f = factor[arc][static_cast<std::size_t>(slot)];
        const double left = kSeven + (slot + 1) * kSlot - clock;
        if (seconds * f <= left) return clock + seconds * f;
        seconds -= left / f;
        clock = kSeven + (slot + 1) * kSlot;
      }
      return clock;
    };
    const auto times = std::make_shared<const TravelTimes>(
        TravelTimes::parse(csv, "slots", graph, file.metrics, shape));
    const Router router(graph, {.metrics = file.metrics, .travel_times = times});
    const Places places(graph, shape);
    for (int i = 0; i < 60; ++i) {
      const auto place = [&](double x) {
        const Point at = joins ? Point{x + rng.uniform(), 1} : town.spot().at;
        return places.nearest({at.x / 1000, at.y / 1000});
      };
      const Place from = place(0), to = place(2);
      if (!from.nodes.empty() || !to.nodes.empty()) continue;
      Preferences wish;
      wish.depart = kSeven + rng.below(200);
      double expected = kInfinity, by_end = kInfinity;
      for (const PlaceSide& exit : from.exits()) {
        // Arrivals at the ends of roads, by Bellman's equations.
        std::vector<double> arrival(graph.node_count(), kInfinity);
        arrival[exit.head] = drive(exit.arc, shape.seconds(exit.arc, exit.share, 1), *wish.depart);
        for (bool changed = true; changed;) {
          changed = false;
          ArcIndex arc = 0;
          for (NodeId u = 0; u < graph.node_count(); ++u) {
            for (const Arc turn : graph.arcs(u)) {
              const double seconds = shape.seconds(arc, 0, 1);
              const double then =
                  arrival[u] < kInfinity ? drive(arc, seconds, arrival[u]) : kInfinity;
              if (then < arrival[turn.head] - 1e-9) {
                arrival[turn.head] = then;
                changed = true;
              }
              ++arc;
            }
          }
        }
        for (const PlaceSide& entry : to.entries()) {
          if (entry.head == exit.head && exit.share <= entry.share) {
            const double seconds = shape.seconds(exit.arc, exit.share, entry.share);
            expected = std::min(expected, drive(exit.arc, seconds, *wish.depart));
            by_end = std::min(by_end, expected);
          }
          ArcIndex arc = 0;
          double first_end = kInfinity, at_place = kInfinity;
          for (NodeId u = 0; u < graph.node_count(); ++u) {
            for (const Arc turn : graph.arcs(u)) {
              if (turn.head == entry.head && arrival[u] < kInfinity) {
                const double here = drive(arc, shape.seconds(arc, 0, entry.share), arrival[u]);
                const double end = drive(arc, shape.seconds(arc, 0, 1), arrival[u]);
                expected = std::min(expected, here);
                if (end < first_end) at_place = here;
                first_end = std::min(first_end, end);
              }
              ++arc;
            }
          }
          by_end = std::min(by_end, at_place);
        }
      }
      const auto found = request_between(router, places, from, to, wish)[0].route.found;
      if (expected == kInfinity) {
        EXPECT_FALSE(found.reached());
        continue;
      }
      ++reached;
      other_turn += by_end > expected + 0.01;
      EXPECT_NEAR(found.cost / 10, expected - *wish.depart, 0.01) << "seed " << seed << " " << i;
      EXPECT_EQ(found.lower_bound, found.cost);
    }
  }
  EXPECT_GT(reached, 200);
  // The turn by which the end of the last road is reached first is not always the best.
  EXPECT_GT(other_turn, 5);
}

// The same without times: some turns cost a multiple, or are closed.
TEST(OsmTurns, CostsOfTurnsCountWithinTheLastRoad) {
  int reached = 0, not_reached = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomTown town(seed, seed % 3 != 0);
    if (town.roads().size() < 10) continue;
    const GraphFile file = roads_of(town.extract(), kAllTurns);
    const Graph& graph = file.graph;
    const Shape& shape = file.shape;
    const Router router(graph, {.metrics = file.metrics});
    const Places places(graph, shape);
    Rng rng(seed);
    for (int i = 0; i < 60; ++i) {
      const auto place = [&] {
        const Point at = town.spot().at;
        return places.nearest({at.x / 1000, at.y / 1000});
      };
      const Place from = place(), to = place();
      if (!from.nodes.empty() || !to.nodes.empty()) continue;
      Preferences wish;
      std::vector<double> factor(graph.arc_count(), 1);
      for (ArcIndex arc = 0; arc < factor.size(); ++arc) {
        if (rng.below(2) == 0) continue;
        factor[arc] = rng.below(8) == 0 ? kInfinity : 1 + 4 * rng.uniform();
        wish.arcs.push_back({arc, factor[arc], 0});
      }
      const auto seconds = [&](ArcIndex arc, double begin, double end) {
        return factor[arc] * shape.seconds(arc, begin, end);
      };
      double expected = kInfinity;
      for (const PlaceSide& exit : from.exits()) {
        if (factor[exit.arc] == kInfinity) continue;
        std::vector<double> cost(graph.node_count(), kInfinity);
        cost[exit.head] = seconds(exit.arc, exit.share, 1);
        for (bool changed = true; changed;) {
          changed = false;
          ArcIndex arc = 0;
          for (NodeId u = 0; u < graph.node_count(); ++u) {
            for (const Arc turn : graph.arcs(u)) {
              const double there = cost[u] + seconds(arc++, 0, 1);
              if (!(there < cost[turn.head] - 1e-9)) continue;
              cost[turn.head] = there;
              changed = true;
            }
          }
        }
        for (const PlaceSide& entry : to.entries()) {
          if (entry.head == exit.head && exit.share <= entry.share) {
            expected = std::min(expected, seconds(exit.arc, exit.share, entry.share));
          }
          ArcIndex arc = 0;
          for (NodeId u = 0; u < graph.node_count(); ++u) {
            for (const Arc turn : graph.arcs(u)) {
              if (turn.head == entry.head) {
                expected = std::min(expected, cost[u] + seconds(arc, 0, entry.share));
              }
              ++arc;
            }
          }
        }
      }
      const auto found = request_between(router, places, from, to, wish)[0].route.found;
      ++(expected == kInfinity ? not_reached : reached);
      if (expected == kInfinity) {
        EXPECT_FALSE(found.reached()) << "seed " << seed << " " << i;
      } else {
        EXPECT_NEAR(found.cost / 10, expected, 0.01) << "seed " << seed << " " << i;
      }
    }
  }
  EXPECT_GT(reached, 200);
  EXPECT_GT(not_reached, 20);
}

TEST(OsmTurns, WithoutRestrictionsNoDirectionOfAStreetIsLost) {
  // Directed streets of the largest component: way, length, against the way's direction.
  const auto streets = [](const Extract& town, bool turns) {
    std::set<std::tuple<std::int64_t, std::uint32_t, bool>> out;
    try {
      const GraphFile file = roads_of(town, {.turns = turns});
      const Shape& shape = file.shape;
      for (ArcIndex arc = 0; arc < file.graph.arc_count(); ++arc) {
        const std::uint32_t segment = shape.segment(arc);
        out.insert({shape.segment_way[segment], shape.segment_length[segment], shape.against(arc)});
      }
    } catch (const Error&) {  // nothing is joined there and back
    }
    return out;
  };
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomTown town(seed, false);
    const auto without = streets(town.extract(), false), with = streets(town.extract(), true);
    for (const auto& street : without) {
      EXPECT_TRUE(with.contains(street)) << "seed " << seed << " way " << std::get<0>(street);
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000u);
}

TEST(OsmTurns, AStreetThatNoTurnLeadsIntoIsEnteredByTurningBack) {
  // Way 2 is two-way; at 2 only the one-way street to 12 and 11 continues, and nothing comes in.
  const GraphFile file =
      roads_of(lattice(3, 2)
                   .way(1, {0, 1, 11, 10, 0}, street("residential"))
                   .way(2, {1, 2}, street("residential"))
                   .way(3, {2, 12, 11}, street("residential", {{"oneway", "yes"}})),
               kTurns);
  const Places places(file.graph, file.shape);
  EXPECT_EQ(places.nearest({0.0015, 0}).sides, 2);
  EXPECT_EQ(ways(file, {1.5, 0}, {0.5, 0}), (Ids{2, 1}));
  EXPECT_EQ(ways(file, {2, 0}, {1, 0}), (Ids{2}));
}

}  // namespace
}  // namespace lodestar::osm_turns_test
