// Times of departure and places within roads, against a search by travel times computed without
// the library.
#include <gtest/gtest.h>

#include "lodestar/fit_family.h"
#include "preference_roads.h"

namespace lodestar::server::departure_test {
namespace {

using nlohmann::json;

constexpr std::string_view kRushHour =
    "class,from,to,factor\n"
    "motorway,07:00,08:00,3\n"
    "motorway,08:00,08:02,1.5\n"
    "toll,07:30,09:00,2\n";

// The factor of an arc at a time of day, for the rows above: the largest of its classes.
double factor_at(const PlainArc& arc, double clock) {
  const double time = std::fmod(clock, 86400);
  double factor = 0;
  const auto row = [&](const char* name, double from, double to, double value) {
    if (has_class(arc, name) && time >= from && time < to) factor = std::max(factor, value);
  };
  row("motorway", 7 * 3600, 8 * 3600, 3);
  row("motorway", 8 * 3600, 8 * 3600 + 120, 1.5);
  row("toll", 7.5 * 3600, 9 * 3600, 2);
  return factor > 0 ? factor : 1;
}

// Drives in steps that end where a factor may change.
double drive(const PlainArc& arc, double seconds, double clock) {
  const double begin = clock;
  while (seconds > 0) {
    double change = 86400 * (std::floor(clock / 86400) + 1);
    for (const double at : {7.0 * 3600, 7.5 * 3600, 8.0 * 3600, 8.0 * 3600 + 120, 9.0 * 3600}) {
      const double next = at + 86400 * std::floor(clock / 86400);
      if (next > clock) change = std::min(change, next);
    }
    const double factor = factor_at(arc, clock);
    const double possible = (change - clock) / factor;
    if (seconds <= possible) return clock + seconds * factor - begin;
    seconds -= possible;
    clock = change;
  }
  return clock - begin;
}

std::string clock_text(int seconds) {
  char text[16];
  std::snprintf(text, sizeof text, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60,
                seconds % 60);
  return text;
}

std::string number(double value) {
  return json(value).dump();
}

class DepartureTest : public ::testing::TestWithParam<bool> {
 protected:
  static ServiceOptions options(const GraphFile& file) {
    ServiceOptions made = quiet_options();
    made.live.travel_times = std::make_shared<const TravelTimes>(
        TravelTimes::parse(kRushHour, "rush.csv", file.graph, file.metrics));
    if (GetParam()) {
      FamilyOptions fit;
      fit.metrics = {"time", "length"};
      fit.fit.seconds = 0.3;
      made.live.family =
          std::make_shared<const PotentialFamily>(fit_family(file.graph, file.metrics, fit).family);
    }
    return made;
  }
  DepartureTest() : service_(roads_.file, options(roads_.file)) {}

