// Time limits, and graphs that do not contract.
#include <gtest/gtest.h>

#include <cmath>

#include "index/build/choose_core.h"
#include "index/build/contraction.h"
#include "index_check.h"
#include "lodestar/detail/clock.h"
#include "lodestar/fit.h"
#include "lodestar/generate.h"
#include "lodestar/index.h"
#include "lodestar/index_estimate.h"
#include "lodestar/router.h"
#include "road.h"
#include "scratch_folder.h"
#include "slow_build.h"

namespace lodestar::limit_test {
namespace {

using testing::road;

Graph random_graph(NodeId nodes, std::uint32_t degree, bool directed, double unit = 1) {
  GraphBuilder builder(nodes);
  Rng rng(nodes);
  for (std::uint64_t i = 0; i < std::uint64_t{nodes} * degree; ++i) {
    const NodeId u = rng.below(nodes), v = rng.below(nodes);
    const double weight = unit * (1 + rng.below(1000));
    if (directed) {
      builder.add_arc(u, v, weight);
    } else if (i % 2 == 0) {
      builder.add_edge(u, v, weight);
    }
  }
  return builder.build();
}

Graph complete_graph(NodeId nodes) {
  GraphBuilder builder(nodes);
  Rng rng(nodes);
  for (NodeId u = 0; u < nodes; ++u) {
    for (NodeId v = 0; v < u; ++v) builder.add_edge(u, v, 1 + rng.below(1000));
  }
  return builder.build();
}

// By Dijkstra's algorithm.
void expect_exact(const Index& index, const Graph& graph) {
  IndexSearcher searcher(index);
  Searcher dijkstra(graph);
  Rng rng(4);
  std::vector<IndexStep> steps;
  for (int i = 0; i < 200; ++i) {
    const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
    const SearchResult truth = dijkstra.run(query, Zero{}), found = searcher.run(query);
    ASSERT_DOUBLE_EQ(found.cost, truth.cost);
    ASSERT_TRUE(found.optimal());
    if (truth.reached()) {
      ASSERT_DOUBLE_EQ(path_cost(graph, searcher.path()), truth.cost);
    }
    ASSERT_EQ(searcher.run(query, steps).cost, found.cost);
    ASSERT_EQ(steps.size(), found.expansions);
  }
  EXPECT_EQ(index.verify(), 0u);
}

TEST(Limit, GraphsThatDoNotContractAreSearched) {
  const ScratchFolder folder;
  for (const Graph& graph : {random_graph(1200, 8, false), random_graph(1200, 5, true),
                             complete_graph(200), random_graph(800, 8, false, std::sqrt(2.0))}) {
    const Index index = Index::build(graph);
    EXPECT_TRUE(index.facts().plain);
    EXPECT_EQ(index.facts().core, graph.node_count());
    EXPECT_EQ(index.facts().potential_count, 0u);
    expect_exact(index, graph);
    const QueryTimes times = measure_queries(index);
    EXPECT_GT(times.index, 0);
    EXPECT_GT(times.bidirectional, 0);

    index.save(folder / "g.lsi");
    const Index read = Index::open(folder / "g.lsi", graph);
    EXPECT_TRUE(read.facts().plain);
    expect_exact(read, graph);
    EXPECT_TRUE(Index::read_facts(folder / "g.lsi").plain);

    std::vector<Weight> weights;
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const Arc arc : graph.arcs(u)) weights.push_back(arc.weight * (1 + (u + arc.head) % 3));
    }
    const Graph changed = graph.with_weights(weights);
    const Index customized = index.customized(changed);
    EXPECT_TRUE(customized.facts().plain);
    expect_exact(customized, changed);
    expect_exact(Index::open_or_customize(folder / "g.lsi", changed).index, changed);

    const Router router(graph, {.index = std::make_shared<const Index>(index)});
    const std::vector<NodeId> some = {0, 5, 9};
    const auto costs = router.matrix(some, some);
    Searcher dijkstra(graph);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_DOUBLE_EQ(costs[i], dijkstra.run({some[i / 3], some[i % 3]}, Zero{}).cost);
    }
  }
}

bool is_promising(const Graph& graph, std::uint32_t threads) {
  using W = std::uint32_t;
  const index::Units units = index::choose_units(graph, index::Decimals::kAllowed);
  index::Contraction<W> contraction(graph, units, {.threads = threads});
  contraction.allow(index::allowed_work(graph.node_count()));
  const bool promising = contraction.is_promising();
  EXPECT_TRUE(contraction.contracted().empty());
  EXPECT_TRUE(!promising || contraction.work() == 0);  // it leaves the whole allowance
  return promising;
}

