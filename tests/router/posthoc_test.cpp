// Traces for Posthoc, event by event.
#include "lodestar/posthoc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hand_drawn.h"

namespace lodestar::posthoc_test {
namespace {

using Json = nlohmann::json;

TEST(Posthoc, HasTheSearchInOrder) {
  const Graph graph = testing::hand_drawn(4, {{0, 1, 1}, {1, 2, 2}, {0, 3, 9}});
  const Router router(graph, {.algorithm = "dijkstra"});
  const std::vector<Point> layout = {{10, 30}, {20, 30}, {30, 30}, {20, 25}};
  const Json out = Json::parse(posthoc_trace(router.trace({0, 2}), {0, 2}, layout));
  EXPECT_EQ(out["version"], "1.4.0");
  EXPECT_EQ(out["views"]["main"][0]["$"], "rect");
  const auto event = [](const char* type, const char* id, Json parent, double g, double x,
                        double y) {
    return Json{{"type", type}, {"id", id}, {"pId", std::move(parent)}, {"g", g}, {"f", g},
                {"x", x},       {"y", y}};
  };
  // 20 units wide: drawn 1000 wide, y downwards from the highest.
  EXPECT_EQ(
      out["events"],
      Json::array(
          {event("source", "0", nullptr, 0, 0, 0), event("destination", "2", nullptr, 0, 1000, 0),
           event("expanding", "0", nullptr, 0, 0, 0), event("expanding", "1", "0", 1, 500, 0),
           event("expanding", "2", "1", 3, 1000, 0), event("end", "2", "1", 3, 1000, 0)}));
}

TEST(Posthoc, PlacesNodesWithoutALayout) {
  SearchTrace trace;
  trace.settled = {{.node = 4}};
  const Json out = Json::parse(posthoc_trace(trace, {0, 4}, {}));
  ASSERT_EQ(out["events"].size(), 3u);  // no path: no end
  const Json& last = out["events"][2];
  EXPECT_EQ(last["id"], "4");
  const double angle = 4 * 2.399963;  // the golden angle; radius 2 √4
  EXPECT_NEAR(last["x"].get<double>(), 4 * std::cos(angle), 0.006);
  EXPECT_NEAR(last["y"].get<double>(), 4 * std::sin(angle), 0.006);
  // A layout in one point is drawn in one point.
  const std::vector<Point> same(5, Point{3, 4});
  EXPECT_EQ(Json::parse(posthoc_trace(trace, {0, 4}, same))["events"][2]["x"], 0);
}

TEST(Posthoc, ThinsLongTracesEvenly) {
  SearchTrace trace;
  for (NodeId v = 0; v < 100; ++v) trace.settled.push_back({.node = v});
  trace.route.nodes = {99};
  const auto ids = [&](std::size_t most) {
    std::vector<std::string> out;
    const Json made = Json::parse(posthoc_trace(trace, {99, 99}, {}, most));
    for (const Json& event : made["events"]) {
      if (event["type"] == "expanding") out.push_back(event["id"]);
    }
    EXPECT_TRUE(made["events"].back()["pId"].is_null());  // the path has one node
    return out;
  };
  EXPECT_EQ(ids(9), (std::vector<std::string>{"0", "20", "40", "60", "80"}));
  EXPECT_EQ(ids(0), (std::vector<std::string>{"0", "25", "50", "75"}));
  EXPECT_EQ(ids(104).size(), 100u);
}

}  // namespace
}  // namespace lodestar::posthoc_test
