#include "lodestar/cch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hand_drawn.h"
#include "index/hierarchy/cch_weights.h"
#include "index/hierarchy/nested_dissection.h"
#include "index/hierarchy/vertex_cut.h"
#include "lodestar/detail/clock.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/detail/stop.h"
#include "lodestar/generate.h"
#include "lodestar/weight_changes.h"
#include "oracle.h"
#include "road.h"

namespace lodestar::cch_test {
namespace {

// The same arcs with other weights; twins stay twins.
testing::PlainGraph reweighted(testing::PlainGraph plain, bool undirected, std::uint64_t seed) {
  Rng rng(seed);
  for (std::size_t i = 0; i < plain.arcs.size(); ++i) {
    const bool twin = undirected && i % 2 == 1;
    plain.arcs[i].weight = twin ? plain.arcs[i - 1].weight : rng.below(500);
  }
  return plain;
}

void expect_exact(const testing::PlainGraph& plain, const Graph& graph, CchSearcher& searcher,
                  NodeId step) {
  for (NodeId s = 0; s < graph.node_count(); s += step) {
    const auto truth = testing::bellman_ford(plain, s);
    for (NodeId t = 0; t < graph.node_count(); ++t) {
      const SearchResult found = searcher.run({s, t});
      ASSERT_EQ(found.cost, truth[t]) << plain.name << " " << s << " to " << t;
      const std::vector<NodeId> path = searcher.path();
      if (!found.reached()) {
        ASSERT_TRUE(path.empty());
        continue;
      }
      ASSERT_EQ(path.front(), s);
      ASSERT_EQ(path.back(), t);
      ASSERT_EQ(path_cost(graph, path), truth[t]) << plain.name << " " << s << " to " << t;
    }
  }
}

TEST(Cch, ExactOnNastyGraphsInAnyOrderAndAfterAnyChange) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto plain = testing::nasty_graph(seed);
    const Graph graph = plain.graph();
    std::vector<NodeId> order(graph.node_count());
    for (NodeId v = 0; v < order.size(); ++v) order[v] = v;
    Rng rng(seed);
    for (NodeId i = 0; i < order.size(); ++i) {
      std::swap(order[i], order[i + rng.below(graph.node_count() - i)]);
    }
    const Cch cch = seed % 2 == 0 ? Cch(graph) : Cch(graph, order);
    CchSearcher searcher{CchMetric(cch, graph)};
    expect_exact(plain, graph, searcher, 3);
    // Weights that fall, rise, vanish; a symmetric graph may become a directed one.
    const auto other = reweighted(plain, seed % 3 == 0 && graph.symmetric(), seed + 1);
    const Graph changed = other.graph();
    searcher = CchSearcher{CchMetric(cch, changed)};
    expect_exact(other, changed, searcher, 5);
  }
}

// The steps of a query are its expansions, each with the cost of a path from its end.
TEST(Cch, QueriesCanBeWatched) {
  for (const bool directed : {false, true}) {
    const auto plain = reweighted(testing::nasty_graph(directed ? 8 : 9), directed, 3);
    const Graph graph = plain.graph();
    CchSearcher searcher{CchMetric(Cch(graph), graph)};
    Searcher truth(graph);
    for (NodeId s = 0; s < graph.node_count(); s += 2) {
      for (NodeId t = 0; t < graph.node_count(); t += 3) {
        std::vector<IndexStep> steps;
        const SearchResult found = searcher.run({s, t}, steps);
        EXPECT_EQ(found.cost, searcher.run({s, t}).cost);
        EXPECT_EQ(steps.size(), found.expansions);
        for (const IndexStep& step : steps) {
          const bool forward = step.side == Direction::kForward;
          const Query part = forward ? Query{s, step.node} : Query{step.node, t};
          EXPECT_GE(step.cost, truth.run(part, Zero{}).cost);
          if (step.parent == kNoNode) {
            EXPECT_EQ(step.node, forward ? s : t);
          }
        }
      }
    }
  }
}

