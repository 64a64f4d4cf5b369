// Travel times by the time of day: earliest arrivals, FIFO, and malformed files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lodestar/router.h"
#include "request_family.h"

namespace lodestar {
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
}

}  // namespace
}  // namespace lodestar
