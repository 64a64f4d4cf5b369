#include "lodestar/search.h"

#include <gtest/gtest.h>

namespace lodestar {
namespace {

TEST(Search, HandDrawnGraph) {
  GraphBuilder builder(4);
  builder.add_arc(0, 1, 1);
  builder.add_arc(1, 2, 1);
  builder.add_arc(0, 2, 3);
  const Graph graph = builder.build();
  Searcher searcher(graph);
  const SearchResult found = searcher.run({0, 2}, Zero{});
  EXPECT_EQ(found.cost, 2);
  EXPECT_TRUE(found.proven_optimal());
  EXPECT_EQ(searcher.path(), (std::vector<NodeId>{0, 1, 2}));
  const SearchResult none = searcher.run({0, 3}, [](NodeId) { return 0.0; });
  EXPECT_FALSE(none.reached());
  EXPECT_TRUE(none.proven_optimal());
}

}  // namespace
}  // namespace lodestar
