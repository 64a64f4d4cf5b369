// The server's answers without its sockets: OSRM's shapes, errors, limits, and costs that are
// Dijkstra's.
#include "apps/server/service.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lodestar/itinerary.h"
#include "lodestar/rng.h"
#include "sample_service.h"

namespace lodestar::server::service_test {
namespace {

using nlohmann::json;

class ServiceTest : public ::testing::TestWithParam<bool> {
 protected:
  ServiceTest() : service_(sample_roads(), quiet_options(GetParam())) { service_.live().settle(); }
  const Graph& graph() const { return service_.world().file.graph; }
  Service service_;
};

INSTANTIATE_TEST_SUITE_P(WithoutAndWithIndex, ServiceTest, ::testing::Bool());

TEST_P(ServiceTest, RoutesBetweenNodesCostWhatDijkstraSays) {
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const NodeId s = rng.below(graph().node_count()), t = rng.below(graph().node_count());
    const std::string names = std::to_string(s) + ";" + std::to_string(t);
    const Reply reply =
        get(service_, "/route/v1/nodes/" + names + "?overview=false&annotations=true");
    ASSERT_EQ(reply.status, 200) << reply.content();
    const json route = json_of(reply)["routes"][0];
    EXPECT_EQ(route["weight"], dijkstra(graph(), s, t));
    EXPECT_EQ(route["lower_bound"], route["weight"]);
    EXPECT_EQ(route["gap"], 0);
    EXPECT_EQ(route["optimal"], true);
    EXPECT_EQ(route["algorithm"], GetParam() ? "core" : "bidirectional");
    EXPECT_FALSE(route.contains("geometry"));
    // The path is one, and costs what is said.
    std::vector<NodeId> path;
    for (const json& name : route["legs"][0]["annotation"]["nodes"]) {
      path.push_back(name.get<NodeId>());
    }
    EXPECT_EQ(path.front(), s);
    EXPECT_EQ(path.back(), t);
    EXPECT_EQ(route["weight"], path_cost(graph(), path));
  }
}

TEST_P(ServiceTest, RouteHasTheShapeOsrmHas) {
  const Point a = graph().points()[3], b = graph().points()[700], c = graph().points()[1500];
  const std::string places = place_text(a) + ";" + place_text(b) + ";" + place_text(c);
  const Reply reply = get(service_, "/route/v1/driving/" + places +
                                        "?geometries=geojson&steps=true"
                                        "&overview=full&alternatives=false");
  ASSERT_EQ(reply.status, 200) << reply.content();
  const json answer = json_of(reply);
  EXPECT_EQ(answer["code"], "Ok");
  EXPECT_EQ(answer["weights_version"], 0);
  ASSERT_EQ(answer["routes"].size(), 1u);
  const json& route = answer["routes"][0];
  ASSERT_EQ(route["legs"].size(), 2u);
  EXPECT_EQ(route["geometry"]["type"], "LineString");
  const json& line = route["geometry"]["coordinates"];
  ASSERT_GE(line.size(), 2u);
  EXPECT_NEAR(line[0][0], a.x, 1e-4);
  EXPECT_NEAR(line.back()[1], c.y, 1e-4);
  double length = 0, weight = 0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    length += distance_between(CoordinateKind::kDegrees, {line[i][0], line[i][1]},
                               {line[i + 1][0], line[i + 1][1]});
  }
  for (const json& leg : route["legs"]) {
    weight += leg["weight"].get<double>();
    ASSERT_GE(leg["steps"].size(), 2u);
    EXPECT_EQ(leg["steps"][0]["maneuver"]["type"], "depart");
    EXPECT_EQ(leg["steps"].back()["maneuver"]["type"], "arrive");
  }
  EXPECT_NEAR(length, route["distance"], 0.01 * length);
  EXPECT_DOUBLE_EQ(weight, route["weight"]);
  ASSERT_EQ(answer["waypoints"].size(), 3u);
  EXPECT_NEAR(answer["waypoints"][1]["location"][0], b.x, 1e-5);

