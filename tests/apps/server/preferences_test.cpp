// Routes and tables by weights of the request, against Dijkstra on weights computed without the
// library.
#include <gtest/gtest.h>

#include "lodestar/fit_family.h"
#include "preference_roads.h"

namespace lodestar::server::preferences_test {
namespace {

using nlohmann::json;

struct Wish {
  std::string options;                            // of a URL
  std::function<double(std::size_t arc)> weight;  // in seconds, infinite if closed
};

double cross(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
bool pieces_cross(Point a, Point b, Point c, Point d) {
  return cross(a, b, c) * cross(a, b, d) <= 0 && cross(c, d, a) * cross(c, d, b) <= 0 &&
         std::max(a.x, b.x) >= std::min(c.x, d.x) && std::max(c.x, d.x) >= std::min(a.x, b.x) &&
         std::max(a.y, b.y) >= std::min(c.y, d.y) && std::max(c.y, d.y) >= std::min(a.y, b.y);
}
bool inside(const std::vector<Point>& ring, Point p) {
  double turn = 0;  // the winding number
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    turn += std::atan2((a.x - p.x) * (b.y - p.y) - (a.y - p.y) * (b.x - p.x),
                       (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y));
  }
  return std::abs(turn) > 3;
}
bool touches(const std::vector<Point>& ring, Point a, Point b) {
  if (inside(ring, a) || inside(ring, b)) return true;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (pieces_cross(ring[i], ring[(i + 1) % ring.size()], a, b)) return true;
  }
  return false;
}
double metres_to_piece(Point centre, Point a, Point b) {
  const double k = 111195.08, c = std::cos(centre.y * 3.14159265358979 / 180);
  double nearest = kInfinity;
  const int steps = 2000;
  for (int i = 0; i <= steps; ++i) {
    const double t = double(i) / steps;
    nearest = std::min(nearest, std::hypot((a.x + t * (b.x - a.x) - centre.x) * k * c,
                                           (a.y + t * (b.y - a.y) - centre.y) * k));
  }
  return nearest;
}
std::string number(double value) {
  return json(value).dump();
}

class PreferencesTest : public ::testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  static const PreferenceRoads& roads() {
    static const PreferenceRoads made = preference_roads(900);
    return made;
  }
  static std::shared_ptr<const PotentialFamily> family() {
    static const auto made = [] {
      FamilyOptions options;
      options.metrics = {"time", "length"};
      options.knots = 3;
      options.fit.seconds = 0.5;
      return std::make_shared<const PotentialFamily>(
          fit_family(roads().file.graph, roads().file.metrics, options).family);
    }();
    return made;
  }
  static ServiceOptions options() {
    ServiceOptions made = quiet_options(std::get<0>(GetParam()));
    if (std::get<1>(GetParam())) made.live.family = family();
    return made;
  }
  PreferencesTest() : service_(roads().file, options()) { service_.live().settle(); }
  const Graph& graph() const { return service_.world().file.graph; }
  Point point(NodeId v) const { return graph().points()[v]; }

  Wish random_wish(Rng& rng) const {
    const std::vector<PlainArc>& arcs = roads().arcs;
    std::vector<double> factor(arcs.size(), 1);
    std::string text;
    const auto place = [&] { return Point{9.5 + 0.1 * rng.uniform(), 47.1 + 0.1 * rng.uniform()}; };
    double time = 1, length = 0;
    if (rng.below(3) == 0) {
      time = std::round(100 * rng.uniform()) / 100;
      length = 0.01 + std::round(100 * rng.uniform()) / 1000;
      text += "&blend=time:" + number(time) + ",length:" + number(length);
    }
    if (rng.below(3) == 0) {
      text += "&exclude=motorway";
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        if (has_class(arcs[i], "motorway")) factor[i] = kInfinity;
      }
    }
    if (rng.below(3) == 0) {
      text += "&factors=toll:2.5";
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        if (has_class(arcs[i], "toll")) factor[i] *= 2.5;
      }
    }
    if (rng.below(3) == 0) {
      text += "&vehicle=height:3.8";
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        if (arcs[i].max_height < 3.8) factor[i] = kInfinity;
      }
    }
    if (rng.below(2) == 0) {
      const Point centre = place();
      const double radius = std::round(100 + 900 * rng.uniform());
      text += "&avoid_circles=" + number(centre.x) + "," + number(centre.y) + "," + number(radius);
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        const Point a = point(arcs[i].tail), b = point(arcs[i].head);
        if (distance_between(CoordinateKind::kDegrees, a, centre) > radius + 10 * arcs[i].length) {
          continue;
        }
        if (metres_to_piece(centre, a, b) <= radius) factor[i] = kInfinity;
      }
    }
    if (rng.below(2) == 0) {
      const Point centre = place();
      std::vector<Point> ring;
      const std::size_t corners = 3 + rng.below(5);
      for (std::size_t k = 0; k < corners; ++k) {  // a star around the centre
        const double angle =
            6.283 * (static_cast<double>(k) + 0.8 * rng.uniform()) / static_cast<double>(corners);
        const double size = 0.004 + 0.012 * rng.uniform();
        ring.push_back({centre.x + size * std::cos(angle), centre.y + size * std::sin(angle)});
      }
      text += "&avoid_polygons=";
      for (std::size_t k = 0; k < corners; ++k) {
        text += (k > 0 ? "," : "") + number(ring[k].x) + "," + number(ring[k].y);
      }
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        if (touches(ring, point(arcs[i].tail), point(arcs[i].head))) factor[i] = kInfinity;
      }
    }
    if (text.empty()) return random_wish(rng);
    return {text.substr(1), [=](std::size_t i) {
              return (time * arcs[i].time + length * arcs[i].length) * factor[i];
            }};
  }

  Service service_;
};

