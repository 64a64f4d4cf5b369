// The competitors against Bellman-Ford on nasty graphs: a baseline that is wrong proves nothing.
#include <gtest/gtest.h>

#include "bench/competitors/ch_potentials.h"
#include "lodestar/generate.h"
#include "oracle.h"

namespace lodestar::bench::competitors_test {
namespace {

using lodestar::testing::bellman_ford;
using lodestar::testing::nasty_graph;
using lodestar::testing::PlainGraph;

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
}  // namespace lodestar::bench::competitors_test
