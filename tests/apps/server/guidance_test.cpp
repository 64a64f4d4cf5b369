// Instructions at junctions drawn by hand, and waypoints that are passed without turning back.
#include "apps/server/guidance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sample_service.h"

namespace lodestar::server::guidance_test {
namespace {

using nlohmann::json;

struct Line {
  NodeId from, to;
  std::string name;
  std::vector<std::string_view> classes = {};
  bool oneway = false;
};

// Points in thousandths of a degree.
GraphFile drawn(const std::vector<Point>& points, std::vector<Line> lines,
                const std::string& profile = "car") {
  struct OneArc {
    NodeId tail, head;
    std::uint32_t segment;
    std::size_t line;
  };
  ShapeBuilder shape;
  std::vector<OneArc> arcs;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    const auto segment = static_cast<std::uint32_t>(i);
    shape.segment_length.push_back(1000);
    shape.segment_way.push_back(segment);
    shape.segment_street.push_back(segment);
    shape.first_point.push_back(0);
    shape.letters += line.name;
    shape.first_letter.push_back(shape.letters.size());
    arcs.push_back({line.from, line.to, 2 * segment, i});
    if (!line.oneway) arcs.push_back({line.to, line.from, 2 * segment + 1, i});
  }
  std::sort(arcs.begin(), arcs.end(), [](const OneArc& a, const OneArc& b) {
    return std::pair(a.tail, a.head) < std::pair(b.tail, b.head);
  });
  GraphBuilder builder(static_cast<NodeId>(points.size()));
  MetricsBuilder metrics({"time", "s", 0.1});
  for (const OneArc& arc : arcs) {
    builder.add_arc(arc.tail, arc.head, 100);
    shape.arc_segment.push_back(arc.segment);
    shape.arc_duration.push_back(100);
    metrics.add_arc(lines[arc.line].classes);
  }
  std::vector<Point> degrees;
  for (const Point& p : points) degrees.push_back({p.x / 1000, p.y / 1000});
  builder.set_points(CoordinateKind::kDegrees, degrees);
  for (NodeId v = 0; v < points.size(); ++v) shape.node_id.push_back(v);
  shape.remarks = "profile " + profile + ", weights are times in tenths of a second\n";
  GraphFile file = file_of(builder.build());
  file.metrics = std::move(metrics).build(file.graph);
  file.shape = std::move(shape).build();
  return file;
}

std::string said(const json& leg) {
  std::string out;
  for (const json& step : leg["steps"]) {
    const json& maneuver = step["maneuver"];
    out += (out.empty() ? "" : ", ") + maneuver["type"].get<std::string>();
    if (maneuver.contains("modifier")) out += " " + maneuver["modifier"].get<std::string>();
    if (maneuver.contains("exit")) out += " " + maneuver["exit"].dump();
  }
  return out;
}

std::string places_of(std::initializer_list<Point> points) {
  std::string out;
  for (const Point& p : points) {
    out += (out.empty() ? "" : ";") + std::to_string(p.x / 1000) + "," + std::to_string(p.y / 1000);
  }
  return out;
}

// What is said from point a to point b of a drawing.
std::string way(const std::vector<Point>& points, const std::vector<Line>& lines, NodeId a,
                NodeId b) {
  Service service(drawn(points, lines), quiet_options());
  const json reply =
      json_of(get(service, "/route/v1/car/" + places_of({points[a], points[b]}) + "?steps=true"));
  return reply["code"] == "Ok" ? said(reply["routes"][0]["legs"][0]) : reply.dump();
}

//     3
//     |
// 0---1---2        4 lies south of 1, 5 ahead to the left, 6 ahead to the right
const std::vector<Point> kStar = {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {1, -1}, {2, 0.4}, {2, -0.4}};

TEST(Guidance, TurnsNamesAndEnds) {
  EXPECT_EQ(way(kStar, {{0, 1, "a"}, {1, 2, "a"}, {1, 3, "b"}}, 0, 2), "depart, arrive");
  EXPECT_EQ(way(kStar, {{0, 1, "a"}, {1, 2, "a"}, {1, 3, "b"}}, 0, 3), "depart, turn left, arrive");
  EXPECT_EQ(way(kStar, {{0, 1, "a"}, {1, 2, "c"}}, 0, 2), "depart, new name straight, arrive");
  EXPECT_EQ(way(kStar, {{0, 1, "a"}, {1, 2, "c"}, {1, 4, "b"}}, 0, 2),
            "depart, new name straight, arrive");
  // The street turns the corner.
  EXPECT_EQ(way(kStar, {{0, 1, "a"}, {1, 2, "c"}, {1, 4, "a"}}, 0, 4),
            "depart, continue right, arrive");
  EXPECT_EQ(way(kStar, {{0, 1, "a"}, {1, 3, "b"}, {1, 4, "b"}}, 0, 4),
            "depart, end of road right, arrive");
  EXPECT_EQ(way(kStar, {{0, 1, "a"}, {1, 3, "b"}}, 0, 3), "depart, new name left, arrive");
}

TEST(Guidance, ForksSayWhich) {
  const std::vector<Line> fork = {{0, 1, "a"}, {1, 5, "a"}, {1, 6, "b"}};
  EXPECT_EQ(way(kStar, fork, 0, 5), "depart, fork slight left, arrive");
  EXPECT_EQ(way(kStar, fork, 0, 6), "depart, fork slight right, arrive");
  const std::vector<Line> three = {{0, 1, "a"}, {1, 5, "b"}, {1, 6, "c"}, {1, 2, "d"}};
  EXPECT_EQ(way(kStar, three, 0, 2), "depart, turn straight, arrive");
  EXPECT_EQ(way(kStar, three, 0, 5), "depart, fork slight left, arrive");
  // A road against its direction is no choice.
  const std::vector<Line> against = {{0, 1, "a"}, {1, 5, "a"}, {6, 1, "b", {}, true}};
  EXPECT_EQ(way(kStar, against, 0, 5), "depart, arrive");
}

// Every degree of a turn has its word, the same to both sides.
TEST(Guidance, WordsOfTurns) {
  const auto word = [](int turn, const std::string& side) -> std::string {
    if (turn < 20) return "straight";
    if (turn < 60) return "slight " + side;
    if (turn < 120) return side;
    return turn < 170 ? "sharp " + side : "uturn";
  };
  for (int turn = 0; turn < 180; ++turn) {
    for (const int before : {0, 90, 271, 359}) {
      EXPECT_EQ(modifier_of(before, (before + turn) % 360), word(turn, "right")) << turn;
      EXPECT_EQ(modifier_of(before, (before + 360 - turn) % 360), word(turn, "left")) << turn;
    }
  }
}

// The street goes on around a bend that no other road lies ahead of, unless the bend is sharp.
TEST(Guidance, BendsAreSaidFromSixtyDegreesOn) {
  const auto bend = [](double degrees, const std::string& from, const std::string& to) {
    const double angle = degrees * 3.14159265358979 / 180;
    const std::vector<Point> points = {
        {0, 0}, {1, 0}, {1 + std::cos(angle), -std::sin(angle)}, {2, 0}, {1, 1}};
    // Straight on there is a road of one way against the route; another one leads aside.
    return way(points, {{0, 1, from}, {1, 2, to}, {3, 1, "c", {}, true}, {1, 4, "d"}}, 0, 2);
  };
  EXPECT_EQ(bend(59, "", ""), "depart, arrive");
  EXPECT_EQ(bend(60, "", ""), "depart, turn right, arrive");
  EXPECT_EQ(bend(39, "a", "a"), "depart, arrive");
  EXPECT_EQ(bend(40, "a", "a"), "depart, continue slight right, arrive");
  EXPECT_EQ(bend(39, "a", "b"), "depart, turn slight right, arrive");
  EXPECT_EQ(bend(19, "a", "b"), "depart, new name straight, arrive");
  EXPECT_EQ(bend(20, "a", "b"), "depart, turn slight right, arrive");
}

TEST(Guidance, RampsAndMerges) {
  const std::vector<Line> junction = {{0, 1, "A 1", {"motorway"}, true},
                                      {1, 2, "A 1", {"motorway"}, true},
                                      {1, 6, "exit", {"motorway", "link"}, true}};
  EXPECT_EQ(way(kStar, junction, 0, 6), "depart, off ramp slight right, arrive");
  EXPECT_EQ(way(kStar, {{0, 1, "a"}, {1, 2, "a"}, {1, 4, "up", {"trunk", "link"}, true}}, 0, 4),
            "depart, on ramp right, arrive");
  // From the south-west onto a motorway that comes from the west.
  const std::vector<Point> points = {{0, 0}, {1, 0}, {2, 0}, {0, -0.4}};
  EXPECT_EQ(way(points,
                {{0, 1, "A 1", {"motorway"}, true},
                 {1, 2, "A 1", {"motorway"}, true},
                 {3, 1, "up", {"motorway", "link"}, true}},
                3, 2),
            "depart, merge slight left, arrive");
}

TEST(Guidance, IntersectionsNameTheClassesOfTheRoad) {
  const std::vector<Point> points = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  Service service(drawn(points, {{0, 1, "a", {"toll", "motorway"}},
                                 {1, 2, "b", {"link"}},
                                 {2, 3, "c", {"ferry", "tunnel", "restricted"}}}),
                  quiet_options());
  const json reply =
      json_of(get(service, "/route/v1/car/" + places_of({points[0], points[3]}) + "?steps=true"));
  const json& steps = reply["routes"][0]["legs"][0]["steps"];
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0]["intersections"][0]["classes"], json({"toll", "motorway"}));
  EXPECT_FALSE(steps[1]["intersections"][0].contains("classes"));
  EXPECT_EQ(steps[2]["intersections"][0]["classes"], json({"ferry", "restricted", "tunnel"}));
  EXPECT_FALSE(steps[3]["intersections"][0].contains("classes"));
}