// With any number of threads, and a few arcs at a time: the same costs.
TEST(Cch, ThreadsAndSmallChangesGiveTheSameAnswers) {
  for (const bool undirected : {true, false}) {
    Graph graph = testing::road(5000);
    Rng rng(11);
    std::vector<Weight> weights = graph.weights();
    if (!undirected) {
      for (Weight& weight : weights) weight += rng.below(20);
      graph = graph.with_weights(weights);
    }
    ASSERT_EQ(graph.symmetric(), undirected);
    const Cch cch(graph);
    CchMetric metric(cch, graph, {.threads = 3});
    EXPECT_EQ(metric.count_wrong(graph), 0u);
    CchSearcher searcher{metric};
    Searcher dijkstra(graph);
    for (int i = 0; i < 500; ++i) {
      const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
      const SearchResult found = searcher.run(query);
      ASSERT_EQ(found.cost, dijkstra.run(query, Zero{}).cost);
      ASSERT_EQ(path_cost(graph, searcher.path()), found.cost);
    }
    for (int change = 0; change < 30; ++change) {
      const std::vector<Weight> before = weights;
      for (int i = 0; i <= change; ++i) {
        const auto arc = rng.below(static_cast<std::uint32_t>(weights.size()));
        weights[arc] = change % 7 == 6 ? 1e9 : rng.below(4000);  // closed, zero, anything
      }
      Graph next = graph.with_weights(weights);
      if (undirected && change % 5 != 4) {  // every arc as its twin
        GraphBuilder builder(graph.node_count());
        for (NodeId u = 0; u < graph.node_count(); ++u) {
          for (const Arc arc : next.arcs(u)) {
            if (arc.head >= u) builder.add_edge(u, arc.head, arc.weight);
          }
        }
        const Graph twins = builder.build();
        if (twins.arc_count() == graph.arc_count()) {
          weights = twins.weights();
          next = graph.with_weights(weights);
        }
      }
      metric = metric.changed(graph, next);
      ASSERT_EQ(metric.count_wrong(next), 0u) << change;
      graph = next;
      if (change % 3 == 2) {  // and open again
        const Graph back = graph.with_weights(before);
        metric = metric.changed(graph, back);
        ASSERT_EQ(metric.count_wrong(back), 0u) << change;
        graph = back;
        weights = before;
      }
    }
  }
}

// Any order of elimination is taken, also one that takes long; a stop function ends it.
TEST(Cch, EliminationCanBeStopped) {
  GraphSpec spec;
  spec.family = Family::kGrid;
  spec.nodes = 22'500;
  const Graph graph = generate(spec);
  std::vector<NodeId> order(graph.node_count());
  for (NodeId v = 0; v < order.size(); ++v) order[v] = v;
  double begin = process_seconds();
  const Cch whole(graph, order);
  const double full = process_seconds() - begin;
  begin = process_seconds();
  const StopScope scope([] { return true; });
  EXPECT_THROW(Cch(graph, order), Stopped);
  EXPECT_LT(process_seconds() - begin, 0.5 * full) << full;
}

// Changed graphs may also be built anew; which arcs changed is then found by comparing them.
TEST(Cch, ChangesAreFoundInGraphsThatAreBuiltAnew) {
  const Graph before = testing::road(800);
  const Cch cch(before);
  const CchMetric metric(cch, before);
  for (NodeId shut = 3; shut < before.node_count(); shut += 199) {
    GraphBuilder builder(before.node_count());
    for (NodeId u = 0; u < before.node_count(); ++u) {
      for (const Arc arc : before.arcs(u)) {
        builder.add_arc(u, arc.head, u == shut || arc.head == shut ? 9 * arc.weight : arc.weight);
      }
    }
    const Graph after = builder.build();
    const CchMetric changed = metric.changed(before, after);
    EXPECT_TRUE(changed.weights()->partial_steps) << shut;
    EXPECT_EQ(changed.count_wrong(after), 0u) << shut;
    EXPECT_GT(metric.count_wrong(after), 0u) << shut;
  }
}

