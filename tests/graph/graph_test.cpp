#include "lodestar/graph.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lodestar/graph_stats.h"
#include "lodestar/search.h"

namespace lodestar::graph_test {
namespace {

TEST(Graph, EmptyGraphHasNothing) {
  const Graph graph;
  EXPECT_EQ(graph.node_count(), 0u);
  EXPECT_EQ(graph.arc_count(), 0u);
}

TEST(Graph, ArcsComeBackOrderedByHeadAndExact) {
  GraphBuilder builder(4);
  builder.add_arc(0, 3, 0.1);  // not a float32: the graph must widen
  builder.add_arc(0, 1, 9007199254740991.0);
  builder.add_arc(0, 1, 2);
  builder.add_arc(2, 2, 5);
  const Graph graph = builder.build();
  EXPECT_FALSE(graph.narrow());
  ASSERT_EQ(graph.arcs(0).size(), 3u);
  EXPECT_EQ(graph.arcs(0)[0], (Arc{1, 2}));
  EXPECT_EQ(graph.arcs(0)[1], (Arc{1, 9007199254740991.0}));
  EXPECT_EQ(graph.arcs(0)[2], (Arc{3, 0.1}));
  EXPECT_EQ(graph.arcs(2)[0], (Arc{2, 5}));
  EXPECT_EQ(graph.arcs(3, Direction::kBackward)[0], (Arc{0, 0.1}));
  EXPECT_FALSE(graph.symmetric());
}

TEST(GraphStats, LeastAndLargestWeight) {
  GraphBuilder builder(3);
  EXPECT_EQ(graph_stats(GraphBuilder(3).build()).min_weight, 0);
  builder.add_arc(0, 1, 5);
  EXPECT_EQ(graph_stats(builder.build()).min_weight, 5);
  builder = GraphBuilder(3);
  builder.add_edge(0, 1, 5);
  builder.add_arc(1, 2, 7);
  const GraphStats stats = graph_stats(builder.build());
  EXPECT_EQ(stats.min_weight, 5);
  EXPECT_EQ(stats.max_weight, 7);
}

TEST(Graph, NarrowWeightsTakeEightBytesAnArcAndFourANode) {
  GraphBuilder builder(1000);
  for (NodeId v = 0; v + 1 < 1000; ++v) builder.add_edge(v, v + 1, 0.5 + v);
  const Graph graph = builder.build();
  EXPECT_TRUE(graph.narrow());
  EXPECT_TRUE(graph.symmetric());
  EXPECT_EQ(graph.adjacency_bytes(), 8 * graph.arc_count() + 4 * (graph.node_count() + 1));
}

TEST(Graph, TwinArcsWithDifferentWeightsAreNotSymmetric) {
  GraphBuilder builder(2);
  builder.add_arc(0, 1, 1);
  builder.add_arc(1, 0, 2);
  EXPECT_FALSE(builder.build().symmetric());
  builder.grow_to(2);
  builder.add_arc(0, 1, 1);
  builder.add_arc(1, 0, 1);
  EXPECT_TRUE(builder.build().symmetric());
}

TEST(Graph, OrderingByWeightKeepsEveryArc) {
  GraphBuilder builder(3);
  builder.add_arc(0, 1, 7);
  builder.add_arc(0, 2, 3);
  builder.add_arc(1, 2, 1);
  const Graph by_weight = builder.build().ordered(ArcOrder::kByWeight);
  EXPECT_EQ(by_weight.arcs(0)[0], (Arc{2, 3}));
  EXPECT_EQ(by_weight.arcs(0)[1], (Arc{1, 7}));
  EXPECT_EQ(by_weight.arcs(2, Direction::kBackward)[0], (Arc{1, 1}));
  EXPECT_EQ(by_weight.ordered(ArcOrder::kByHead).arcs(0)[0], (Arc{1, 7}));
}

TEST(Graph, BadArcsAreRefused) {
  GraphBuilder builder(2);
  EXPECT_THROW(builder.add_arc(0, 2, 1), Error);
  EXPECT_THROW(builder.add_arc(0, 1, -1), Error);
  EXPECT_THROW(builder.add_arc(0, 1, std::nan("")), Error);
  EXPECT_THROW(builder.add_arc(0, 1, kInfinity), Error);
  builder.add_arc(0, 1, 1e280);  // beyond float32, must not overflow on the way
  EXPECT_EQ(builder.build().arcs(0)[0].weight, 1e280);
  builder.grow_to(2);
  builder.set_points(CoordinateKind::kPlane, {{0, 0}});
  EXPECT_THROW(builder.build(), Error);
}

}  // namespace
}  // namespace lodestar::graph_test