INSTANTIATE_TEST_SUITE_P(IndexAndPotentials, PreferencesTest,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool()));

TEST_P(PreferencesTest, RandomRequestsCostWhatDijkstraSays) {
  Rng rng(11);
  int reached = 0;
  for (int round = 0; round < 300; ++round) {
    const Wish wish = random_wish(rng);
    const NodeId s = rng.below(graph().node_count()), t = rng.below(graph().node_count());
    const double expected = plain_cost(roads().arcs, graph().node_count(), s, t,
                                       [&](std::size_t arc, double) { return wish.weight(arc); });
    const Reply reply =
        get(service_, "/route/v1/nodes/" + std::to_string(s) + ";" + std::to_string(t) +
                          "?overview=false&annotations=nodes,weight&" + wish.options);
    if (expected == kInfinity) {
      EXPECT_EQ(json_of(reply)["code"], "NoRoute") << wish.options;
      continue;
    }
    ++reached;
    ASSERT_EQ(reply.status, 200) << wish.options << reply.content();
    const json route = json_of(reply)["routes"][0];
    EXPECT_NEAR(route["weight"], expected, 1e-5 * (1 + expected)) << wish.options;
    EXPECT_EQ(route["optimal"], true);
    EXPECT_EQ(route["potentials"], std::get<1>(GetParam()));
    // The path costs that much, and takes as long and is as long as the metrics say.
    double weight = 0, time = 0, length = 0;
    const json& nodes = route["legs"][0]["annotation"]["nodes"];
    for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
      std::size_t best = roads().arcs.size();
      for (std::size_t i = 0; i < roads().arcs.size(); ++i) {
        const PlainArc& arc = roads().arcs[i];
        if (arc.tail != nodes[k] || arc.head != nodes[k + 1]) continue;
        if (best == roads().arcs.size() || wish.weight(i) < wish.weight(best)) best = i;
      }
      ASSERT_LT(best, roads().arcs.size());
      weight += wish.weight(best);
      time += roads().arcs[best].time;
      length += roads().arcs[best].length;
    }
    EXPECT_NEAR(route["weight"], weight, 1e-5 * (1 + weight));
    EXPECT_NEAR(route["duration"], time, 1e-6 * (1 + time));
    ASSERT_EQ(route["metrics"].size(), 2u);
    EXPECT_NEAR(route["metrics"][0]["total"], time, 1e-6 * (1 + time));
    EXPECT_NEAR(route["metrics"][1]["total"], length, 1e-6 * (1 + length));
    EXPECT_EQ(route["metrics"][1]["name"], "length");
    const bool custom = wish.options.find("blend") != std::string::npos ||
                        wish.options.find("factors") != std::string::npos;
    EXPECT_EQ(route["weight_name"], custom ? "custom" : "duration");
  }
  EXPECT_GT(reached, 150);
}

TEST_P(PreferencesTest, TablesAreRowsOfRequests) {
  Rng rng(12);
  for (int round = 0; round < 10; ++round) {
    const Wish wish = random_wish(rng);
    const std::vector<NodeId> nodes = {5, 211, 640, 899};
    const Reply reply = get(
        service_, "/table/v1/nodes/5;211;640;899?annotations=duration,distance&" + wish.options);
    ASSERT_EQ(reply.status, 200) << reply.content();
    const json table = json_of(reply);
    EXPECT_EQ(table["potentials"], std::get<1>(GetParam()));
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        const json route = json_of(get(service_, "/route/v1/nodes/" + std::to_string(nodes[i]) +
                                                     ";" + std::to_string(nodes[k]) +
                                                     "?overview=false&" + wish.options));
        if (route["code"] == "NoRoute") {
          EXPECT_TRUE(table["durations"][i][k].is_null());
        } else {
          EXPECT_EQ(table["durations"][i][k], route["routes"][0]["duration"]);
          EXPECT_EQ(table["distances"][i][k], route["routes"][0]["distance"]);
        }
      }
    }
  }
}

