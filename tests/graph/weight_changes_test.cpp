#include "lodestar/weight_changes.h"

#include <gtest/gtest.h>

#include "graph/known_changes.h"
#include "graph_equality.h"
#include "lodestar/rng.h"
#include "oracle.h"

namespace lodestar::weight_changes_test {
namespace {

// Directed, undirected and back again, with parallel arcs and loops, in float32 and not.
TEST(WeightChanges, LikeAllWeights) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Graph graph = testing::nasty_graph(seed).graph();
    if (graph.arc_count() == 0) continue;
    if (seed % 5 == 4) graph = graph.ordered(ArcOrder::kByWeight);
    Rng rng(seed);
    const Graph first = graph;
    for (int change = 0; change < 6; ++change) {
      std::vector<ArcIndex> arcs;
      std::vector<Weight> weights, all = graph.weights();
      for (std::uint32_t i = 0; i < rng.below(5); ++i) {
        arcs.push_back(rng.below(static_cast<std::uint32_t>(graph.arc_count())));
        weights.push_back(rng.below(4) + (seed % 3 == 0 && change == 4 ? 0.1 : 0));
        all[arcs.back()] = weights.back();
      }
      const Graph now = with_weights(graph, arcs, weights);
      expect_same_arcs(now, graph.with_weights(all));  // which looks whether float32 suffices again
      graph = now;
    }
    // Everything as at first: a graph that was undirected is so again.
    std::vector<ArcIndex> every(first.arc_count());
    for (ArcIndex arc = 0; arc < every.size(); ++arc) every[arc] = arc;
    if (first.arc_order() == ArcOrder::kByHead) {
      expect_same_arcs(with_weights(graph, every, first.weights()), first);
    }
  }
}

TEST(WeightChanges, InvalidArguments) {
  const Graph graph = testing::nasty_graph(1).graph();
  ASSERT_GT(graph.arc_count(), 1u);
  const auto change = [&](std::vector<ArcIndex> arcs, std::vector<Weight> weights) {
    return with_weights(graph, arcs, weights);
  };
  EXPECT_THROW(change({0, 1}, {1}), Error);
  EXPECT_THROW(change({static_cast<ArcIndex>(graph.arc_count())}, {1}), Error);
  EXPECT_THROW(change({0}, {-1}), Error);
  EXPECT_THROW(change({0}, {kInfinity}), Error);
  expect_same(change({}, {}), graph);
}

TEST(WeightChanges, ParallelArcs) {
  GraphBuilder builder(3);
  builder.add_arc(0, 1, 1);
  builder.add_arc(0, 1, 2);
  builder.add_arc(0, 2, 1);
  const Graph graph = builder.build();
  EXPECT_TRUE(may_be_parallel(graph, 0));
  EXPECT_TRUE(may_be_parallel(graph, 1));
  EXPECT_FALSE(may_be_parallel(graph, 2));
  const ArcIndex arc[] = {0};
  const Weight weight[] = {3};
  const Graph sorted = with_weights(graph, arc, weight);
  EXPECT_EQ(sorted.arcs(0)[0].weight, 2);
  EXPECT_EQ(sorted.arcs(0)[1].weight, 3);
}

TEST(WeightChanges, AreKnownFromOneGraphToTheNext) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 1);
  builder.add_arc(1, 2, 5);
  builder.add_arc(1, 2, 7);
  const Graph graph = builder.build();
  const ArcIndex arcs[] = {3, 0};
  const Weight weights[] = {2, 4};
  const Graph next = with_weights(graph, arcs, weights), last = with_weights(next, {}, {});
  const auto known = known_changes(graph, next);
  ASSERT_TRUE(known);
  EXPECT_EQ(std::vector<ArcIndex>(known->begin(), known->end()), (std::vector<ArcIndex>{0, 2, 3}));
  ASSERT_TRUE(known_changes(next, last));
  EXPECT_TRUE(known_changes(next, last)->empty());
  EXPECT_FALSE(known_changes(graph, last));
  EXPECT_FALSE(known_changes(next, graph));
  EXPECT_FALSE(known_changes(graph, graph));
}

// A graph does not keep the arcs of all graphs before it.
TEST(WeightChanges, MemoryOfChangesIsFreed) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 1);
  Graph graph = builder.build();
  const ArcIndex arc[] = {0};
  std::weak_ptr<const void> last;
  for (int change = 0; change < 3; ++change) {
    const Weight weight[] = {2.0 + change};
    graph = with_weights(graph, arc, weight);
    EXPECT_TRUE(last.expired());
    last = graph.arrays().keeper;
  }
  EXPECT_EQ(graph.arcs(0)[0].weight, 4);
  EXPECT_EQ(graph.arcs(1)[0].weight, 1);
}

}  // namespace
}  // namespace lodestar::weight_changes_test
