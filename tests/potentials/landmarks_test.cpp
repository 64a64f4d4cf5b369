#include "lodestar/landmarks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lodestar/generate.h"
#include "lodestar/search.h"
#include "lodestar/version.h"
#include "oracle.h"
#include "potentials/columns.h"

namespace lodestar::landmarks_test {
namespace {

constexpr LandmarkMethod kMethods[] = {LandmarkMethod::kFarthest, LandmarkMethod::kAvoid,
                                       LandmarkMethod::kGreedy};

TEST(Landmarks, ColumnsAreDistances) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto plain = testing::nasty_graph(seed);
    if (plain.name.starts_with("huge")) continue;  // rounded to a coarser unit
    const Graph graph = plain.graph();
    for (const LandmarkMethod method : kMethods) {
      LandmarkOptions options;
      options.method = method;
      options.potential_count = 4;
      options.seed = seed;
      const PotentialColumns columns = landmark_columns(graph, options);
      ASSERT_EQ(columns.columns.size(), 4u);
      for (const auto& column : columns.columns) {
        // Each column is d(L, ·) or -d(·, L) for some L, where L reaches.
        bool found = false;
        for (NodeId landmark = 0; landmark < graph.node_count() && !found; ++landmark) {
          const auto from = testing::bellman_ford(plain, landmark);
          bool is_from = true, is_to = true;
          for (NodeId v = 0; v < graph.node_count(); ++v) {
            const double value = columns.unit * column[v];
            if (from[v] < kInfinity && value != from[v]) is_from = false;
            const auto back = testing::bellman_ford(plain, v);
            if (back[landmark] < kInfinity && value != -back[landmark]) is_to = false;
            if (!is_from && !is_to) break;
          }
          found = is_from || is_to;
        }
        EXPECT_TRUE(found) << plain.name << " " << to_string(method);
      }
    }
  }
}

TEST(Landmarks, SearchLessThanDijkstra) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 4000;
  const Graph graph = generate(spec);
  Searcher searcher(graph);
  Rng rng(4);
  std::vector<Query> queries;
  for (int i = 0; i < 50; ++i) queries.push_back(random_reachable_query(searcher, rng));
  for (const LandmarkMethod method : kMethods) {
    LandmarkOptions options;
    options.method = method;
    options.queries = queries;
    const Potentials potentials = landmark_potentials(graph, options);
    EXPECT_TRUE(potentials.verify(graph).feasible());
    std::uint64_t dijkstra = 0, alt = 0;
    for (const Query& query : queries) {
      const SearchResult expected = searcher.run(query, Zero{});
      const SearchResult found = searcher.run(query, potentials.to(query.target));
      EXPECT_EQ(found.cost, expected.cost);
      dijkstra += expected.expansions;
      alt += found.expansions;
    }
    EXPECT_LT(5 * alt, dijkstra) << to_string(method);
  }
}

// Also those that no query needs differ.
TEST(Landmarks, NoneIsChosenTwice) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 1000;
  const Graph graph = generate(spec);
  const Query one[] = {{3, 900}};
  for (const LandmarkMethod method : kMethods) {
    LandmarkOptions options;
    options.method = method;
    options.queries = one;
    options.potential_count = 6;
    auto columns = landmark_columns(graph, options).columns;
    std::sort(columns.begin(), columns.end());
    EXPECT_EQ(std::unique(columns.begin(), columns.end()), columns.end()) << to_string(method);
  }
}

TEST(Landmarks, SameSeedSameTable) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 1000;
  const Graph graph = generate(spec);
  for (const LandmarkMethod method : kMethods) {
    LandmarkOptions options;
    options.method = method;
    EXPECT_EQ(landmark_columns(graph, options).columns, landmark_columns(graph, options).columns);
  }
}

TEST(Landmarks, SayWhereTheyComeFrom) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 1);
  builder.add_edge(1, 2, 2);
  const Graph graph = builder.build();
  for (const LandmarkMethod method : kMethods) {
    LandmarkOptions options;
    options.method = method;
    options.seed = 77;
    const Potentials potentials = landmark_potentials(graph, options);
    EXPECT_EQ(potentials.origin().method, "alt-" + to_string(method));
    EXPECT_EQ(potentials.origin().version, kVersion);
    EXPECT_EQ(potentials.origin().commit, kCommit);
    EXPECT_EQ(potentials.origin().seed, 77u);
  }
  CutOptions options;
  options.seed = 78;
  EXPECT_EQ(cut_potentials(graph, options).origin().method, "cuts");
  EXPECT_EQ(cut_potentials(graph, options).origin().seed, 78u);
}

TEST(Landmarks, Names) {
  for (const LandmarkMethod method : kMethods) {
    EXPECT_EQ(parse_landmark_method(to_string(method)), method);
  }
  EXPECT_THROW(parse_landmark_method("best"), Error);
  EXPECT_THROW(landmark_potentials(Graph(), {}), Error);
}

}  // namespace
}  // namespace lodestar::landmarks_test
