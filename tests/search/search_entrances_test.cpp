// Searches that meet their limits: focal search with an order that would reopen nodes 2^n times,
// and recorded trajectories of graphs with loops and parallel arcs.
#include <gtest/gtest.h>

#include <cmath>

#include "base/npz.h"
#include "hand_drawn.h"
#include "lodestar/focal.h"
#include "lodestar/trace.h"
#include "scratch_folder.h"

namespace lodestar::search_entrances_test {
namespace {

// Martelli's graph (1977): node i has arcs to all below it, and the way over more nodes is always a
// little cheaper. An order by number expands node 1 each time a way to it improves. The target is
// behind a node that the order takes last.
TEST(SearchEntrances, AnOrderThatReopensForEverEndsByCost) {
  constexpr NodeId kNodes = 26, kSource = kNodes - 3, kLast = kNodes - 2, kTarget = kNodes - 1;
  GraphBuilder builder(kNodes);
  for (NodeId i = 2; i <= kSource; ++i) {
    for (NodeId j = 1; j < i; ++j) {
      builder.add_arc(i, j, std::exp2(i - 2.0) - std::exp2(j - 1.0) + i - j);
    }
  }
  builder.add_arc(kSource, kLast, 1e9);
  builder.add_arc(kLast, kTarget, 1);
  const Graph graph = builder.build();
  const auto by_number = [](NodeId v) { return static_cast<double>(v); };
  FocalSearcher searcher(graph);
  for (const bool greedy : {true, false}) {
    const SearchResult found = searcher.run({kSource, kTarget}, by_number, Zero{},
                                            {.bound = 1e12, .weight = 1e18, .greedy = greedy});
    EXPECT_EQ(found.cost, 1e9 + 1);
    EXPECT_EQ(searcher.path(), (std::vector<NodeId>{kSource, kLast, kTarget}));
    EXPECT_GE(found.reopened, detail::kPatience * kNodes);
    EXPECT_LE(found.expansions, most_expansions(kNodes));
  }
}

// Of parallel arcs the lightest counts, and a node's own arc is not stored.
TEST(SearchEntrances, TrajectoriesOfLoopsAndParallelArcs) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 5}, {0, 1, 2}, {1, 1, 4}, {1, 2, 3}});
  Searcher searcher(graph);
  const std::vector<TrajectorySample> samples = {{graph, {0, 2}, dijkstra_trajectory(searcher, 0)}};
  const ScratchFolder folder;
  write_trajectories(samples, folder / "t.npz");
  const std::string file = folder.read("t.npz");
  EXPECT_EQ(read_npz_array(file, "A", "t.npz").values,
            (std::vector<double>{0, 2, 0, 0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(read_npz_array(file, "adj", "t.npz").values,
            (std::vector<double>{1, 1, 0, 0, 1, 1, 0, 0, 1}));
  EXPECT_EQ(read_npz_array(file, "pi", "t.npz").values, (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(read_npz_array(file, "lengths", "t.npz").values, std::vector<double>{4});
}

}  // namespace
}  // namespace lodestar::search_entrances_test
