// Second ways into an index: traces of every kind, searchers that move, indexes that are customized
// before they are saved, paths of very long shortcuts, and what is refused.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "error_of.h"
#include "index/query/climb_labels.h"
#include "lodestar/index.h"
#include "lodestar/rng.h"
#include "lodestar/router.h"
#include "road.h"
#include "scratch_folder.h"

namespace lodestar::index_entrances_test {
namespace {

using testing::error_of;
using testing::road;

// A circle with some chords: it contracts to few shortcuts. One way only, every third edge is an
// arc from u to u + 1.
Graph circle(NodeId nodes, bool one_way) {
  Rng rng(7);
  GraphBuilder builder(nodes);
  for (NodeId u = 0; u < nodes; ++u) {
    const NodeId v = (u + 1) % nodes;
    const auto weight = static_cast<Weight>(1 + rng.below(9));
    one_way&& u % 3 == 0 ? builder.add_arc(u, v, weight) : builder.add_edge(u, v, weight);
    if (u % 100 == 0) builder.add_edge(u, rng.below(nodes), 500);
  }
  return builder.build();
}

struct Kind {
  std::string name;
  Index index;
};

std::vector<Kind> kinds_of(const Graph& graph) {
  IndexOptions stored{.core = 40, .crossing = Crossing::kStoredDistances};
  IndexOptions bare = stored;
  bare.paths = false;
  std::vector<Kind> kinds = {
      {"hierarchy", Index::build(graph, {.core = 0})},
      {"core", Index::build(graph, {.core = 40,
                                    .crossing = Crossing::kSearch,
                                    .guide = CorePotentials::kLandmarks,
                                    .potential_count = 4})},
      {"core without potentials",
       Index::build(graph,
                    {.core = 40, .crossing = Crossing::kSearch, .guide = CorePotentials::kNone})},
      {"stored distances", Index::build(graph, stored)},
      {"costs only", Index::build(graph, bare)},
      {"labels", Index::build(graph, {.core = 40, .labels = true})},
  };
  kinds.push_back(
      {"elimination tree", kinds[0].index.flexible().customized(graph, {.quick = true})});
  return kinds;
}

TEST(IndexEntrances, TracesTellTrueCostsFromBothEnds) {
  for (const bool one_way : {false, true}) {
    for (const Graph& graph : {circle(2000, one_way), road(600)}) {
      const Router plain(graph);
      const NodeId n = graph.node_count();
      for (const Kind& kind : kinds_of(graph)) {
        SCOPED_TRACE(kind.name);
        IndexSearcher searcher(kind.index);
        for (const Query query : {Query{1, n - 2}, Query{n / 2, 5}, Query{7, 9}, Query{4, 4}}) {
          const Distances ahead = plain.distances(query.source),
                          behind =
                              plain.distances(query.target, {.direction = Direction::kBackward});
          const Cost cost = searcher.run(query).cost;
          std::vector<IndexStep> steps;
          const SearchResult found = searcher.run(query, steps);
          EXPECT_EQ(found.cost, ahead.costs[query.target]);
          EXPECT_EQ(found.cost, cost);
          ASSERT_FALSE(steps.empty());
          std::set<NodeId> known[2] = {{query.source}, {query.target}};
          for (const IndexStep& step : steps) {
            const auto side = static_cast<int>(step.side);
            const Distances& truth = side == 0 ? ahead : behind;
            ASSERT_LT(step.node, n);
            EXPECT_GE(step.cost, truth.costs[step.node]);
            const bool root = step.node == (side == 0 ? query.source : query.target);
            EXPECT_EQ(step.parent == kNoNode, root && step.cost == 0);
            if (step.parent == kNoNode) continue;
            EXPECT_LT(step.parent, n);
            EXPECT_LE(truth.costs[step.parent], step.cost);
          }
          if (!kind.index.facts().paths) continue;
          EXPECT_EQ(searcher.path().front(), query.source);
          EXPECT_EQ(searcher.path().back(), query.target);
        }
      }
    }
  }
}

TEST(IndexEntrances, SearchersMove) {
  const Graph graph = road(300);
  const Index index = Index::build(graph, {.core = 0});
  IndexSearcher a(index);
  const Cost cost = a.run({1, 200}).cost;
  IndexSearcher b(std::move(a));
  EXPECT_EQ(b.path().front(), 1u);
  IndexSearcher c(Index::build(road(50), {.core = 0}));
  c = std::move(b);
  EXPECT_EQ(c.run({1, 200}).cost, cost);
  const Cch cch(graph);
  CchSearcher d(CchMetric(cch, graph));
  EXPECT_EQ(d.run({1, 200}).cost, cost);
  CchSearcher e(std::move(d));
  EXPECT_EQ(e.path(), c.path());
  CchSearcher f(CchMetric(cch, graph));
  f = std::move(e);
  EXPECT_EQ(f.run({1, 200}).cost, cost);
}

// A file holds what a contraction makes, so a quick customization is contracted again.
TEST(IndexEntrances, CustomizedIndexesAreSavedAndDescribed) {
  const Graph graph = road(400);
  std::vector<Weight> weights = graph.weights();
  for (std::size_t arc = 0; arc < weights.size(); arc += 3) weights[arc] *= 2;
  const Graph changed = graph.with_weights(weights);
  const Index built = Index::build(graph, {.core = 0}), flexible = built.flexible();
  const Index quick = flexible.customized(changed, {.quick = true});
  const IndexFacts facts = quick.facts();
  EXPECT_TRUE(facts.quick && facts.flexible);
  EXPECT_GT(facts.up_arcs, 0u);
  EXPECT_GT(facts.bytes, flexible.facts().bytes);
  EXPECT_GT(flexible.facts().bytes, built.facts().bytes);
  const ScratchFolder folder;
  quick.save(folder / "g.lsi");
  const Index opened = Index::open(folder / "g.lsi", changed);
  EXPECT_FALSE(opened.facts().quick);
  EXPECT_EQ(opened.verify(), 0u);
  const Router plain(changed), indexed(changed, {.index = std::make_shared<const Index>(opened)});
  for (NodeId t = 0; t < graph.node_count(); t += 17) {
    EXPECT_EQ(indexed.path({3, t}).result.cost, plain.path({3, t}).result.cost);
  }
}

// Shortcuts over more arcs than a byte can count, in both directions, also from a file.
TEST(IndexEntrances, PathsOfVeryLongShortcuts) {
  constexpr NodeId kNodes = 1500;
  for (const bool one_way : {false, true}) {
    GraphBuilder builder(kNodes);
    for (NodeId u = 0; u + 1 < kNodes; ++u) {
      builder.add_arc(u, u + 1, 1);
      builder.add_arc(u + 1, u, one_way ? 2 : 1);
    }
    const Graph graph = builder.build();
    const ScratchFolder folder;
    Index::build(graph, {.core = 0}).save(folder / "g.lsi");
    IndexSearcher searcher(Index::open(folder / "g.lsi", graph));
    Rng rng(3);
    for (int i = 0; i < 200; ++i) {
      const Query query{rng.below(kNodes), rng.below(kNodes)};
      const SearchResult found = searcher.run(query);
      const bool up = query.source <= query.target;
      const NodeId steps = up ? query.target - query.source : query.source - query.target;
      EXPECT_EQ(found.cost, (one_way && !up ? 2.0 : 1.0) * steps);
      const std::vector<NodeId> path = searcher.path();
      ASSERT_EQ(path.size(), steps + 1);
      for (NodeId k = 0; k <= steps; ++k) {
        ASSERT_EQ(path[k], up ? query.source + k : query.source - k);
      }
    }
  }
}

TEST(IndexEntrances, WhatDoesNotFitIsRefused) {
  const Graph graph = road(300);
  const Index bare = Index::build(graph, {.core = 0, .paths = false});
  IndexSearcher searcher(bare);
  EXPECT_TRUE(searcher.run({1, 200}).reached());
  EXPECT_EQ(error_of([&] { searcher.path(); }),
            "the index was built without paths; build it again with paths");
  IndexSearcher stored(
      Index::build(graph, {.core = 40, .crossing = Crossing::kStoredDistances, .paths = false}));
  EXPECT_TRUE(stored.run({1, 200}).reached());
  EXPECT_EQ(error_of([&] { stored.path(); }),
            "the index was built without paths; build it again with paths");
  EXPECT_EQ(error_of([&] { bare.customized(road(300, 2)); }),
            "the index was built for other arcs (customization changes only weights); build a new "
            "index with `lodestar index`");
  const IndexOptions options{
      .core = 40, .crossing = Crossing::kSearch, .guide = CorePotentials::kLandmarks, .rounds = 1};
  const Index large = Index::build(graph, options);
  IndexOptions smaller = options;
  smaller.core = 20;
  const auto fitter = Index::build(graph, smaller).fitter(smaller);
  ASSERT_NE(fitter, nullptr);
  EXPECT_EQ(error_of([&] { large.trained_by(*fitter); }),
            "the potentials were not made for the core of this index");
}

TEST(IndexEntrances, ReportsEveryStage) {
  std::set<std::string> stages;
  const auto report = [&](const IndexProgress& now) { stages.insert(now.stage); };
  const Graph graph = road(500);
  Index::build(graph, {.core = 40, .crossing = Crossing::kSearch, .rounds = 2}, {}, report);
  EXPECT_TRUE(stages.contains("contracting"));
  EXPECT_TRUE(stages.contains("training"));
  Index::build(graph, {.core = 40, .labels = true}, {}, report);
  EXPECT_TRUE(stages.contains("labelling"));
}

// More labels than there are slots at first, in several runs.
TEST(ClimbLabels, HoldAnyNumberOfNodes) {
  index::ClimbLabels<std::uint32_t> labels;
  for (const NodeId count : {3000u, 10u, 700u}) {
    labels.clear();
    for (NodeId i = 0; i < count; ++i) {
      EXPECT_EQ(labels.find(i * 7919), index::kNoLabel);
      EXPECT_EQ(labels.find_or_add(i * 7919), i);
    }
    EXPECT_EQ(labels.size(), count);
    for (NodeId i = 0; i < count; ++i) {
      EXPECT_EQ(labels.find(i * 7919), i);
      EXPECT_EQ(labels.find_or_add(i * 7919), i);
      EXPECT_EQ(labels[i].node, i * 7919);
    }
  }
}

}  // namespace
}  // namespace lodestar::index_entrances_test
