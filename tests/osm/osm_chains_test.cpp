// Turn restrictions via ways, against a search over the last roads travelled; costs of turns,
// signals and roads that are not for through traffic, worked out by hand.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "lodestar/rng.h"
#include "town.h"

namespace lodestar::osm_chains_test {
namespace {

using namespace osm;  // the town

// Residential roads at 30 km/h: a block takes 133.4 tenths of a second.
const char* const kPlain = R"({"name": "plain", "roads": {"highway": {"residential": 30}},
  "oneway": {"keys": ["oneway"], "forward": ["yes"]}, "turns": {"keys": ["restriction"]},
  "classes": {}, "limits": {}})";
constexpr double kBlock = 133;

Extract& via_ways(Extract& town, std::int64_t id, const std::string& what, std::vector<int> chain) {
  std::vector<ExtractMember> members;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const char* role = i == 0 ? "from" : i + 1 == chain.size() ? "to" : "via";
    members.push_back({'w', chain[i], role});
  }
  return town.relation(id, members, {{"type", "restriction"}, {"restriction", what}});
}

struct Rule {
  std::vector<int> chain;  // roads in one direction
  bool only;
};

// A full lattice, each block a way, and restrictions along random walks. No road is a dead end, so
// no route turns back.
class Walks {
 public:
  explicit Walks(std::uint64_t seed) : rng_(seed), extract_(lattice(kSize, kSize)) {
    for (int r = 0; r < kSize; ++r) {
      for (int c = 0; c < kSize; ++c) {
        if (c + 1 < kSize) add(c + 10 * r, c + 1 + 10 * r);
        if (r + 1 < kSize) add(c + 10 * r, c + 10 * (r + 1));
      }
    }
    for (int i = 0; i < 10; ++i) {
      Rule rule{{static_cast<int>(draw(roads_.size()))}, draw(3) == 0};
      if (i > 0 && draw(2) == 0) {  // begins within the one before it
        const std::vector<int>& before = rules_.back().chain;
        rule.chain.assign(before.begin() + 1, before.begin() + 3);
      }
      for (std::size_t length = 3 + draw(3); rule.chain.size() < length;) {
        const std::vector<int> next = after(rule.chain.back());
        rule.chain.push_back(next[draw(next.size())]);
      }
      std::vector<int> ways;
      for (const int road : rule.chain) ways.push_back(roads_[at(road)].way);
      via_ways(extract_, 100 + i, rule.only ? "only_straight_on" : "no_left_turn", ways);
      rules_.push_back(rule);
    }
  }

  const Extract& extract() const { return extract_; }
  std::size_t roads() const { return roads_.size(); }
  Point middle(int road) const {
    const Road& r = roads_[at(road)];
    return {(r.from % 10 + r.to % 10) / 2.0, (r.from / 10 + r.to / 10) / 2.0};
  }

  // Blocks between the middles of two roads, in either direction of both.
  double blocks(int from, int to) const {
    if (from / 2 == to / 2) return 0;
    std::map<std::vector<int>, double> reached;
    std::deque<std::vector<int>> queue;
    for (const int start : {from & ~1, from | 1}) {
      reached[{start}] = 0.5;
      queue.push_back({start});
    }
    while (!queue.empty()) {  // by blocks: all cost the same
      const std::vector<int> last = queue.front();
      queue.pop_front();
      for (const int next : after(last.back())) {
        if (!allowed(last, next)) continue;
        if (next / 2 == to / 2) return reached[last] + 0.5;
        std::vector<int> now = last;
        now.push_back(next);
        if (now.size() > 4) now.erase(now.begin());
        if (reached.emplace(now, reached[last] + 1).second) queue.push_back(now);
      }
    }
    return kInfinity;
  }

 private:
  static constexpr int kSize = 4;
  struct Road {
    int from, to, way;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t draw(std::size_t below) { return rng_.below(static_cast<std::uint32_t>(below)); }

  void add(int a, int b) {
    const int way = 1 + static_cast<int>(roads_.size()) / 2;
    roads_.push_back({a, b, way});
    roads_.push_back({b, a, way});
    extract_.way(way, {a, b}, street("residential"));
  }
  std::vector<int> after(int road) const {
    std::vector<int> out;
    for (int b = 0; b < static_cast<int>(roads_.size()); ++b) {
      if (roads_[at(b)].from == roads_[at(road)].to && (b ^ 1) != road) out.push_back(b);
    }
    return out;
  }
  bool allowed(const std::vector<int>& last, int next) const {
    for (const Rule& rule : rules_) {
      const std::size_t before = rule.chain.size() - 1;
      if (last.size() < before) continue;
      if (!std::equal(rule.chain.begin(), rule.chain.end() - 1,
                      last.end() - static_cast<std::ptrdiff_t>(before))) {
        continue;
      }
      if ((rule.chain.back() == next) != rule.only) return false;
    }
    return true;
  }