// Weights that rose keep potentials feasible, weights that fell do not: both are answered exactly.
TEST_P(PreferencesTest, ApplyToTheCurrentWeights) {
  Rng rng(13);
  for (const double change : {3.0, 0.25}) {
    json updates = json::array();
    std::vector<double> factor(roads().arcs.size(), 1);
    for (std::size_t i = 0; i < factor.size(); i += 3) {
      updates.push_back({{"arc", i}, {"factor", change}});
      factor[i] = change;
    }
    ASSERT_EQ(post(service_, "/weights", json{{"updates", updates}}.dump()).status, 200);
    for (int round = 0; round < 60; ++round) {
      const NodeId s = rng.below(graph().node_count()), t = rng.below(graph().node_count());
      const double expected =
          plain_cost(roads().arcs, graph().node_count(), s, t, [&](std::size_t i, double) {
            return (roads().arcs[i].time * factor[i] + 0.02 * roads().arcs[i].length) *
                   (has_class(roads().arcs[i], "toll") ? 4 : 1);
          });
      const json route =
          json_of(get(service_, "/route/v1/nodes/" + std::to_string(s) + ";" + std::to_string(t) +
                                    "?blend=time:1,length:0.02&factors=toll:4"));
      ASSERT_EQ(route["code"], "Ok");
      EXPECT_NEAR(route["routes"][0]["weight"], expected, 1e-5 * (1 + expected));
      EXPECT_EQ(route["routes"][0]["optimal"], true);
    }
  }
}

TEST_P(PreferencesTest, PlainRequestsAreAsBefore) {
  const json plain = json_of(get(service_, "/route/v1/nodes/5;899"));
  for (const char* option :
       {"exclude=", "avoid_circles=", "avoid_polygons=", "ways=", "factors=", "blend=", "vehicle=",
        "depart=", "alternatives=false", "alternatives=0"}) {
    EXPECT_EQ(json_of(get(service_, std::string("/route/v1/nodes/5;899?") + option)), plain);
  }
  EXPECT_FALSE(plain["routes"][0].contains("potentials"));
  for (const char* target :
       {"/route/v1/nodes/5;899?exclude=toll", "/route/v1/nodes/5;899?alternatives=2",
        "/route/v1/nodes/5;899?%65xclude=toll", "/route/v1/nodes/5;899?steps=true&depart=08:00"}) {
    EXPECT_FALSE(service_.is_quick({.target = target})) << target;
  }
  EXPECT_EQ(service_.is_quick({.target = "/route/v1/nodes/5;899?alternatives=false"}),
            std::get<0>(GetParam()));
}

TEST_P(PreferencesTest, AlternativesAreOtherRoutesNotMuchLonger) {
  Rng rng(14);
  std::size_t others = 0;
  for (int round = 0; round < 40; ++round) {
    const NodeId s = rng.below(graph().node_count()), t = rng.below(graph().node_count());
    if (s == t) continue;
    const std::string places = number(point(s).x) + "," + number(point(s).y) + ";" +
                               number(point(t).x) + "," + number(point(t).y);
    const std::string nodes = std::to_string(s) + ";" + std::to_string(t);
    const std::string options = "?overview=full&geometries=geojson&annotations=true&alternatives=";
    const Reply reply = get(service_, "/route/v1/nodes/" + nodes + options + "3");
    ASSERT_EQ(reply.status, 200) << reply.content();
    const json routes = json_of(reply)["routes"];
    const double best = dijkstra(graph(), s, t) / 10;
    ASSERT_GE(routes.size(), 1u);
    ASSERT_LE(routes.size(), 4u);
    EXPECT_NEAR(routes[0]["weight"], best, 1e-9 * best);
    EXPECT_EQ(routes[0]["optimal"], true);
    for (std::size_t i = 1; i < routes.size(); ++i) {
      ++others;
      EXPECT_GE(routes[i]["weight"], best * (1 - 1e-9));
      EXPECT_LE(routes[i]["weight"], 1.25 * best * (1 + 1e-9));
      EXPECT_NEAR(routes[i]["lower_bound"], best, 1e-9 * best);
      EXPECT_NE(routes[i]["geometry"], routes[0]["geometry"]);
      double weight = 0;
      for (const json& one : routes[i]["legs"][0]["annotation"]["weight"]) {
        weight += one.get<double>();
      }
      EXPECT_NEAR(routes[i]["weight"], weight, 1e-6 * weight);
    }
    EXPECT_LE(
        json_of(get(service_, "/route/v1/nodes/" + nodes + options + "true"))["routes"].size(), 2u);
    const json by_place = json_of(get(service_, "/route/v1/car/" + places + options + "3"));
    ASSERT_EQ(by_place["code"], "Ok");
    EXPECT_EQ(by_place["routes"].size(), routes.size());
  }
  EXPECT_GT(others, 10u);
}

}  // namespace
}  // namespace lodestar::server::preferences_test