// Counted in triangles: a full customisation looks at several for each shortcut.
TEST(Cch, AFewChangesAreCustomisedInPart) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 5000;
  const Graph undirected = generate(spec);
  Rng rng(5);
  std::vector<Weight> weights = undirected.weights();
  for (Weight& weight : weights) weight += rng.below(20);
  const Graph graph = undirected.with_weights(weights);
  const Cch cch(graph);
  const CchMetric metric(cch, graph);
  EXPECT_FALSE(metric.weights()->partial_steps);
  std::size_t steps = 0;
  constexpr std::size_t kChanges = 20;
  for (std::size_t change = 0; change < kChanges; ++change) {
    std::vector<Weight> one = weights;
    one[rng.below(static_cast<std::uint32_t>(one.size()))] += 1000;
    const Graph after = graph.with_weights(one);
    const CchMetric renewed = metric.changed(graph, after);
    EXPECT_EQ(renewed.count_wrong(after), 0u);
    ASSERT_TRUE(renewed.weights()->partial_steps);
    steps += *renewed.weights()->partial_steps;
  }
  EXPECT_GT(steps, 0u);
  EXPECT_LT(steps, kChanges * cch.arc_count() / 10);
  EXPECT_EQ(metric.count_wrong(graph), 0u);  // it shares memory with the others

  // One direction of an edge: the costs of both directions are then stored.
  const CchMetric both(cch, undirected);
  weights = undirected.weights();
  weights[17] += 1000;
  const Graph directed = undirected.with_weights(weights);
  ASSERT_FALSE(directed.symmetric());
  const CchMetric one_way = both.changed(undirected, directed);
  EXPECT_TRUE(one_way.weights()->partial_steps);
  EXPECT_EQ(one_way.count_wrong(directed), 0u);
  const CchMetric back = one_way.changed(directed, undirected);
  EXPECT_TRUE(back.weights()->partial_steps);
  EXPECT_EQ(back.count_wrong(undirected), 0u);

  for (Weight& weight : weights) weight += rng.below(100);
  EXPECT_FALSE(metric.changed(graph, graph.with_weights(weights)).weights()->partial_steps);
}

// Rows are filled by the queries that need them, of several threads at once.
TEST(Cch, QueriesAfterAFewChangesAreExact) {
  for (const bool undirected : {true, false}) {
    Graph graph = testing::road(5000);
    const Cch cch(graph);
    CchMetric metric(cch, graph);
    Rng rng(21);
    for (int change = 0; change < 8; ++change) {
      std::vector<ArcIndex> arcs;
      std::vector<Weight> weights;
      for (int i = 0; i < 5; ++i) {
        const NodeId u = rng.below(graph.node_count());
        const auto at = static_cast<ArcIndex>(rng.below(static_cast<NodeId>(graph.degree(u))));
        const NodeId v = graph.arcs(u)[at].head;
        const Weight weight = rng.below(4000);
        for (const auto& [tail, head] : {std::pair{u, v}, std::pair{v, u}}) {
          const ArcRange row = graph.arcs(tail);
          ArcIndex place = 0;
          while (row[place].head != head) ++place;
          arcs.push_back(graph.arrays().first[0][tail] + place);
          weights.push_back(weight);
          if (!undirected) break;
        }
      }
      const Graph next = with_weights(graph, arcs, weights);
      metric = metric.changed(graph, next);
      ASSERT_TRUE(metric.weights()->partial_steps);
      ASSERT_EQ(metric.count_wrong(next), 0u);
      graph = next;
      std::vector<int> wrong(40, 0);
      parallel_for(wrong.size(), 3, [&](std::size_t i, std::size_t) {
        Rng own(i);
        CchSearcher searcher(metric);
        Searcher dijkstra(graph);
        const Query query{own.below(graph.node_count()), own.below(graph.node_count())};
        const SearchResult found = searcher.run(query);
        wrong[i] = found.cost != dijkstra.run(query, Zero{}).cost ||
                   path_cost(graph, searcher.path()) != found.cost;
      });
      ASSERT_EQ(std::count(wrong.begin(), wrong.end(), 0), 40);
    }
  }
}

TEST(Cch, FractionsAndHugeWeightsAreSummedInDoubles) {
  const Graph graph = testing::hand_drawn(4, {{0, 1, 0.1}, {1, 2, 0.2}, {2, 3, 1e280}});
  CchSearcher searcher{CchMetric(Cch(graph), graph)};
  EXPECT_DOUBLE_EQ(searcher.run({0, 2}).cost, 0.1 + 0.2);
  EXPECT_EQ(searcher.run({2, 3}).cost, 1e280);
  EXPECT_FALSE(searcher.run({3, 0}).reached());
}