  Rng rng_;
  Extract extract_;
  std::vector<Road> roads_;
  std::vector<Rule> rules_;
};

TEST(OsmChains, RandomTownsAgreeWithASearchOverHistories) {
  const ScratchFolder folder;
  const std::string plain = folder.write("plain.json", kPlain);
  int longer = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Walks town(seed);
    const GraphFile file = roads_of(town.extract(), {.profile = plain, .turns = true, .all = true});
    const GraphFile free = roads_of(town.extract(), {.profile = plain, .all = true});
    for (int from = 0; from < static_cast<int>(town.roads()); from += 7) {
      for (int to = 0; to < static_cast<int>(town.roads()); to += 5) {
        const double blocks = town.blocks(from, to);
        const Trip trip = travel(file, town.middle(from), town.middle(to));
        ASSERT_NEAR(trip.cost, blocks * kBlock, 0.01)
            << "seed " << seed << " " << from << " " << to;
        longer += trip.cost > travel(free, town.middle(from), town.middle(to)).cost + 1;
      }
    }
  }
  EXPECT_GT(longer, 20);
}

TEST(OsmChains, WaysAreFollowedThroughTheirJunctions) {
  // The via way 2 is cut in two by way 6; at 12 the route may not turn north.
  const auto town = [] {
    return lattice(4, 3)
        .way(1, {10, 11}, street("residential"))
        .way(2, {11, 12, 13}, street("residential"))
        .way(3, {13, 23}, street("residential"))
        .way(4, {23, 22, 21, 11}, street("residential"))
        .way(5, {13, 3}, street("residential"))
        .way(6, {12, 2}, street("residential"));
  };
  Extract said = town();
  via_ways(said, 100, "no_left_turn", {1, 2, 3});
  const ReadOptions turns{.turns = true, .all = true};
  EXPECT_EQ(ways(roads_of(town(), turns), {0.5, 1}, {3, 1.5}), (Ids{1, 2, 3}));
  const GraphFile file = roads_of(said, turns);
  EXPECT_EQ(ways(file, {0.5, 1}, {3, 1.5}), (Ids{1, 4, 3}));
  EXPECT_EQ(ways(file, {1.5, 1}, {3, 1.5}), (Ids{2, 3}));  // not from way 1
  EXPECT_EQ(ways(file, {0.5, 1}, {3, 0.5}), (Ids{1, 2, 5}));
  EXPECT_EQ(ways(file, {0.5, 1}, {2.5, 1}), (Ids{1, 2}));  // a place on the way between
  EXPECT_NE(file.notes[1].find("road arcs are the nodes"), std::string::npos);
  EXPECT_NE(file.notes[2].find("1 no_, 0 only_ used, 1 of them via ways"), std::string::npos)
      << file.notes[2];
}

TEST(OsmChains, ConditionsAreCounted) {
  Extract town =
      lattice(3, 1)
          .way(1, {0, 1},
               street("residential", {{"motor_vehicle:conditional", "no @ (22:00-06:00)"}}))
          .way(2, {1, 2}, street("residential"));
  town.relation(9, {{'w', 1, "from"}, {'n', 1, "via"}, {'w', 2, "to"}},
                {{"type", "restriction"}, {"restriction:conditional", "no_straight_on @ (Mo)"}});
  std::string notes;
  for (const std::string& note : roads_of(town).notes) notes += note + "\n";
  EXPECT_NE(notes.find("1 turn restriction with a condition ignored"), std::string::npos) << notes;
  EXPECT_NE(notes.find("1 way has access for some times"), std::string::npos) << notes;
}

//   10 ---1--- 11 ==2== 12 ---3--- 13     way 2 is for residents; way 4 goes round
//    |                              |
//    0 ------------- 4 ------------ 3
Extract shortcut(const char* access) {
  return lattice(4, 2)
      .way(1, {10, 11}, street("residential"))
      .way(2, {11, 12}, street("residential", {{"access", access}}))
      .way(3, {12, 13}, street("residential"))
      .way(4, {10, 0, 1, 2, 3, 13}, street("residential"));
}