TEST(Guidance, RoundaboutsCountTheirExits) {
  // 0 south, 1 east, 2 north, 3 west on the ring; 4 to 7 are the roads' ends.
  const std::vector<Point> points = {{0, -1}, {1, 0}, {0, 1}, {-1, 0},
                                     {0, -3}, {3, 0}, {0, 3}, {-3, 0}};
  std::vector<Line> lines = {{0, 4, "south"}, {1, 5, "east"}, {2, 6, "north"}, {3, 7, "west"}};
  for (NodeId v = 0; v < 4; ++v) lines.push_back({v, (v + 1) % 4, "ring", {"roundabout"}, true});
  EXPECT_EQ(way(points, lines, 4, 5),
            "depart, roundabout slight right 1, exit roundabout slight right, arrive");
  EXPECT_EQ(way(points, lines, 4, 6).find("depart, roundabout slight right 2, exit roundabout"), 0u)
      << way(points, lines, 4, 6);
  EXPECT_EQ(way(points, lines, 4, 7).find("depart, roundabout slight right 3, exit roundabout"),
            0u);
  Service service(drawn(points, lines), quiet_options());
  const json reply =
      json_of(get(service, "/route/v1/car/" + places_of({points[4], points[6]}) + "?steps=true"));
  EXPECT_EQ(reply["routes"][0]["legs"][0]["steps"][1]["name"], "north");
  const json ends =
      json_of(get(service, "/route/v1/car/" + places_of({points[4], {0.5, 0.5}}) + "?steps=true"));
  EXPECT_EQ(said(ends["routes"][0]["legs"][0]), "depart, roundabout slight right, arrive");
}

