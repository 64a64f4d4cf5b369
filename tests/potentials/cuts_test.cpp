#include "lodestar/cuts.h"

#include <gtest/gtest.h>

#include "lodestar/generate.h"
#include "lodestar/search.h"
#include "oracle.h"
#include "potentials/columns.h"
#include "road.h"

namespace lodestar::cuts_test {
namespace {

using testing::road;

// Feasible on every graph there is, so answers stay exact: Bellman-Ford is the judge.
TEST(Cuts, AreFeasibleAndAnswersExactOnNastyGraphs) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto plain = testing::nasty_graph(seed);
    const Graph graph = plain.graph();
    CutOptions options;
    options.potential_count = 1 + static_cast<std::uint32_t>(seed % 7);
    options.sweeps = static_cast<std::uint32_t>(seed % 4);
    options.seed = seed;
    const Potentials potentials = cut_potentials(graph, options);
    ASSERT_EQ(potentials.count(), options.potential_count);
    ASSERT_TRUE(potentials.verify(graph).feasible()) << plain.name;
    Searcher searcher(graph);
    for (NodeId s = 0; s < graph.node_count(); s += 5) {
      const auto truth = testing::bellman_ford(plain, s);
      for (NodeId t = 0; t < graph.node_count(); ++t) {
        ASSERT_EQ(searcher.run({s, t}, potentials.to(t)).cost, truth[t]) << plain.name;
      }
    }
  }
}

CutOptions by_coordinates(std::uint32_t potentials) {
  CutOptions options;
  options.potential_count = potentials;
  options.sweeps = 1;
  options.by_coordinates = true;
  return options;
}

// 0 - 1 - 2 - 3 - 4, weights 1, 2, 3, 4, cut in the middle: signed distances to the separator.
TEST(Cuts, AreSignedDistancesToTheSeparator) {
  GraphBuilder builder(5);
  for (NodeId v = 0; v < 4; ++v) builder.add_edge(v, v + 1, v + 1);
  builder.set_points(CoordinateKind::kPlane, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}});
  const Graph graph = builder.build();
  const PotentialColumns columns = cut_columns(graph, by_coordinates(1));
  ASSERT_EQ(columns.unit, 1);
  // Half of five nodes, rounded down, are low: 0 and 1; the separator is {1}.
  EXPECT_EQ(columns.columns[0], (std::vector<std::int32_t>{-1, 0, 2, 5, 9}));
}

TEST(Cuts, BothWaysOnADirectedCircle) {
  // 0 → 1 → 2 → 3 → 0: from low {0, 1} to high {2, 3} by way of 1, back by way of 3.
  GraphBuilder builder(4);
  for (NodeId v = 0; v < 4; ++v) builder.add_arc(v, (v + 1) % 4, 10 + v);
  builder.set_points(CoordinateKind::kPlane, {{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  const Graph graph = builder.build();
  const PotentialColumns columns = cut_columns(graph, by_coordinates(2));
  EXPECT_EQ(columns.columns[0], (std::vector<std::int32_t>{-10, 0, 11, 23}));
  EXPECT_EQ(columns.columns[1], (std::vector<std::int32_t>{13, 23, -12, 0}));
}

TEST(Cuts, BeatLandmarksOnALattice) {
  const Graph graph = road(16'000);
  const Potentials cuts = cut_potentials(graph, {}), landmarks = landmark_potentials(graph, {});
  Searcher searcher(graph);
  Rng rng(4);
  std::uint64_t with_cuts = 0, with_landmarks = 0;
  for (int i = 0; i < 100; ++i) {
    const Query query = random_reachable_query(searcher, rng);
    with_cuts += searcher.run(query, cuts.to(query.target)).expansions;
    with_landmarks += searcher.run(query, landmarks.to(query.target)).expansions;
  }
  EXPECT_LT(2 * with_cuts, with_landmarks);
}

TEST(Cuts, SameSeedSameTable) {
  const Graph graph = road(1000);
  EXPECT_EQ(cut_columns(graph, {}).columns, cut_columns(graph, {}).columns);
}

TEST(Cuts, RefuseWhatTheyCannotDo) {
  EXPECT_THROW(cut_potentials(Graph(), {}), Error);
  CutOptions options;
  options.potential_count = 0;
  EXPECT_THROW(cut_potentials(road(100), options), Error);
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 1);
  options = {};
  options.sweeps = 1;
  options.by_coordinates = true;
  EXPECT_THROW(cut_potentials(builder.build(), options), Error);
}

}  // namespace
}  // namespace lodestar::cuts_test