  // Encoded lines are the same line, five and six digits of it.
  for (const int digits : {5, 6}) {
    const json encoded =
        json_of(get(service_, "/route/v1/driving/" + places + "?overview=full&geometries=polyline" +
                                  (digits == 6 ? "6" : "")));
    const auto points = from_polyline(encoded["routes"][0]["geometry"].get<std::string>(), digits);
    ASSERT_EQ(points.size(), line.size());
    EXPECT_NEAR(points[1].x, line[1][0], 2 * std::pow(10, -digits));
  }
  const json simple = json_of(get(service_, "/route/v1/driving/" + places + "?geometries=geojson"));
  EXPECT_LT(simple["routes"][0]["geometry"]["coordinates"].size(), line.size());
}

// The optimum over the directions of both ends, computed from node distances by Dijkstra.
TEST_P(ServiceTest, RoutesBetweenPlacesAreOptimal) {
  Rng rng(5);
  const Places& places = *service_.world().places;
  for (int i = 0; i < 20; ++i) {
    const auto point = [&] {
      const Point p = graph().points()[rng.below(graph().node_count())];
      return Point{p.x + 1e-4 * rng.uniform(), p.y + 1e-4 * rng.uniform()};
    };
    const Point a = point(), b = point();
    const PlaceRoute expected =
        route_between(places, places.nearest(a), places.nearest(b), [&](Query query) {
          NodeAnswer answer;
          Searcher searcher(graph());
          answer.found = searcher.run(query, Zero{});
          answer.path = searcher.path();
          return answer;
        });
    const std::string text = place_text(a) + ";" + place_text(b);
    const Reply reply = get(service_, "/route/v1/car/" + text + "?overview=false");
    ASSERT_EQ(reply.status, 200) << reply.content();
    EXPECT_DOUBLE_EQ(json_of(reply)["routes"][0]["weight"], expected.found.cost);
    const json table = json_of(get(service_, "/table/v1/car/" + text));
    EXPECT_DOUBLE_EQ(table["durations"][0][1], expected.found.cost);
    EXPECT_EQ(table["durations"][1][1], 0);
  }
}

TEST_P(ServiceTest, APlaceOnAJunctionIsItsNode) {
  Rng rng(6);
  for (int i = 0; i < 10; ++i) {
    const NodeId a = rng.below(graph().node_count()), b = rng.below(graph().node_count());
    const std::string places =
        place_text(graph().points()[a]) + ";" + place_text(graph().points()[b]);
    const Cost expected = dijkstra(graph(), a, b);
    const json route = json_of(get(service_, "/route/v1/car/" + places));
    EXPECT_EQ(route["routes"][0]["weight"], expected) << a << " " << b;
    const json table = json_of(get(service_, "/table/v1/car/" + places));
    EXPECT_EQ(table["durations"][0][1], expected) << a << " " << b;
  }
}

TEST_P(ServiceTest, TablesAreDijkstras) {
  const json answer =
      json_of(get(service_, "/table/v1/nodes/5;17;900;1200?sources=0;2&destinations=1;3;0"));
  ASSERT_EQ(answer["code"], "Ok") << answer;
  const NodeId from[] = {5, 900}, to[] = {17, 1200, 5};
  ASSERT_EQ(answer["durations"].size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(answer["durations"][i].size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(answer["durations"][i][k], dijkstra(graph(), from[i], to[k]));
    }
  }
  EXPECT_EQ(answer["sources"].size(), 2u);
  EXPECT_EQ(answer["destinations"][1]["name"], "1200");
  // The same by a body, and with lengths.
  const json posted = json_of(post(service_, "/table/v1/nodes",
                                   R"({"nodes": ["5", 17, 900, 1200], "sources": [0, 2],
                                       "destinations": [1, 3, 0],
                                       "annotations": ["duration", "distance"]})"));
  EXPECT_EQ(posted["durations"], answer["durations"]);
  const json route = json_of(get(service_, "/route/v1/nodes/900;1200"));
  EXPECT_EQ(posted["distances"][1][1], route["routes"][0]["distance"]);
}

// Enough cells for a matrix on the index, with a node that is listed twice.
TEST_P(ServiceTest, LargeTablesAreDijkstras) {
  std::string nodes = "5";
  std::vector<NodeId> listed = {5};
  for (NodeId v = 5; listed.size() < 30; v += 43) {
    nodes += ";" + std::to_string(v);
    listed.push_back(v);
  }
  const json answer = json_of(get(service_, "/table/v1/nodes/" + nodes));
  ASSERT_EQ(answer["code"], "Ok") << answer;
  ASSERT_EQ(answer["durations"].size(), listed.size());
  for (std::size_t i = 0; i < listed.size(); i += 7) {
    for (std::size_t k = 0; k < listed.size(); ++k) {
      ASSERT_EQ(answer["durations"][i][k], dijkstra(graph(), listed[i], listed[k]));
    }
  }
}

