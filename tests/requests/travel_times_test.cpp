// Travel times by the time of day: earliest arrivals, FIFO, and malformed files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "error_of.h"
#include "lodestar/router.h"
#include "request_family.h"
#include "scratch_folder.h"

namespace lodestar::travel_times_test {
namespace {

using namespace lodestar::testing;

TEST(TravelTimesTest, AgreesWithALabelCorrectingSearch) {
  const RequestCase graph = [] {
    Rng rng(77);
    return random_case(rng, 60, 1, true);
  }();
  const std::string csv =
      "class,from,to,factor\n"
      "motorway,00:00,00:01,3\n"
      "toll,00:00:30,00:02,0.5\n"
      "*,23:59,00:00:10,2.5\n"
      "ferry,00:00:20,00:00:40,8\n";
  const auto times = std::make_shared<const TravelTimes>(
      TravelTimes::parse(csv, "rush.csv", graph.graph, graph.metrics));
  const auto family = family_of(graph, 1, 32);
  ASSERT_NE(family, nullptr);
  const Router guided(graph.graph,
                      {.family = family, .metrics = graph.metrics, .travel_times = times});
  const Router plain(graph.graph, {.metrics = graph.metrics, .travel_times = times});
  Rng rng(3);
  std::size_t reached = 0;
  for (int i = 0; i < 400; ++i) {
    const Query query{static_cast<NodeId>(rng.below(graph.nodes)),
                      static_cast<NodeId>(rng.below(graph.nodes))};
    Preferences wish;
    wish.depart = i % 3 == 0 ? 86390 + rng.uniform() * 9 : rng.uniform() * 130;
    if (i % 4 == 0) wish.classes = {{"track", kInfinity}};
    const RequestRoute a = guided.request(query, wish), b = plain.request(query, wish);
    ASSERT_EQ(a.result.cost, b.result.cost);
    // Bellman's equations on arrival times, until nothing changes.
    std::vector<double> arrival(graph.nodes, kInfinity);
    arrival[query.source] = *wish.depart;
    for (bool changed = true; changed;) {
      changed = false;
      for (ArcIndex arc = 0; arc < graph.arcs.size(); ++arc) {
        const MetricArc& one = graph.arcs[arc];
        if (arrival[one.tail] == kInfinity) continue;
        const auto has = [&](const char* name) {
          return std::find(one.classes.begin(), one.classes.end(), name) != one.classes.end();
        };
        if (i % 4 == 0 && has("track")) continue;
        // Drive in steps of a hundredth of a second: slow and plain.
        double clock = arrival[one.tail], left = one.weights[0] * 0.5;
        while (left > 0) {
          const double now = std::fmod(clock, 86400);
          double factor = 0, end = 86400;
          const auto rule = [&](bool applies, double from, double to, double value) {
            if (now < from) end = std::min(end, from);
            if (now >= from && now < to) {
              end = std::min(end, to);
              if (applies) factor = std::max(factor, value);
            }
          };
          rule(has("motorway"), 0, 60, 3);
          rule(has("toll"), 30, 120, 0.5);
          rule(has("ferry"), 20, 40, 8);
          if (now < 10) end = std::min(end, 10.0);
          if (now < 86340) end = std::min(end, 86340.0);
          if (factor == 0 && (now >= 86340 || now < 10)) factor = 2.5;
          if (factor == 0) factor = 1;
          const double possible = (end - now) / factor;
          if (left <= possible) {
            clock += left * factor;
            left = 0;
          } else {
            clock += end - now;
            left -= possible;
          }
        }
        if (clock < arrival[one.head] - 1e-9) {
          arrival[one.head] = clock;
          changed = true;
        }
      }
    }
    if (arrival[query.target] == kInfinity) {
      EXPECT_FALSE(a.result.reached());
      continue;
    }
    ++reached;
    ASSERT_NEAR(a.totals[0], arrival[query.target] - *wish.depart, 2e-3) << i;
  }
  EXPECT_GT(reached, 100u) << "of 400";
}

TEST(TravelTimesTest, BelongToOneGraph) {
  Rng rng(4);
  const RequestCase small = random_case(rng, 5, 1, false), large = random_case(rng, 50, 1, false);
  const auto times = std::make_shared<const TravelTimes>(
      TravelTimes::parse("class,from,to,factor\n", "t.csv", small.graph, small.metrics));
  const Router router(large.graph, {.metrics = large.metrics, .travel_times = times});
  EXPECT_THROW(router.request({0, 1}, {}), Error);
}

TEST(TravelTimesTest, WhoLeavesLaterNeverArrivesEarlier) {
  Rng rng(21);
  const RequestCase graph = random_case(rng, 20, 1, false);
  std::string csv = "arc,from,to,factor\n";
  for (int arc = 0; arc < 10; ++arc) {
    for (int slot = 0; slot < 5; ++slot) {
      csv += std::to_string(arc) + ",0" + std::to_string(slot) + ":00,0" + std::to_string(slot) +
             ":30," + std::to_string(0.1 + rng.uniform() * 20) + "\n";
    }
  }
  const TravelTimes times = TravelTimes::parse(csv, "t.csv", graph.graph, graph.metrics);
  for (int i = 0; i < 20000; ++i) {
    const auto arc = static_cast<ArcIndex>(rng.below(10));
    const double length = rng.uniform() * 9000, early = rng.uniform() * 90000;
    const double late = early + rng.uniform() * (i % 2 == 0 ? 1 : 4000);
    EXPECT_LE(early + times.seconds(arc, length, early),
              late + times.seconds(arc, length, late) + 1e-6);
    EXPECT_GE(times.seconds(arc, length, early) + 1e-6,
              length * times.least_factor(early, early + times.seconds(arc, length, early)));
  }
}

// Three arcs of 10 s each and one of 0 s, in a row.
struct Road {
  Graph graph;
  Metrics metrics;
};
Road road_of_four(const std::string& unit = "s") {
  GraphBuilder builder(5);
  for (NodeId u = 0; u < 4; ++u) builder.add_arc(u, u + 1, u < 3 ? 10 : 0);
  Road road{builder.build(), {}};
  road.metrics = MetricsBuilder({"time", unit, 1}).build(road.graph);
  return road;
}

TEST(TravelTimesTest, ReadsTimesOfDay) {
  EXPECT_EQ(TravelTimes::parse_time("00:00"), 0);
  EXPECT_EQ(TravelTimes::parse_time(" 08:30 "), 8.5 * 3600);
  EXPECT_EQ(TravelTimes::parse_time("8:30:15"), 8.5 * 3600 + 15);
  EXPECT_EQ(TravelTimes::parse_time("24:00"), TravelTimes::kDay);
  for (const char* wrong :
       {"", "8", "8:", ":30", "8:60", "8:30:60", "24:01", "24:00:01", "25:00", "-1:00", "8:-1",
        "8:30:15:00", "8.5:00", "8:30x", "2147483647:00", "99999999999:00"}) {
    EXPECT_EQ(error_of([&] { TravelTimes::parse_time(wrong); }),
              "'" + std::string(wrong) + "' is no time of day; write 08:30 or 08:30:15");
  }
}

TEST(TravelTimesTest, RowsOfArcsGiveFactorsOrSeconds) {
  const Road road = road_of_four();
  const TravelTimes factors =
      TravelTimes::parse("# rush\r\n\r\narc,from,to,factor\r\n1,07:00,09:00,3\r\n2,22:00,00:00,2\n",
                         "t.csv", road.graph, road.metrics);
  EXPECT_EQ(factors.seconds(1, 10, 8 * 3600), 30);
  EXPECT_EQ(factors.seconds(1, 10, 9 * 3600), 10);
  EXPECT_EQ(factors.seconds(2, 10, 23 * 3600), 20);
  EXPECT_EQ(factors.seconds(2, 10, TravelTimes::kDay), 10) << "a slot that ends at midnight";
  EXPECT_EQ(factors.seconds(0, 10, 8 * 3600), 10);
  EXPECT_FALSE(factors.same_slots(0, 1));
  EXPECT_TRUE(factors.same_slots(0, 3));

  const ScratchFolder folder;
  const std::string path = folder.write("t.csv", "arc,from,to,seconds\n1,07:00,09:00,25\n");
  const TravelTimes seconds = TravelTimes::load(path, road.graph, road.metrics);
  EXPECT_EQ(seconds.seconds(1, 10, 8 * 3600), 25);
  EXPECT_EQ(seconds.seconds(1, 10, 0), 10);
  EXPECT_EQ(error_of([&] {
              TravelTimes::parse("arc,from,to,seconds\n3,07:00,09:00,25\n", "t.csv", road.graph,
                                 road.metrics);
            }),
            "t.csv:2: arc 3 has no time of its own; give factors");
}

TEST(TravelTimesTest, RowsOfWaysApplyToAllTheirArcs) {
  const Road road = road_of_four();
  const std::vector<std::uint32_t> arc_segment = {0, 2, 3, 4};
  const std::vector<std::int64_t> segment_way = {70, 80, 70};
  Shape shape;
  shape.arc_segment = arc_segment;
  shape.segment_way = segment_way;
  const auto parse = [&](const std::string& rows, const Shape& with) {
    return TravelTimes::parse("way,from,to,factor\n" + rows, "t.csv", road.graph, road.metrics,
                              with);
  };
  const TravelTimes times = parse("70,07:00,09:00,3\n", shape);
  for (ArcIndex arc = 0; arc < 4; ++arc) {
    EXPECT_EQ(times.seconds(arc, 10, 8 * 3600), arc == 0 || arc == 3 ? 30 : 10) << arc;
  }
  EXPECT_EQ(error_of([&] { parse("70,07:00,09:00,3\n90,07:00,09:00,3\n", shape); }),
            "t.csv:3: the graph has no way 90");
  EXPECT_EQ(error_of([&] { parse("x,07:00,09:00,3\n", shape); }),
            "t.csv:2: 'x' is no way; write its OpenStreetMap id");
  EXPECT_EQ(error_of([&] { parse("70,07:00,09:00,3\n", {}); }),
            "t.csv: the graph has no OpenStreetMap ways");
}

TEST(TravelTimesTest, WithoutClassesOnlyTheRowOfEverythingApplies) {
  const Road road = road_of_four();
  const TravelTimes times = TravelTimes::parse("class,from,to,factor\n*,00:00,24:00,2\n", "t.csv",
                                               road.graph, road.metrics);
  EXPECT_EQ(times.seconds(0, 10, 0), 20);
  EXPECT_EQ(times.seconds(0, 10, 3.5 * TravelTimes::kDay), 20);
  EXPECT_EQ(error_of([&] {
              TravelTimes::parse("class,from,to,factor\nmotorway,00:00,24:00,2\n", "t.csv",
                                 road.graph, road.metrics);
            }),
            "t.csv: the graph has no classes of roads");
}

TEST(TravelTimesTest, RequiresTimesInSeconds) {
  for (const Metrics& metrics : {road_of_four("m").metrics, Metrics()}) {
    EXPECT_NE(error_of([&] {
                TravelTimes::parse("class,from,to,factor\n", "t.csv", road_of_four().graph,
                                   metrics);
              }).find("t.csv: travel times require a graph whose own weights are times"),
              std::string::npos);
  }
}

// Half of the day at half the speed: each day brings 18 hours. Compared with steps of slots.
TEST(TravelTimesTest, RoadsOfManyDays) {
  const Road road = road_of_four();
  const TravelTimes times = TravelTimes::parse("arc,from,to,factor\n0,12:00,24:00,2\n", "t.csv",
                                               road.graph, road.metrics);
  for (const double hours : {17.0, 19.0, 18 * 99.0, 18 * 1000.0, 18 * 123456 + 5.0, 1e9}) {
    const double days = std::floor(hours / 18), rest = hours - 18 * days;
    const double expected = 24 * days + (rest <= 12 ? rest : 12 + 2 * (rest - 12));
    EXPECT_NEAR(times.seconds(0, 3600 * hours, 0) / 3600, expected, 1e-9 * expected) << hours;
  }
}

TEST(TravelTimesTest, RefusesMalformedFiles) {
  Rng rng(1);
  const RequestCase graph = random_case(rng, 10, 1, false);
  const auto message = [&](const std::string& text) -> std::string {
    try {
      TravelTimes::parse(text, "t.csv", graph.graph, graph.metrics);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("").find("no header"), std::string::npos);
  EXPECT_NE(message("road,from,to,factor\n").find("t.csv:1:"), std::string::npos);
  EXPECT_NE(message("class,from,to,factor\nmotorway,7,9,2\n").find("t.csv:2:"), std::string::npos);
  EXPECT_NE(message("class,from,to,factor\nmotorway,07:00,25:00,2\n").find("time of day"),
            std::string::npos);
  EXPECT_NE(message("class,from,to,factor\nmotorway,07:00,09:00,0\n").find("above 0"),
            std::string::npos);
  EXPECT_NE(message("class,from,to,factor\nmotorway,07:00,07:00,2\n").find("empty"),
            std::string::npos);
  EXPECT_NE(
      message("class,from,to,factor\nboat,07:00,08:00,2\n").find("t.csv:2: the graph has no class"),
      std::string::npos);
  EXPECT_NE(message("class,from,to,factor\nmotorway,07:00,09:00,2\nmotorway,08:00,10:00,2\n")
                .find("t.csv:3: this slot overlaps"),
            std::string::npos);
  EXPECT_NE(message("arc,from,to,factor\n0,07:00,08:00,2\n999999,07:00,08:00,2\n")
                .find("t.csv:3: '999999' is no arc"),
            std::string::npos);
  std::string seconds = "arc,from,to,factor\n";
  for (int i = 0; i < 1500; ++i) {
    const std::string minute =
        "0" + std::to_string(i / 600) + ":" + std::to_string(i / 60 % 10 + 10);
    const int at = i % 60;
    const std::string second = (at < 10 ? ":0" : ":") + std::to_string(at);
    seconds += "0," + minute + second + ",23:59," + "2\n";
  }
  EXPECT_NE(message(seconds).find("at most 1440"), std::string::npos) << message(seconds);
  EXPECT_NE(message("class,from,to\n").find("four fields"), std::string::npos);
  for (const char* header :
       {"class,to,to,factor\n", "class,from,from,factor\n", "class,from,to,value\n",
        "class,from,to,seconds\n", "way,from,to,seconds\n"}) {
    EXPECT_NE(message(header).find("t.csv:1: the header must be"), std::string::npos) << header;
  }
  for (const char* value : {"x", "nan", "inf", "-1", "1000001", ""}) {
    EXPECT_NE(message("class,from,to,factor\nmotorway,07:00,09:00," + std::string(value))
                  .find("t.csv:2: the factor must be a number above 0"),
              std::string::npos)
        << value;
  }
  EXPECT_NE(message("arc,from,to,seconds\n0,07:00,09:00,0\n").find("the time must be"),
            std::string::npos);
  EXPECT_NE(message("class,from,to,factor\nmotorway,24:00,09:00,2\n").find("empty"),
            std::string::npos);
}

}  // namespace
}  // namespace lodestar::travel_times_test