TEST(Guidance, WaypointsArePassedStraightOn) {
  //  3---4
  //  |   |
  //  0---1---2      a waypoint between 0 and 1, then back to 0
  const std::vector<Point> points = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}};
  const std::vector<Line> lines = {{0, 1, "a"}, {1, 2, "b"}, {0, 3, "c"}, {3, 4, "d"}, {4, 1, "e"}};
  const std::string places = places_of({{0, 0.2}, {0.6, 0}, {0, 0.4}});
  const auto weight = [&](Service& service, const std::string& option) {
    return json_of(get(service, "/route/v1/car/" + places + option))["routes"][0]["weight"]
        .get<double>();
  };
  Service car(drawn(points, lines), quiet_options());
  Service bicycle(drawn(points, lines, "bicycle"), quiet_options());
  EXPECT_NEAR(weight(car, "?continue_straight=false"), 18, 0.1);  // 8 there, 10 back
  EXPECT_NEAR(weight(car, ""), 8 + 4 + 10 + 4, 0.1);              // back from the next junction
  EXPECT_NEAR(weight(bicycle, ""), 18, 0.1);
  EXPECT_NEAR(weight(bicycle, "?continue_straight=true"), 26, 0.1);
  // Also on a junction: from 2 by 1 back to 2.
  const std::string junction = places_of({{1.5, 0}, {1, 0}, {1.2, 0}});
  const json back = json_of(get(car, "/route/v1/car/" + junction + "?continue_straight=false"));
  EXPECT_NEAR(back["routes"][0]["weight"], 7, 0.1);
  const json round = json_of(get(car, "/route/v1/car/" + junction));
  EXPECT_NEAR(round["routes"][0]["weight"], 5 + 20 + 2, 0.1);
}