TEST_P(ServiceTest, NearestNamesTheRoad) {
  const Point p = graph().points()[44];
  const json answer = json_of(get(service_, "/nearest/v1/car/" + place_text(p) + "?number=1"));
  ASSERT_EQ(answer["code"], "Ok");
  EXPECT_NEAR(answer["waypoints"][0]["distance"], 0, 0.1);
  EXPECT_EQ(answer["waypoints"][0]["nodes"].size(), 2u);
}

struct Wrong {
  const char* target;
  int status;
  const char* code;
};

TEST_P(ServiceTest, ErrorsHaveOsrmsCodes) {
  const Wrong cases[] = {
      {"/route/v1/car/9.5,47.1", 400, "InvalidOptions"},
      {"/route/v1/car/9.5,47.1;", 400, "InvalidQuery"},
      {"/route/v1/car/", 400, "InvalidUrl"},
      {"/route/v2/car/9.5,47.1;9.5,47.2", 400, "InvalidVersion"},
      {"/route/v1/car/9.5,47.1;9.5,47.2/more", 400, "InvalidUrl"},
      {"/match/v1/car/9.5,47.1;9.5,47.2", 400, "NotImplemented"},
      {"/march/v1/car/9.5,47.1;9.5,47.2", 400, "InvalidService"},
      {"/route/v1/car/1e999,47.1;9.5,47.2", 400, "InvalidQuery"},
      {"/route/v1/car/nan,47.1;9.5,47.2", 400, "InvalidQuery"},
      {"/route/v1/car/0x10,47.1;9.5,47.2", 400, "InvalidQuery"},
      {"/route/v1/car/999,47.1;9.5,47.2", 400, "InvalidValue"},
      {"/route/v1/car/1e300,47.1;9.5,47.2", 400, "InvalidValue"},
      {"/route/v1/car/0,0;9.5,47.2", 400, "NoSegment"},
      {"/route/v1/car/9.5,47.1;9.5,47.2?overview=maybe", 400, "InvalidOptions"},
      {"/route/v1/car/9.5,47.1;9.5,47.2?geometries=wkt", 400, "InvalidOptions"},
      {"/route/v1/car/9.5,47.1;9.5,47.2?frobnicate=1", 400, "InvalidOptions"},
      {"/route/v1/car/9.5,47.1;9.5,47.2?radiuses=5", 400, "InvalidOptions"},
      {"/route/v1/nodes/unknown;3", 400, "InvalidValue"},
      {"/route/v1/nodes/%00;3", 400, "InvalidUrl"},
      {"/route/v1/nodes/%ff;3", 400, "InvalidUrl"},
      {"/route/v1/nodes/%c0%af;3", 400, "InvalidUrl"},
      {"/route/v1/nodes/%4;3", 400, "InvalidUrl"},
      {"/route/v1/nodes/%zz;3", 400, "InvalidUrl"},
      {"/table/v1/nodes/1;2?sources=7", 400, "InvalidOptions"},
      {"/table/v1/nodes/1;2?sources=-1", 400, "InvalidOptions"},
      {"/table/v1/nodes/1;2?sources=18446744073709551616", 400, "InvalidOptions"},
      {"/nearest/v1/car/9.5,47.1;9.6,47.2", 400, "InvalidOptions"},
      {"/../../etc/passwd", 404, "InvalidUrl"},
      {"/%2e%2e/%2e%2e/etc/passwd", 404, "InvalidUrl"},
      {"/route/v1/../../../etc/passwd", 400, "InvalidUrl"},
      {"//etc/passwd", 404, "InvalidUrl"},
      {"etc/passwd", 400, "InvalidUrl"},
      {"", 400, "InvalidUrl"},
  };
  for (const Wrong& wrong : cases) {
    const Reply reply = get(service_, wrong.target);
    EXPECT_EQ(reply.status, wrong.status) << wrong.target << ' ' << reply.content();
    EXPECT_EQ(json_of(reply)["code"], wrong.code) << wrong.target << ' ' << reply.content();
    EXPECT_EQ(reply.content().find("root:"), std::string_view::npos);
  }
}