TEST(OsmChains, ThroughTrafficStaysOutOfRestrictedRoads) {
  for (const bool turns : {false, true}) {
    for (const char* access : {"destination", "private", "delivery"}) {
      const GraphFile file = roads_of(shortcut(access), {.turns = turns, .all = true});
      EXPECT_EQ(ways(file, {0.5, 1}, {2.5, 1}), (Ids{1, 4, 3})) << access;
      EXPECT_EQ(ways(file, {0.5, 1}, {1.2, 1}), (Ids{1, 2}));
      EXPECT_EQ(ways(file, {2.5, 1}, {1.2, 1}), (Ids{3, 2}));
      EXPECT_EQ(ways(file, {1.2, 1}, {2.5, 1}), (Ids{2, 3}));
      // Towards the middle the near end counts, not the cost of entering.
      EXPECT_EQ(ways(file, {0.9, 1}, {1.8, 1}), (Ids{1, 2}));
      // The cost is paid once and is no time.
      const Trip trip = travel(file, {0.5, 1}, {1.5, 1});
      EXPECT_GT(trip.cost, 360'000);
      EXPECT_NEAR(*trip.itinerary.duration, 13.3, turns ? 8 : 0.2);
      EXPECT_LT(travel(file, {1.2, 1}, {1.7, 1}).cost, 100);
    }
  }
  const GraphFile open = roads_of(shortcut("yes"), {});
  EXPECT_EQ(ways(open, {0.5, 1}, {2.5, 1}), (Ids{1, 2, 3}));
  const GraphFile metres = roads_of(shortcut("destination"), {.weight = "length"});
  EXPECT_EQ(ways(metres, {0.5, 1}, {2.5, 1}), (Ids{1, 2, 3}));
}

TEST(OsmChains, SignalsGatesAndTurnsTakeTime) {
  Extract road = lattice(3, 2);
  road.node(1, 0.001, 0, {{"highway", "traffic_signals"}});
  road.way(1, {0, 1, 2}, street("residential"));
  Extract gate = lattice(3, 2);
  gate.node(1, 0.001, 0, {{"barrier", "gate"}}).way(1, {0, 1, 2}, street("residential"));
  const Extract plain = lattice(3, 2).way(1, {0, 1, 2}, street("residential"));
  const auto cost = [](const Extract& town, Point from, Point to, bool turns) {
    return travel(roads_of(town, {.turns = turns, .all = true}), from, to).cost;
  };
  for (const bool turns : {false, true}) {
    EXPECT_NEAR(cost(plain, {0.5, 0}, {1.5, 0}, turns), kBlock, 1);
    EXPECT_NEAR(cost(road, {0.5, 0}, {1.5, 0}, turns), kBlock + 20, 1);
    EXPECT_NEAR(cost(road, {0.2, 0}, {0.7, 0}, turns), kBlock / 2, 1);
    EXPECT_NEAR(cost(gate, {1.5, 0}, {0.5, 0}, turns), kBlock + 600, 1);
  }
  // Straight on costs next to nothing, to the right less than to the left.
  const GraphFile file = roads_of(crossing(), {.turns = true, .all = true});
  const double straight = travel(file, kWest, kEast).cost - 1.6 * kBlock;
  const double right = travel(file, kWest, {1, 0.2}).cost - 1.6 * kBlock;
  const double left = travel(file, kWest, kNorth).cost - 1.6 * kBlock;
  EXPECT_LT(straight, 2);
  EXPECT_GT(right, 10);
  EXPECT_GT(left, right + 5);
  EXPECT_LT(left, 75);
}

TEST(OsmChains, NoRouteBeginsOnAFerry) {
  const GraphFile file = roads_of(
      lattice(3, 1).way(1, {0, 1}, street("residential")).way(2, {1, 2}, {{"route", "ferry"}}));
  const Places places(file.graph, file.shape, file.metrics);
  EXPECT_EQ(places.nearest({0.0018, 0}).at.x, 0.001);
  EXPECT_NEAR(places.nearest({0.0018, 0}, SnapOptions{.any = true}).at.x, 0.0018, 1e-9);
}

TEST(OsmChains, PlacesKnowBearingsAndKerbs) {
  const GraphFile file =
      roads_of(lattice(3, 2)
                   .way(1, {0, 1, 2}, street("residential"))
                   .way(2, {10, 11}, street("residential", {{"oneway", "yes"}})));
  const Places places(file.graph, file.shape);
  const Point below{0.0005, -0.0001};
  const auto heads = [&](const SnapOptions& options, Point point) {
    std::vector<double> out;
    for (const PlaceSide& side : places.nearest(point, options).exits()) {
      out.push_back(file.graph.points()[side.head].x);
    }
    std::sort(out.begin(), out.end());
    return out;
  };
  using Heads = std::vector<double>;
  EXPECT_EQ(heads({}, below), (Heads{0, 0.002}));
  EXPECT_EQ(heads({.bearing = Bearing{90, 10}}, below), (Heads{0.002}));
  EXPECT_EQ(heads({.bearing = Bearing{265, 10}}, below), (Heads{0}));
  EXPECT_EQ(heads({.curb = true}, below), (Heads{0.002}));  // vehicles keep right
  EXPECT_EQ(heads({.opposite = true}, below), (Heads{0}));
  EXPECT_EQ(heads({.curb = true}, {0.0005, 0.0001}), (Heads{0}));
  EXPECT_EQ(heads({.curb = true}, {0.0005, 0.0011}), (Heads{0.001}));  // one way: either side
  EXPECT_THROW(places.nearest(below, {.bearing = Bearing{0, 10}}), Error);
}

}  // namespace
}  // namespace lodestar::osm_chains_test
