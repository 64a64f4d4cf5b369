// The viewer's base map: names of streets, areas, and the sea at points all over the frame.
#include <gtest/gtest.h>

#include <functional>

#include "hand_town.h"
#include "sample_service.h"

namespace lodestar::server::base_map_test {
namespace {

using Line = std::vector<Point>;

nlohmann::json map_of(GraphFile file, std::vector<BaseArea> areas) {
  GraphSource source{std::move(file), quiet_options().live, nullptr};
  source.areas = std::make_shared<const std::vector<BaseArea>>(std::move(areas));
  std::vector<NamedGraph> graphs;
  graphs.push_back({"", std::move(source), {}});
  Service service(std::move(graphs), {});
  return json_of(get(service, "/viewer/map"));
}

// Two places whose box is one of 1 by 1 degrees around the equator, which the viewer shows as it
// is.
GraphFile unit_box() {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 1);
  builder.set_points(CoordinateKind::kDegrees, {{0, -0.5}, {1, 0.5}});
  return file_of(builder.build());
}

// Whether a point lies in closed lines, by the even-odd rule.
bool covers(const nlohmann::json& lines, Point p) {
  bool inside = false;
  for (const auto& line : lines) {
    const std::size_t n = line.size() / 2;
    for (std::size_t i = 0, k = n - 1; i < n; k = i++) {
      const double ax = line[2 * i], ay = line[2 * i + 1], bx = line[2 * k], by = line[2 * k + 1];
      if ((ay > p.y) != (by > p.y) && p.x < (bx - ax) * (p.y - ay) / (by - ay) + ax) {
        inside = !inside;
      }
    }
  }
  return inside;
}

// By quarters around the middle of the box.
Point turned(Point p, int quarters) {
  for (int i = 0; i < quarters; ++i) p = {0.5 - (p.y - 0.5), 0.5 + (p.x - 0.5)};
  return p;
}

// The sea of these coasts, given in the viewer's box, is where `is_sea` says; in all four
// directions.
void expect_sea(const std::string& what, const std::vector<Line>& coasts,
                const std::function<bool(Point)>& is_sea) {
  for (int quarters = 0; quarters < 4; ++quarters) {
    std::vector<Line> placed;
    for (const Line& coast : coasts) {
      Line& line = placed.emplace_back();
      for (const Point& p : coast) {
        const Point there = turned(p, quarters);
        line.push_back({there.x, there.y - 0.5});
      }
    }
    const auto drawn = map_of(unit_box(), {{"sea", placed}})["areas"][0];
    EXPECT_EQ(drawn["kind"], "sea");
    int wrong = 0;
    for (double x = -3.97; x < 5; x += 0.347) {
      for (double y = -3.96; y < 5; y += 0.353) {
        wrong += covers(drawn["lines"], turned({x, y}, quarters)) != is_sea({x, y}) ? 1 : 0;
      }
    }
    EXPECT_EQ(wrong, 0) << what << ", turned by " << quarters;
  }
}

Line reversed(const Line& line) {
  return {line.rbegin(), line.rend()};
}

TEST(BaseMap, TheSeaLiesOnTheRightOfACoast) {
  const Line north = {{0.3, -20}, {0.3, 0.1}, {0.3, 20}}, second = {{2.3, 20}, {2.3, -20}};
  const auto east = [](Point p) { return p.x > 0.3; };
  expect_sea("a coast to the north", {north}, east);
  expect_sea("to the south", {reversed(north)}, [](Point p) { return p.x < 0.3; });
  expect_sea("a coast whose ends lie within the frame", {{{0.3, -0.2}, {0.3, 4}}}, east);
  const Line slanting = {{-10, -8}, {10, 12}};  // leaves by a neighbouring side
  expect_sea("a coast around a corner", {slanting}, [](Point p) { return p.y < p.x + 2; });
  expect_sea("and back", {reversed(slanting)}, [](Point p) { return p.y > p.x + 2; });
  expect_sea("a strait", {north, second}, [](Point p) { return p.x > 0.3 && p.x < 2.3; });
  expect_sea("land between two seas", {reversed(north), reversed(second)},
             [](Point p) { return p.x < 0.3 || p.x > 2.3; });
  // In and out by the same side, twice by one line.
  const Line bays = {{-2, -9}, {-2, 1}, {-1, 1}, {-1, -9}, {1, -9}, {1, 2}, {3, 2}, {3, -9}};
  const auto in_bay = [](Point p) {
    return (p.x > -2 && p.x < -1 && p.y < 1) || (p.x > 1 && p.x < 3 && p.y < 2);
  };
  expect_sea("two bays", {bays}, in_bay);
  expect_sea("two headlands", {reversed(bays)}, [&](Point p) { return !in_bay(p); });
}

TEST(BaseMap, IslandsAndInnerSeas) {
  const Line island = {{0.1, 0.1}, {1.1, 0.1}, {1.1, 2.1}, {0.1, 2.1}, {0.1, 0.1}};
  const auto inside = [](Point p) { return p.x > 0.1 && p.x < 1.1 && p.y > 0.1 && p.y < 2.1; };
  expect_sea("an island alone", {island}, [&](Point p) { return !inside(p); });
  expect_sea("an inner sea", {reversed(island)}, inside);
  const Line coast = {{-2.2, -9}, {-2.2, 9}};
  expect_sea("an island off a coast", {coast, island},
             [&](Point p) { return p.x > -2.2 && !inside(p); });
  // A ring that reaches beyond the frame is a coast like others.
  const Line large = {{-9, -1}, {9, -1}, {9, 1}, {-9, 1}, {-9, -1}};
  expect_sea("an island wider than the frame", {large},
             [](Point p) { return p.y < -1 || p.y > 1; });
  EXPECT_TRUE(map_of(unit_box(), {{"sea", {{{8, 8}, {9, 9}}}}})["areas"][0]["lines"].empty());
}

TEST(BaseMap, AreasAreDrawnWithoutPointsTooCloseToBeSeen) {
  const Line wood = {{0, 0}, {0.00002, 0}, {0.5, 0}, {0.5, 0.25}, {0.00001, 0.00001}, {0, 0}};
  const auto map = map_of(unit_box(), {{"wood", {wood}}, {"water", {}}});
  EXPECT_TRUE(map["streets"].empty());
  ASSERT_EQ(map["areas"].size(), 2u);
  EXPECT_EQ(map["areas"][0]["kind"], "wood");
  // The last point closes the line and stays.
  EXPECT_EQ(map["areas"][0]["lines"],
            nlohmann::json::parse("[[0, 0.5, 0.5, 0.5, 0.5, 0.75, 0.00001, 0.50001, 0, 0.5]]"));
  EXPECT_TRUE(map["areas"][1]["lines"].empty());
}

TEST(BaseMap, NamesOfStreetsComeByNumber) {
  const auto map = map_of(town_file(), {});
  EXPECT_EQ(map["streets"], nlohmann::json::parse(
                                R"(["Main Street", "Main Street", "Hill Road", "A 7", "Ferry"])"));
}

}  // namespace
}  // namespace lodestar::server::base_map_test