TEST_P(ServiceTest, BodiesThatAreWrongAreRefused) {
  for (const std::string& body :
       {std::string("{"), std::string("[]"), std::string("null"), std::string("{}"),
        std::string(R"({"nodes": 7})"), std::string(R"({"nodes": [["a"]]})"),
        std::string(R"({"nodes": ["1"]})"), std::string(R"({"nodes": ["1", -2]})"),
        std::string(R"({"nodes": ["1", "2"], "overview": {"a": 1}})"),
        std::string(R"({"nodes": ["1", "2"], "sources": [1e999]})"),
        std::string("{\"nodes\": [\"\xff\xfe\", \"2\"]}"), std::string(100'000, '[')}) {
    const Reply reply = post(service_, "/route/v1/nodes", body);
    EXPECT_EQ(reply.status, 400) << body.substr(0, 100);
  }
  const Reply both = post(service_, "/route/v1/nodes/1;2", R"({"nodes": ["1", "2"]})");
  EXPECT_EQ(both.status, 400);
}

TEST(Limits, AreKept) {
  ServiceOptions options = quiet_options();
  options.limits.cells = 6;
  options.limits.places = 4;
  options.limits.expansions = 50;
  Service service(sample_roads(), options);
  EXPECT_EQ(json_of(get(service, "/table/v1/nodes/1;2;3"))["code"], "TooBig");
  EXPECT_EQ(json_of(get(service, "/route/v1/nodes/1;2;3;4;5"))["code"], "TooBig");
  EXPECT_EQ(json_of(get(service, "/route/v1/nodes/0;1900"))["code"], "TooBig");
  EXPECT_EQ(get(service, "/route/v1/nodes/" + std::string(10'000, '1')).status, 414);
  std::string huge = R"({"nodes": ["1")";
  for (int i = 0; i < 30'000; ++i) huge += ",\"2\"";
  EXPECT_EQ(json_of(post(service, "/table/v1/nodes", huge + "]}"))["code"], "TooBig");

  options.limits.expansions = 1'000'000;
  options.limits.seconds = 1e-9;
  Service hurried(sample_roads(), options);
  EXPECT_EQ(json_of(get(hurried, "/route/v1/nodes/0;1900"))["code"], "TooBig");
}

// Without an index a line of a table is a search of all nodes.
TEST(Limits, LinesOfTablesCountAllNodes) {
  const GraphFile file = sample_roads(600);
  for (const bool index : {false, true}) {
    ServiceOptions options = quiet_options(index);
    options.limits.expansions = 2 * std::uint64_t{file.graph.node_count()};
    Service service(file, options);
    service.live().settle();
    EXPECT_EQ(get(service, "/table/v1/nodes/1;2").status, 200);
    EXPECT_EQ(get(service, "/table/v1/nodes/1;2;3").status, index ? 200 : 400);
    EXPECT_EQ(get(service, "/table/v1/nodes/1;2?sources=0&annotations=distance").status, 200);
    EXPECT_EQ(get(service, "/table/v1/nodes/1;2?annotations=distance").status, index ? 200 : 400);
  }
}

TEST(Service, GraphsWithoutCoordinatesHaveNoDistances) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 2);
  Service service(file_of(builder.build()), quiet_options());
  EXPECT_EQ(get(service, "/table/v1/nodes/0;1").status, 200);
  for (const char* option :
       {"annotations=distance", "annotations=duration,distance", "fallback_speed=10"}) {
    const Reply reply = get(service, std::string("/table/v1/nodes/0;1?") + option);
    EXPECT_EQ(reply.status, 400) << option;
    EXPECT_EQ(json_of(reply)["code"], "InvalidOptions") << option;
  }
}

TEST(Service, TheViewersPageIsHtml) {
  Service service(sample_roads(60), quiet_options());
  for (const char* page : {"/", "/index.html"}) {
    EXPECT_EQ(get(service, page).status, 200);
    EXPECT_EQ(get(service, page).content_type, "text/html; charset=utf-8");
  }
  EXPECT_EQ(get(service, "/health").content_type, "application/json; charset=utf-8");
}

TEST(Service, SaysWhenThereIsNoWay) {
  GraphBuilder builder(4);
  builder.add_arc(0, 1, 2);
  builder.add_arc(2, 3, 1);
  for (const bool index : {false, true}) {
    GraphBuilder copy = builder;
    Service service(file_of(copy.build()), quiet_options(index));
    service.live().settle();
    const Reply reply = get(service, "/route/v1/nodes/0;3");
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(json_of(reply)["code"], "NoRoute");
    const json table = json_of(get(service, "/table/v1/nodes/0;1;3"));
    EXPECT_EQ(table["durations"][0][1], 2);
    EXPECT_TRUE(table["durations"][0][2].is_null());
    EXPECT_EQ(json_of(get(service, "/route/v1/car/1,2;3,4"))["code"], "InvalidOptions");
    const json route = json_of(get(service, "/route/v1/nodes/0;1"));
    EXPECT_FALSE(route["routes"][0].contains("geometry"));
  }
}

TEST(Service, CellsOfAGridAreNodes) {
  const GraphFile file =
      parse_graph("type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n", "small.map");
  Service service(file, quiet_options());
  const json answer = json_of(get(service, "/route/v1/nodes/0,0;3,2?annotations=nodes"));
  ASSERT_EQ(answer["code"], "Ok") << answer;
  EXPECT_EQ(answer["routes"][0]["legs"][0]["annotation"]["nodes"][0], "0,0");
  EXPECT_EQ(answer["routes"][0]["geometry"]["type"], "LineString");
}

TEST(Service, HealthAndMetricsTell) {
  Service service(sample_roads(), quiet_options(true));
  service.live().settle();
  EXPECT_EQ(get(service, "/health").status, 200);
  EXPECT_EQ(json_of(get(service, "/health"))["index"], true);
  const Graph graph = sample_roads().graph;
  EXPECT_EQ(json_of(get(service, "/health"))["nodes"], graph.node_count());
  EXPECT_EQ(json_of(get(service, "/health"))["arcs"], graph.arc_count());
  get(service, "/route/v1/nodes/1;2");
  get(service, "/route/v1/nodes/1;unknown");
  const std::string text(get(service, "/metrics").content());
  const std::string text_again(get(service, "/metrics").content());
  for (const char* line :
       {"lodestar_requests_total{service=\"route\",status=\"200\"} 1\n",
        "lodestar_requests_total{service=\"route\",status=\"400\"} 1\n",
        "lodestar_request_seconds_bucket{service=\"route\",le=\"+Inf\"} 2\n",
        "lodestar_request_seconds_count{service=\"route\"} 2\n", "lodestar_weights_version 0\n",
        "lodestar_index 1\n", "lodestar_index_age_seconds ", "lodestar_expansions_total"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  service.drain();
  EXPECT_EQ(get(service, "/health").status, 503);
}

TEST(Service, MethodsAreChecked) {
  Service service(sample_roads(50), quiet_options());
  Request request;
  request.target = "/health";
  request.method = Method::kPost;
  EXPECT_EQ(service.answer(request).status, 405);
  request.method = Method::kOther;
  request.target = "/route/v1/nodes/1;2";
  EXPECT_EQ(service.answer(request).status, 405);
  request.method = Method::kOptions;
  EXPECT_EQ(service.answer(request).status, 204);
}

TEST(Service, OnlyThoseWhoMayChangeWeights) {
  ServiceOptions options = quiet_options();
  Service closed(sample_roads(50), options);
  const std::string update = R"({"updates": [{"arc": 0, "weight": 3}]})";
  EXPECT_EQ(post(closed, "/weights", update, false).status, 403);
  EXPECT_EQ(post(closed, "/weights", update, true).status, 200);

  options.token = "a secret of some length";
  Service open(sample_roads(50), options);
  EXPECT_EQ(post(open, "/weights", update, false).status, 401);
  Request request;
  request.method = Method::kPost;
  request.target = "/weights";
  request.body = update;
  request.content_type = "application/json";
  for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer a secret of some lengtH",
                            "Basic a secret of some length", "a secret of some length"}) {
    request.authorization = wrong;
    EXPECT_EQ(open.answer(request).status, 401) << wrong;
    EXPECT_THROW(open.body_limit(request), Refusal);
  }
  EXPECT_EQ(open.live().now()->version, 0u);
  request.authorization = "Bearer a secret of some length";
  EXPECT_EQ(open.answer(request).status, 200);
  EXPECT_EQ(open.body_limit(request), options.limits.update_bytes);
  EXPECT_EQ(json_of(get(open, "/weights"))["weights_version"], 1);
}

}  // namespace
}  // namespace lodestar::server::service_test