TEST(Cch, SmallOnALatticeWithAndWithoutCoordinates) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 4000;
  const Graph graph = generate(spec);
  GraphBuilder builder(graph.node_count());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) builder.add_arc(u, arc.head, arc.weight);
  }
  const Graph bare = builder.build();
  for (const Graph& one : {graph, bare}) {
    const Cch cch(one);
    EXPECT_LT(cch.arc_count(), 8 * one.node_count());
    CchSearcher searcher{CchMetric(cch, one)};
    Searcher dijkstra(one);
    Rng rng(3);
    for (int i = 0; i < 200; ++i) {
      const Query query{rng.below(one.node_count()), rng.below(one.node_count())};
      EXPECT_EQ(searcher.run(query).cost, dijkstra.run(query, Zero{}).cost);
    }
  }
}

TEST(Cch, RefusesOtherTopologiesAndBrokenOrders) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 1);
  const Graph graph = builder.build();
  builder = GraphBuilder(3);
  builder.add_edge(0, 2, 1);
  EXPECT_THROW(CchMetric(Cch(graph), builder.build()), Error);
  EXPECT_THROW(Cch(graph, std::vector<NodeId>{0, 1}), Error);
  EXPECT_THROW(Cch(graph, std::vector<NodeId>{0, 1, 1}), Error);
  EXPECT_THROW(Cch(graph, std::vector<NodeId>{0, 1, 3}), Error);
  EXPECT_EQ(Cch(Graph()).arc_count(), 0u);
  GraphSpec spec;
  spec.nodes = 200;
  spec.density = Density::kDense;
  EXPECT_THROW(Cch(generate(spec), 1000), TooManyShortcuts);
  // As many arcs as are allowed are not too many.
  const Graph roads = testing::road(300);
  const std::size_t arcs = Cch(roads).arc_count();
  EXPECT_EQ(Cch(roads, arcs).arc_count(), arcs);
  EXPECT_THROW(Cch(roads, arcs - 1), TooManyShortcuts);
}

// Against the dullest search: all sets of nodes, smallest first.
TEST(VertexCut, IsASmallestSeparator) {
  Rng rng(5);
  for (int round = 0; round < 3000; ++round) {
    const NodeId n = 2 + rng.below(8);
    GraphBuilder builder(n);
    const std::uint32_t edges = rng.below(2 * n);
    for (std::uint32_t i = 0; i < edges; ++i) builder.add_edge(rng.below(n), rng.below(n), 1);
    const auto plain = index::plain_topology(builder.build());
    std::vector<NodeId> sources, sinks;
    for (NodeId v = 0; v < n; ++v) {
      const auto side = rng.below(3);
      if (side == 0) sources.push_back(v);
      if (side == 1) sinks.push_back(v);
    }
    const auto parts = [&](std::uint32_t removed) {
      std::vector<NodeId> queue;
      std::uint32_t seen = removed;
      for (const NodeId s : sources) {
        if (seen >> s & 1) continue;
        seen |= 1u << s;
        queue.push_back(s);
      }
      for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const NodeId v : plain.of(queue[i])) {
          if (seen >> v & 1) continue;
          seen |= 1u << v;
          queue.push_back(v);
        }
      }
      return std::none_of(sinks.begin(), sinks.end(), [&](NodeId t) {
        return (removed >> t & 1) == 0 && (seen >> t & 1) != 0;
      });
    };
    std::size_t least = n;
    for (std::uint32_t set = 0; set < 1u << n; ++set) {
      const auto size = static_cast<std::size_t>(__builtin_popcount(set));
      if (size < least && parts(set)) least = size;
    }
    index::VertexCut cut;
    ASSERT_TRUE(cut.run(plain, sources, sinks, n));
    std::uint32_t chosen = 0;
    for (const NodeId v : cut.separator()) chosen |= 1u << v;
    ASSERT_EQ(cut.separator().size(), least);
    ASSERT_TRUE(parts(chosen));
    if (least > 0) {
      ASSERT_FALSE(cut.run(plain, sources, sinks, least - 1));
    }
  }
}

}  // namespace
}  // namespace lodestar::cch_test