// The same as a graph of turns: its nodes are roads in one direction, at their ends.
GraphFile drawn_with_turns(const std::vector<Point>& points, const std::vector<Line>& lines,
                           std::pair<std::size_t, std::size_t> forbidden) {
  struct Road {
    NodeId from, to;
    std::uint32_t segment;
  };
  std::vector<Road> roads;
  ShapeBuilder shape;
  shape.arc_based = true;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    shape.segment_length.push_back(1000);
    shape.segment_way.push_back(i);
    shape.segment_street.push_back(i);
    shape.first_point.push_back(0);
    shape.letters += lines[i].name;
    shape.first_letter.push_back(shape.letters.size());
    roads.push_back({lines[i].from, lines[i].to, 2 * i});
    roads.push_back({lines[i].to, lines[i].from, 2 * i + 1});
  }
  GraphBuilder builder(static_cast<NodeId>(roads.size()));
  std::vector<Point> degrees;
  for (NodeId a = 0; a < roads.size(); ++a) {
    degrees.push_back({points[roads[a].to].x / 1000, points[roads[a].to].y / 1000});
    shape.node_id.push_back(roads[a].to);
    for (NodeId b = 0; b < roads.size(); ++b) {
      const auto leads_on = [&](const Road& road) {
        return road.from == roads[a].to && road.segment != (roads[a].segment ^ 1);
      };
      const bool dead_end = std::none_of(roads.begin(), roads.end(), leads_on);
      if (roads[a].to != roads[b].from || (!dead_end && !leads_on(roads[b])) ||
          std::pair{a / 2ul, b / 2ul} == forbidden) {
        continue;
      }
      builder.add_arc(a, b, 100);
      shape.arc_segment.push_back(roads[b].segment);
      shape.arc_duration.push_back(100);
    }
  }
  builder.set_points(CoordinateKind::kDegrees, degrees);
  shape.remarks = "profile car, weights are times in tenths of a second\n";
  GraphFile file = file_of(builder.build());
  file.shape = std::move(shape).build();
  return file;
}

//      3-e-4-g-5
//      c   d
//  2-a-0-b-1      from a no turn into c; a road takes 10 seconds
const std::vector<Point> kBlock = {{1, 0}, {2, 0}, {0, 0}, {1, 1}, {2, 1}, {3, 1}};
const std::vector<Line> kBlockLines = {{2, 0, "a"}, {0, 1, "b"}, {0, 3, "c"},
                                       {1, 4, "d"}, {4, 3, "e"}, {4, 5, "g"}};

TEST(GuidanceOfTurns, JunctionsArePassedByTheTurnsThereAre) {
  Service service(drawn_with_turns(kBlock, kBlockLines, {0, 2}), quiet_options());
  const auto weight = [&](std::initializer_list<Point> places) {
    const json reply = json_of(get(service, "/route/v1/car/" + places_of(places)));
    return reply["code"] == "Ok" ? reply["routes"][0]["weight"].get<double>() : -1;
  };
  // By b, d and e into c.
  EXPECT_NEAR(weight({{0.2, 0}, {1, 0.8}}), 8 + 10 + 10 + 10 + 2, 0.1);
  EXPECT_NEAR(weight({{0.2, 0}, {1, 0}, {1, 0.8}}), 8 + 10 + 10 + 10 + 2, 0.1);
  EXPECT_NEAR(weight({{0.2, 0}, {1, 0}, {1.5, 0}}), 8 + 5, 0.1);
}

TEST(GuidanceOfTurns, AlternativesEndAtThePlace) {
  Service service(drawn_with_turns(kBlock, kBlockLines, {99, 99}), quiet_options());
  const json reply = json_of(get(service, "/route/v1/car/" + places_of({{0.2, 0}, {2.5, 1}}) +
                                              "?alternatives=2&overview=full&geometries=geojson"));
  ASSERT_EQ(reply["code"], "Ok") << reply;
  ASSERT_EQ(reply["routes"].size(), 2u) << reply;
  for (const json& route : reply["routes"]) {
    EXPECT_NEAR(route["duration"], 8 + 10 + 10 + 5, 0.1);
    EXPECT_NEAR(route["distance"], 330, 1);
    EXPECT_NEAR(route["geometry"]["coordinates"].back()[0], 0.0025, 1e-6);
  }
}

TEST(Guidance, TheSideOfTheRoadAtTheEnd) {
  Service service(drawn({{0, 0}, {1, 0}}, {{0, 1, "a"}}), quiet_options());
  const auto arrival = [&](Point from, Point to) {
    const json reply =
        json_of(get(service, "/route/v1/car/" + places_of({from, to}) + "?steps=true"));
    return said(reply["routes"][0]["legs"][0]);
  };
  EXPECT_EQ(arrival({0, 0}, {0.5, 0.1}), "depart, arrive left");
  EXPECT_EQ(arrival({0, 0}, {0.5, -0.1}), "depart, arrive right");
  EXPECT_EQ(arrival({1, 0}, {0.5, 0.1}), "depart, arrive right");
  EXPECT_EQ(arrival({0, 0}, {0.5, 0.001}), "depart, arrive");  // on the road
  EXPECT_EQ(arrival({0, 0}, {1.2, 0.01}), "depart, arrive straight");
}

