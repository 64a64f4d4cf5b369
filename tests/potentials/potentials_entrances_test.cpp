// What potentials and families refuse, and sweeps over a globe.
#include <gtest/gtest.h>

#include "error_of.h"
#include "lodestar/landmarks.h"
#include "lodestar/potential_family.h"
#include "lodestar/rng.h"
#include "potentials/sweep.h"
#include "road.h"

namespace lodestar::potentials_entrances_test {
namespace {

using testing::error_of;
using testing::road;

Potentials landmarks(const Graph& graph, std::uint32_t count) {
  LandmarkOptions options;
  options.potential_count = count;
  return landmark_potentials(graph, options);
}

TEST(PotentialsEntrances, EveryArgumentIsChecked) {
  const Graph graph = road(60);
  const std::string n = std::to_string(graph.node_count());
  const std::vector<std::vector<std::int32_t>> columns = {
      std::vector<std::int32_t>(graph.node_count()), std::vector<std::int32_t>(5)};
  EXPECT_EQ(error_of([&] { Potentials(graph, columns, 1); }),
            "a potential has 5 values, but the graph has " + n + " nodes; give one value per node");
  Potentials wide = landmarks(graph, 3);
  EXPECT_EQ(error_of([&] { wide.column(3); }),
            "potential 3 is out of range; the number of potentials is 3");
  Potentials narrow = wide.in_16_bits(graph);
  const std::string refusal = "this operation requires potentials with 32 bits, but these have 16";
  EXPECT_EQ(error_of([&] { narrow.row(0); }), refusal);
  EXPECT_EQ(error_of([&] { narrow.best({0, 1}); }), refusal);
  EXPECT_EQ(narrow.column(2).size(), graph.node_count());
  for (const std::uint32_t count : {0u, 4097u}) {
    EXPECT_EQ(error_of([&] { landmarks(graph, count); }),
              "the number of potentials must be between 1 and 4096");
  }
}

TEST(PotentialsEntrances, AFamilyNamesTheMetricThatAGraphLacks) {
  const auto one = std::make_shared<const Potentials>(landmarks(road(60), 2));
  const PotentialFamily family({"time", "length"}, {{{1, 0.1}, one}, {{1, 1}, one}});
  EXPECT_EQ(family.bytes(), 2 * one->bytes());
  const std::vector<std::string> names = {"time"};
  const std::vector<double> blend = {1};
  EXPECT_EQ(error_of([&] { family.mixes(names, blend); }),
            "the potentials are for the metric 'length', which the graph lacks");
}

// At 60° a degree of longitude is half as long as one of latitude.
TEST(PotentialsEntrances, SweepsOverAGlobeCompareLengths) {
  Rng rng(9);
  std::vector<Point> plane, globe;
  for (int i = 0; i < 200; ++i) {
    const double x = rng.uniform(), y = rng.uniform() - 0.5;
    for (const double side : {-1.0, 1.0}) {  // the mean latitude is 60
      plane.push_back({x, 60 + side * y});
      globe.push_back({2 * x, 60 + side * y});
    }
  }
  GraphBuilder builder(400);
  for (NodeId v = 1; v < 400; ++v) builder.add_edge(v - 1, v, 1);
  const Graph bare = builder.build();
  const auto of_plane = coordinate_sweeps(bare.with_points(CoordinateKind::kPlane, plane), 7);
  const auto of_globe = coordinate_sweeps(bare.with_points(CoordinateKind::kDegrees, globe), 7);
  ASSERT_EQ(of_plane.size(), 7u);
  ASSERT_EQ(of_globe.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) {
    for (NodeId v = 0; v < 400; ++v) EXPECT_NEAR(of_globe[i][v], of_plane[i][v], 1e-4);
  }
  EXPECT_TRUE(coordinate_sweeps(bare, 7).empty());
}

}  // namespace
}  // namespace lodestar::potentials_entrances_test