// Without estimating the cost of every node, which takes seconds on these graphs.
TEST(Limit, ASampleTellsWhichGraphsDoNotContract) {
  GraphBuilder hypercube(1 << 11), cliques(60 * 50);
  Rng rng(3);
  for (NodeId u = 0; u < 1 << 11; ++u) {
    for (NodeId bit = 1; bit < 1 << 11; bit *= 2) {
      if ((u & bit) == 0) hypercube.add_edge(u, u | bit, 1 + rng.below(1000));
    }
  }
  for (NodeId u = 0; u < 60 * 50; ++u) {
    for (NodeId v = u - u % 50; v < u; ++v) cliques.add_edge(u, v, 1);
    if (u % 50 == 0 && u > 0) cliques.add_edge(u, 0, 1);
  }
  // Of equal weights: no shortcuts.
  const Graph promising[] = {cliques.build(), road(5'000), GraphBuilder(300).build()};
  const Graph others[] = {random_graph(1500, 8, false), random_graph(1500, 16, true),
                          random_graph(1000, 64, false), complete_graph(300), hypercube.build()};
  for (const std::uint32_t threads : {1, 3}) {
    for (const Graph& graph : promising) EXPECT_TRUE(is_promising(graph, threads));
    for (const Graph& graph : others) EXPECT_FALSE(is_promising(graph, threads));
  }
  EXPECT_TRUE(is_promising(GraphBuilder(0).build(), 1));
}

TEST(Limit, WithoutPathsThereAreNone) {
  const Graph graph = random_graph(1000, 8, false);
  IndexSearcher searcher(Index::build(graph, {.paths = false}));
  EXPECT_TRUE(searcher.index().facts().plain);
  ASSERT_TRUE(searcher.run({0, 1}).reached());
  EXPECT_THROW(searcher.path(), Error);
}

TEST(Limit, GivingUpDoesNotDependOnThreads) {
  for (const Graph& graph : {random_graph(1500, 8, false), complete_graph(200)}) {
    IndexOptions options;
    options.rounds = 1;
    options.crossing = Crossing::kSearch;
    const IndexFacts one = Index::build(graph, options).facts();
    options.threads = 3;
    const IndexFacts three = Index::build(graph, options).facts();
    EXPECT_EQ(one.core, three.core);
    EXPECT_EQ(one.core_arcs, three.core_arcs);
    EXPECT_EQ(one.up_arcs, three.up_arcs);
  }
}

TEST(Limit, LabelsOfAGraphThatDoesNotContractAreAnError) {
  EXPECT_THROW(Index::build(complete_graph(700), {.labels = true}), Error);
}

TEST(Limit, AnyTimeIsEnoughForAnExactIndex) {
  const Graph graph = road(5'000);
  for (const double seconds : {0.0, 0.005, 0.02, 0.05, 0.1, 0.2}) {
    IndexOptions options;
    options.seconds = seconds;
    options.threads = seconds > 0.03 ? 2 : 1;
    expect_exact(Index::build(graph, options), graph);
    options.core = 10;
    expect_exact(Index::build(graph, options), graph);
  }
}

// Processor time, which other programs do not change. What follows the contraction (choosing a
// core, sample queries, assembly, training) obeys the limit too; the bound is generous for
// sanitizers.
TEST(Limit, HoldsForAllStages) {
  constexpr double kSeconds = 0.1;
  for (const Graph& graph : {complete_graph(800), random_graph(6'000, 8, false)}) {
    IndexOptions options;
    options.seconds = kSeconds;
    const double begin = processor_seconds();
    const Index index = Index::build(graph, options);
    const double middle = processor_seconds();
    const FitResult fitted = fit(graph, {.seconds = kSeconds});
    const double end = processor_seconds();
    EXPECT_LT(middle - begin, kSeconds + 3);
    EXPECT_LT(end - middle, kSeconds + 3);
    EXPECT_EQ(index.facts().nodes, graph.node_count());
    EXPECT_TRUE(fitted.potentials.verify(graph).feasible());
  }
}

// `lodestar index` checks what it made within its time: not by a look at every arc for each arc.
TEST(Limit, CheckingADenseIndexIsFast) {
  const Graph graph = complete_graph(1000);
  const Index index = Index::build(graph, {.seconds = 0});
  const double before = processor_seconds();
  EXPECT_EQ(index.verify(), 0u);
  EXPECT_LT(processor_seconds() - before, testing::slow_build() ? 5 : 0.3);
}

TEST(Limit, FitEndsWhenNothingIsLeftToGain) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 5);
  const FitResult fitted = fit(builder.build(), {.seconds = 60});
  EXPECT_LE(fitted.rounds, 3u);
  EXPECT_FALSE(fitted.stopped);
}

TEST(Limit, AnyTimeIsEnoughForPotentials) {
  const Graph graph = road(5'000);
  for (const FitStart start : {FitStart::kRace, FitStart::kFarthest, FitStart::kAvoid,
                               FitStart::kGreedy, FitStart::kCuts, FitStart::kMix}) {
    for (const QueryKind kind : {QueryKind::kUniform, QueryKind::kRank}) {
      const FitResult fitted = fit(graph, {.start = start, .seconds = 0, .kind = kind});
      EXPECT_TRUE(fitted.potentials.verify(graph).feasible());
      EXPECT_EQ(fitted.potentials.count(), 16u);
      EXPECT_GT(fitted.expansions, 0);
    }
  }
}

}  // namespace
}  // namespace lodestar::limit_test
