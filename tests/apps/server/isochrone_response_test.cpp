// /isochrone over the service: limits in units, features, refusals.
#include <gtest/gtest.h>

#include <algorithm>

#include "lodestar/isochrone.h"
#include "lodestar/router.h"
#include "sample_service.h"

namespace lodestar::server::isochrone_response_test {
namespace {

using nlohmann::json;

TEST(IsochroneResponse, HasWhatIsWithinTheContours) {
  Service service(sample_roads(), quiet_options());
  const Graph& graph = service.world().file.graph;
  std::vector<Cost> costs = Router(graph).distances(17).costs;
  std::sort(costs.begin(), costs.end());
  const std::string limits = json(costs[40]).dump() + "," + json(costs[400]).dump();
  const std::string show = has_concave_hull() ? "polygons,arcs,nodes" : "arcs,nodes";
  const Reply reply = get(service, "/isochrone/v1/nodes/17?contours=" + limits + "&show=" + show);
  ASSERT_EQ(reply.status, 200) << reply.content();
  const json out = json_of(reply);
  EXPECT_EQ(out["type"], "FeatureCollection");
  EXPECT_EQ(out["code"], "Ok");
  EXPECT_EQ(out["weight_name"], "cost");
  for (const json& feature : out["features"]) {
    const json& facts = feature["properties"];
    const double limit = facts["contour"];
    const auto within = std::upper_bound(costs.begin(), costs.end(), limit) - costs.begin();
    if (facts["kind"] == "nodes") {
      EXPECT_EQ(facts["nodes"].size(), within);
      EXPECT_EQ(facts["nodes"][0], "17");
    }
    if (facts["kind"] == "arcs") {
      EXPECT_GE(feature["geometry"]["coordinates"].size() + 1, within);
    }
    if (facts["kind"] == "polygon") {
      EXPECT_EQ(feature["geometry"]["type"], "Polygon");
    }
  }
  EXPECT_EQ(out["features"].size(), has_concave_hull() ? 6u : 4u);

  const Point p = graph.points()[17];
  const std::string place = json(p.x).dump() + "," + json(p.y).dump();
  const json by_place = json_of(get(
      service, "/isochrone/v1/car/" + place + "?contours=" + limits + "&show=nodes&reverse=true"));
  ASSERT_EQ(by_place["code"], "Ok");
  EXPECT_EQ(by_place["nodes"], 401);  // the sample's roads lead both ways
  EXPECT_EQ(by_place["waypoints"].size(), 1u);
  const json posted = json_of(post(service, "/isochrone/v1/nodes",
                                   R"({"nodes": [17], "contours": [5], "show": ["arcs"]})"));
  EXPECT_EQ(posted["features"].size(), 1u);
}

TEST(IsochroneResponse, RefusesWhatItCannotAnswer) {
  ServiceOptions options = quiet_options();
  options.limits.response_bytes = 10'000;
  Service service(sample_roads(), options);
  const auto code = [&](const std::string& rest) {
    return json_of(get(service, "/isochrone/v1/nodes/" + rest))["code"];
  };
  EXPECT_EQ(code("17"), "InvalidOptions");
  EXPECT_EQ(code("17;18?contours=5"), "InvalidOptions");
  EXPECT_EQ(code("17?contours=-5"), "InvalidOptions");
  EXPECT_EQ(code("17?contours=x"), "InvalidOptions");
  EXPECT_EQ(code("17?contours=1&contours_minutes=1"), "InvalidOptions");
  EXPECT_EQ(code("17?contours=1&show=cells"), "InvalidOptions");
  EXPECT_EQ(code("17?contours=1&concavity=2"), "InvalidOptions");
  EXPECT_EQ(code("17?contours=1&alternatives=2"), "InvalidOptions");
  EXPECT_EQ(code("99999999?contours=1"), "InvalidValue");
  EXPECT_EQ(code("17?contours=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"), "TooBig");
  EXPECT_EQ(code("17?contours=1e9&show=nodes"), "TooBig");
  EXPECT_EQ(code("17?contours=1&show=nodes"), "Ok");
}

TEST(TableResponse, ListsTheNearestDestinationsAndKeepsToItsBytes) {
  ServiceOptions options = quiet_options();
  Service service(sample_roads(), options);
  const json table = json_of(get(service, "/table/v1/nodes/1;50;700;1500?sources=0;1&nearest=2"));
  ASSERT_EQ(table["code"], "Ok");
  ASSERT_EQ(table["nearest"].size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<double> row = table["durations"][i];
    std::sort(row.begin(), row.end());
    ASSERT_EQ(table["nearest"][i].size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      const json& one = table["nearest"][i][k];
      EXPECT_EQ(one["duration"], row[k]);
      EXPECT_EQ(table["durations"][i][one["destination"].get<std::size_t>()], row[k]);
    }
  }
  EXPECT_EQ(json_of(get(service, "/table/v1/nodes/1;50?nearest=0"))["code"], "InvalidOptions");
  options.limits.response_bytes = 100;
  Service narrow(sample_roads(), options);
  EXPECT_EQ(json_of(get(narrow, "/table/v1/nodes/1;50"))["code"], "TooBig");
  EXPECT_EQ(json_of(get(narrow, "/table/v1/nodes/1"))["code"], "Ok");
}

}  // namespace
}  // namespace lodestar::server::isochrone_response_test