TEST(Guidance, PlacesLeaveSmallComponentsUnlessTheyShareOne) {
  //  4---5   beside a square
  //  3---2
  //  |   |
  //  0---1
  const std::vector<Point> points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 1.5}, {1, 1.5}};
  Service service(
      drawn(points, {{0, 1, "a"}, {1, 2, "b"}, {2, 3, "c"}, {3, 0, "d"}, {4, 5, "island"}}),
      quiet_options());
  const auto names = [&](const std::string& service_name, std::initializer_list<Point> places,
                         const std::string& list, const std::string& options = "") {
    std::string out;
    const json reply =
        json_of(get(service, "/" + service_name + "/v1/car/" + places_of(places) + options));
    if (reply["code"] != "Ok") return reply["code"].get<std::string>();
    for (const json& one : reply[list]) out += one["name"].get<std::string>() + " ";
    return out;
  };
  const Point beside{0.4, 1.4}, beside_too{0.8, 1.6}, south{0.5, -0.1};
  EXPECT_EQ(names("route", {beside, beside_too}, "waypoints"), "island island ");
  EXPECT_EQ(names("route", {beside, south}, "waypoints"), "c a ");
  EXPECT_EQ(names("route", {beside, beside_too, south}, "waypoints"), "c c a ");
  EXPECT_EQ(names("table", {beside, south}, "sources"), "c a ");
  EXPECT_EQ(names("nearest", {beside}, "waypoints"), "island ");
  // Not beyond the limit.
  EXPECT_EQ(names("route", {beside, south}, "waypoints", "?radiuses=20;unlimited"), "NoRoute");
}

TEST(Guidance, OptionsOfSnappingAreHonoured) {
  const std::vector<Point> points = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}};
  Service service(drawn(points, {{0, 1, "a"}, {1, 2, "b"}, {0, 3, "c"}, {3, 4, "d"}, {4, 1, "e"}}),
                  quiet_options());
  const auto ask = [&](const std::string& target) { return json_of(get(service, target)); };
  const json two = ask("/nearest/v1/car/0.0005,0.0001?number=3")["waypoints"];
  ASSERT_EQ(two.size(), 3u);
  EXPECT_EQ(two[0]["name"], "a");
  EXPECT_LT(two[0]["distance"], two[1]["distance"]);
  EXPECT_NE(two[1]["name"], two[2]["name"]);
  EXPECT_EQ(ask("/nearest/v1/car/0.0005,0.0001?number=100")["waypoints"].size(), 5u);
  EXPECT_EQ(ask("/nearest/v1/car/0.0005,0.0001?number=101")["code"], "TooBig");
  const std::string east = "/route/v1/car/0.0002,0;0.0008,0";
  EXPECT_EQ(ask(east + "?bearings=90,20;90,20")["routes"][0]["weight"], 6.0);
  EXPECT_EQ(ask(east + "?bearings=270,20;")["routes"][0]["weight"], 2.0 + 8);
  EXPECT_EQ(ask(east + "?bearings=0,20;")["code"], "Ok");  // the next road that leads north
  const std::string beside = "/route/v1/car/0.0002,0.00001;0.0008,0.00001";
  EXPECT_EQ(ask(beside)["routes"][0]["weight"], 6.0);
  EXPECT_EQ(ask(beside + "?approaches=;curb")["routes"][0]["weight"], 2.0 + 8);
  EXPECT_EQ(ask(beside + "?approaches=;opposite")["routes"][0]["weight"], 6.0);
  // Right of the road, where vehicles that drive east stop.
  const std::string right = "/route/v1/car/0.0002,-0.00001;0.0008,-0.00001";
  EXPECT_EQ(ask(right + "?approaches=unrestricted;unrestricted")["routes"][0]["weight"], 6.0);
  EXPECT_EQ(ask(right + "?approaches=unrestricted;curb")["routes"][0]["weight"], 6.0);
  EXPECT_EQ(ask(right + "?approaches=opposite;curb")["routes"][0]["weight"], 2.0 + 8);
}

}  // namespace
}  // namespace lodestar::server::guidance_test
