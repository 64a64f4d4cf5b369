// The rivals against Bellman-Ford on nasty graphs: a baseline that is wrong proves nothing.
#include <gtest/gtest.h>

#include "bench/competitors/ch_potentials.h"
#include "bench/competitors/fastmap.h"
#include "lodestar/generate.h"
#include "oracle.h"

namespace lodestar::eval {
namespace {

using lodestar::testing::bellman_ford;
using lodestar::testing::nasty_graph;
using lodestar::testing::PlainGraph;

TEST(FastMap, IsConsistentAndSearchesStayExact) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    const Graph graph = plain.graph();
    if (!graph.symmetric()) {
      EXPECT_THROW(FastMap(graph, 4, seed), Error);
      continue;
    }
    ++tried;
    const FastMap map(graph, 1 + static_cast<std::uint32_t>(seed % 9), seed);
    Searcher searcher(graph);
    for (NodeId t = 0; t < graph.node_count(); t += 3) {
      const auto h = map.to(t);
      EXPECT_EQ(h(t), 0);
      for (const auto& arc : plain.arcs) {
        ASSERT_LE(h(arc.tail), arc.weight + h(arc.head)) << plain.name;
      }
    }
    for (NodeId s = 0; s < graph.node_count(); s += 4) {
      const auto truth = bellman_ford(plain, s);
      for (NodeId t = 0; t < graph.node_count(); ++t) {
        ASSERT_EQ(searcher.run({s, t}, map.to(t)).cost, truth[t]) << plain.name;
      }
    }
  }
  EXPECT_GT(tried, 50);
}

TEST(FastMap, GuidesOnALattice) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 4000;
  const Graph graph = generate(spec);
  const FastMap map(graph, 16, 1);
  EXPECT_EQ(map.bytes(), 64u * graph.node_count());
  Searcher searcher(graph);
  Rng rng(3);
  std::uint64_t guided = 0, blind = 0;
  for (int i = 0; i < 100; ++i) {
    const Query query = random_reachable_query(searcher, rng);
    blind += searcher.run(query, Zero{}).expansions;
    guided += searcher.run(query, map.to(query.target)).expansions;
  }
  EXPECT_LT(4 * guided, blind);
}

void expect_exact(const PlainGraph& plain, const Graph& graph, ChPotentialsSearcher& searcher) {
  for (NodeId s = 0; s < graph.node_count(); s += 3) {
    const auto truth = bellman_ford(plain, s);
    for (NodeId t = 0; t < graph.node_count(); ++t) {
      const SearchResult found = searcher.run({s, t});
      ASSERT_EQ(found.cost, truth[t]) << plain.name << " " << s << " to " << t;
      const auto path = searcher.path();
      if (!found.reached()) continue;
      ASSERT_EQ(path.front(), s);
      ASSERT_EQ(path.back(), t);
      ASSERT_EQ(path_cost(graph, path), truth[t]) << plain.name << " " << s << " to " << t;
    }
  }
}

TEST(ChPotentials, ExactOnNastyGraphsBeforeAndAfterWeightsRise) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    PlainGraph plain = nasty_graph(seed);
    const Graph graph = plain.graph();
    const ChPotentials hierarchy(graph);
    ChPotentialsSearcher searcher(hierarchy, graph);
    expect_exact(plain, graph, searcher);
    Rng rng(seed);
    for (auto& arc : plain.arcs) arc.weight *= rng.chance(0.3) ? 3 : 1;
    const Graph changed = plain.graph();
    searcher = ChPotentialsSearcher(hierarchy, changed);
    expect_exact(plain, changed, searcher);
  }
}

TEST(ChPotentials, WalkAlongThePathOnTheirOwnWeights) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 4000;
  const Graph graph = generate(spec);
  ChPotentialsSearcher searcher(ChPotentials(graph), graph);
  Searcher plain(graph);
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    const Query query = random_reachable_query(plain, rng);
    const SearchResult found = searcher.run(query);
    EXPECT_EQ(found.cost, plain.run(query, Zero{}).cost);
    EXPECT_LE(found.expansions, 2 * searcher.path().size());
  }
  GraphBuilder other(2);
  other.add_edge(0, 1, 1);
  EXPECT_THROW(ChPotentialsSearcher(ChPotentials(graph), other.build()), Error);
}

}  // namespace
}  // namespace lodestar::eval