  // Times are slow here, so that routes take long enough to meet several slots.
  static PreferenceRoads slow_roads() {
    PreferenceRoads roads = preference_roads(600);
    std::vector<Weight> times = roads.file.graph.weights();
    for (std::size_t i = 0; i < times.size(); ++i) {
      times[i] *= 8;
      roads.arcs[i].time = times[i] / 10;
    }
    roads.file.graph = roads.file.graph.with_weights(times);
    return roads;
  }
  PreferenceRoads roads_ = slow_roads();
  Service service_;
};

INSTANTIATE_TEST_SUITE_P(Potentials, DepartureTest, ::testing::Bool());

TEST_P(DepartureTest, ArrivalsAreTheEarliest) {
  Rng rng(1);
  const NodeId n = roads_.file.graph.node_count();
  for (int round = 0; round < 150; ++round) {
    const NodeId s = rng.below(n), t = rng.below(n);
    const int depart = static_cast<int>(6.5 * 3600 + rng.below(2 * 3600));
    const bool closed = round % 2 == 0;
    const double expected = plain_cost(roads_.arcs, n, s, t, [&](std::size_t i, double g) {
      if (closed && has_class(roads_.arcs[i], "toll")) return kInfinity;
      return drive(roads_.arcs[i], roads_.arcs[i].time, depart + g);
    });
    const Reply reply =
        get(service_, "/route/v1/nodes/" + std::to_string(s) + ";" + std::to_string(t) +
                          "?annotations=duration&depart=" + clock_text(depart) +
                          (closed ? "&exclude=toll" : ""));
    if (expected == kInfinity) {
      EXPECT_EQ(json_of(reply)["code"], "NoRoute");
      continue;
    }
    ASSERT_EQ(reply.status, 200) << reply.content();
    const json route = json_of(reply)["routes"][0];
    EXPECT_NEAR(route["duration"], expected, 1e-4 * (1 + expected));
    EXPECT_EQ(route["weight_name"], "duration");
    EXPECT_EQ(route["potentials"], GetParam());
    double sum = 0;
    for (const json& one : route["legs"][0]["annotation"]["duration"]) sum += one.get<double>();
    EXPECT_NEAR(sum, expected, 1e-4 * (1 + expected));
  }
}

// The second leg begins when the first one ends.
TEST_P(DepartureTest, LegsFollowEachOther) {
  const NodeId n = roads_.file.graph.node_count(), middle = n / 2, last = n - 1;
  const auto leaving = [&](double then) {
    return plain_cost(roads_.arcs, n, middle, last, [&](std::size_t i, double g) {
      return drive(roads_.arcs[i], roads_.arcs[i].time, then + g);
    });
  };
  int told = 0;
  for (int depart = 6 * 3600 + 1800; depart < 9 * 3600; depart += 420) {
    const json answer =
        json_of(get(service_, "/route/v1/nodes/3;" + std::to_string(middle) + ";" +
                                  std::to_string(last) + "?depart=" + clock_text(depart)));
    ASSERT_EQ(answer["code"], "Ok") << answer;
    const json& route = answer["routes"][0];
    const double first = route["legs"][0]["duration"], second = route["legs"][1]["duration"];
    const double expected = leaving(depart + first);
    EXPECT_NEAR(second, expected, 1e-4 * expected);
    EXPECT_NEAR(route["duration"], first + second, 1e-6);
    for (const double other : {leaving(depart), leaving(depart - first)}) {
      told += std::abs(other - expected) > 0.01 * expected ? 1 : 0;
    }
  }
  EXPECT_GT(told, 4) << "the time of departure matters";
}

struct OnRoad {
  std::size_t arc = 0;
  double share = 0;
};

// The nearest open road by looking at all of them, in both directions.
std::vector<OnRoad> sides_of(const PreferenceRoads& roads, Point p,
                             const std::function<bool(std::size_t)>& open) {
  const auto points = roads.file.graph.points();
  const double c = std::cos(p.y * 3.14159265358979 / 180);
  double nearest = kInfinity;
  std::vector<OnRoad> out;
  for (std::size_t i = 0; i < roads.arcs.size(); ++i) {
    const Point a = points[roads.arcs[i].tail], b = points[roads.arcs[i].head];
    const double x = (b.x - a.x) * c, y = b.y - a.y;
    const double px = (p.x - a.x) * c, py = p.y - a.y;
    const double share = std::clamp((x * px + y * py) / (x * x + y * y), 0.0, 1.0);
    const double distance = std::hypot(px - share * x, py - share * y);
    bool back_open = false;
    for (std::size_t k = 0; k < roads.arcs.size(); ++k) {
      back_open |= roads.arcs[k].tail == roads.arcs[i].head &&
                   roads.arcs[k].head == roads.arcs[i].tail && open(k);
    }
    if (!open(i) && !back_open) continue;
    if (distance > nearest * (1 + 1e-9) + 1e-12) continue;
    if (distance < nearest * (1 - 1e-9) - 1e-12) out.clear();
    nearest = std::min(nearest, distance);
    if (open(i)) out.push_back({i, share});
  }
  return out;
}

// A place in the middle of a road, with roads near it closed and with the clock running.
TEST_P(DepartureTest, PlacesWithinRoadsAreExact) {
  Rng rng(2);
  const auto points = roads_.file.graph.points();
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    const bool timed = round % 2 == 0;
    const bool closed = round % 3 == 0;
    const int depart = static_cast<int>(6.8 * 3600 + rng.below(5000));
    const auto open = [&](std::size_t i) { return !closed || !has_class(roads_.arcs[i], "toll"); };
    const auto pass = [&](std::size_t i, double share, double g) {
      const double seconds = share * roads_.arcs[i].time;
      return timed ? drive(roads_.arcs[i], seconds, depart + g) : seconds;
    };
    Point ends[2];
    for (Point& p : ends) {
      const PlainArc& arc = roads_.arcs[rng.below(roads_.arcs.size())];
      const double share = 0.2 + 0.6 * rng.uniform();
      p = {points[arc.tail].x + share * (points[arc.head].x - points[arc.tail].x) + 1e-5,
           points[arc.tail].y + share * (points[arc.head].y - points[arc.tail].y) + 1e-5};
    }
    const auto exits = sides_of(roads_, ends[0], open), entries = sides_of(roads_, ends[1], open);
    double expected = kInfinity;
    for (const OnRoad& exit : exits) {
      for (const OnRoad& entry : entries) {
        if (exit.arc == entry.arc && exit.share <= entry.share) {
          expected = std::min(expected, pass(exit.arc, entry.share - exit.share, 0));
          continue;
        }
        const double left = pass(exit.arc, 1 - exit.share, 0);
        const double there =
            left + plain_cost(roads_.arcs, roads_.file.graph.node_count(),
                              roads_.arcs[exit.arc].head, roads_.arcs[entry.arc].tail,
                              [&](std::size_t i, double g) {
                                return open(i) ? pass(i, 1, left + g) : kInfinity;
                              });
        if (there == kInfinity) continue;
        expected = std::min(expected, there + pass(entry.arc, entry.share, there));
      }
    }
    const std::string target = "/route/v1/car/" + number(ends[0].x) + "," + number(ends[0].y) +
                               ";" + number(ends[1].x) + "," + number(ends[1].y) + "?steps=true" +
                               (timed ? "&depart=" + clock_text(depart) : "&blend=time:1") +
                               (closed ? "&exclude=toll" : "");
    const Reply reply = get(service_, target);
    if (expected == kInfinity) {
      EXPECT_EQ(json_of(reply)["code"], "NoRoute") << target;
      continue;
    }
    ASSERT_EQ(reply.status, 200) << target << reply.content();
    const json route = json_of(reply)["routes"][0];
    EXPECT_NEAR(route["duration"], expected, 1e-4 * (1 + expected)) << target;
    EXPECT_EQ(route["optimal"], true);
    double sum = 0;
    for (const json& step : route["legs"][0]["steps"]) sum += step["duration"].get<double>();
    EXPECT_NEAR(sum, expected, 1e-3 * (1 + expected)) << target;
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

TEST(Departure, RequiresTravelTimesAndNoFactors) {
  PreferenceRoads roads = preference_roads(300);
  Service without(roads.file, quiet_options());
  const json refused = json_of(get(without, "/route/v1/nodes/1;2?depart=08:30"));
  EXPECT_EQ(refused["code"], "InvalidValue");
  EXPECT_NE(refused["message"].get<std::string>().find("travel times"), std::string::npos);
  ServiceOptions options = quiet_options();
  options.live.travel_times = std::make_shared<const TravelTimes>(
      TravelTimes::parse(kRushHour, "rush.csv", roads.file.graph, roads.file.metrics));
  Service with(roads.file, options);
  EXPECT_EQ(get(with, "/route/v1/nodes/1;2?depart=08:30&exclude=toll").status, 200);
  for (const char* option :
       {"depart=08:30&factors=toll:2", "depart=08:30&blend=time:1,length:1",
        "depart=08:30&alternatives=2", "depart=24:00", "depart=8", "depart=08:61", "depart=-1:00",
        "depart=nan", "depart=08:30:15:20", "depart=99999999999:00"}) {
    EXPECT_EQ(get(with, std::string("/route/v1/nodes/1;2?") + option).status, 400) << option;
  }
}

}  // namespace
}  // namespace lodestar::server::departure_test
