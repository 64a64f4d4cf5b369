#include "lodestar/focal.h"

#include <gtest/gtest.h>

#include "hand_drawn.h"

namespace lodestar::focal_test {
namespace {

struct Settled {
  std::vector<NodeId> order;
  std::vector<Cost> costs;
  void on_settle(NodeId v, Cost g, NodeId) {
    order.push_back(v);
    costs.push_back(g);
  }
};

// A cheap path 0 1 2 5 of 3 and a dear one 0 3 5 of 4 that the order prefers.
Graph two_paths() {
  return testing::hand_drawn(
      6, {{0, 1, 1}, {1, 2, 1}, {2, 5, 1}, {0, 3, 2}, {3, 5, 2}, {0, 4, 50}, {4, 5, 50}});
}
const auto kDear = [](NodeId v) { return v == 3 || v == 5 ? 0.0 : 10.0; };

TEST(Focal, TakesThePreferredPathWithinTheBound) {
  for (const ArcOrder order : {ArcOrder::kByHead, ArcOrder::kByWeight}) {
    FocalSearcher searcher(two_paths().ordered(order));
    struct Row {
      double bound;
      Cost cost;
      Cost lower_bound;
      std::uint64_t expansions;
      std::vector<NodeId> path;
    };
    const Row rows[] = {
        {0, 3, 3, 5, {0, 1, 2, 5}},    // all nodes below 3
        {0.3, 3, 3, 5, {0, 1, 2, 5}},  // 4 is not within 1.3 · 3
        {1, 4, 2, 4, {0, 3, 5}},       // proven once the bound is 2
        {9, 4, 1, 3, {0, 3, 5}},
    };
    for (const Row& row : rows) {
      Settled settled;
      const SearchResult found =
          searcher.run({0, 5}, kDear, Zero{}, {.bound = row.bound, .greedy = true}, settled);
      EXPECT_EQ(found.cost, row.cost) << row.bound;
      EXPECT_EQ(searcher.path(), row.path) << row.bound;
      EXPECT_LE(found.cost, (1 + row.bound) * found.lower_bound);
      EXPECT_LE(found.lower_bound, 3);
      EXPECT_EQ(found.expansions, settled.order.size());
      EXPECT_EQ(settled.order.front(), 0u);
      EXPECT_EQ(settled.order.back(), 5u);
      EXPECT_EQ(settled.costs.back(), row.cost);
      EXPECT_FALSE(found.capped);
    }
  }
}

TEST(Focal, CountsExactly) {
  const Graph line = testing::hand_drawn(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
  FocalSearcher searcher(line);
  const SearchResult found = searcher.run({0, 3}, Zero{}, Zero{}, {.bound = 0});
  EXPECT_EQ(found.expansions, 4u);
  EXPECT_EQ(found.pushes, 3u);       // the target is not pushed
  EXPECT_EQ(found.evaluations, 8u);  // two each
  EXPECT_EQ(found.cost, 3);
  EXPECT_EQ(found.lower_bound, 3);
  const SearchResult none = searcher.run({2, 2}, Zero{}, Zero{});
  EXPECT_EQ(none.expansions, 0u);
  EXPECT_EQ(none.cost, 0);
  EXPECT_EQ(none.lower_bound, 0);
  EXPECT_EQ(searcher.path(), std::vector<NodeId>{2});
  const SearchResult away = searcher.run({3, 0}, Zero{}, Zero{});
  EXPECT_FALSE(away.reached());
  EXPECT_EQ(away.lower_bound, kInfinity);
  EXPECT_EQ(away.expansions, 1u);
  EXPECT_TRUE(searcher.path().empty());
}

TEST(Focal, ACapEndsItAndTheBoundStaysTrue) {
  GraphBuilder builder(3000);
  for (NodeId v = 1; v < 3000; ++v) builder.add_arc(v - 1, v, 1);
  FocalSearcher searcher(builder.build());
  for (const std::uint64_t most : {0u, 1u, 1023u, 1024u, 1025u, 2500u, 2999u}) {
    const SearchResult found =
        searcher.run({0, 2999}, Zero{}, Zero{}, {.bound = 0, .max_expansions = most});
    EXPECT_EQ(found.capped, most < 2999) << most;
    EXPECT_EQ(found.reached(), most == 2999) << most;
    EXPECT_EQ(found.expansions, most == 2999 ? 3000u : most);
    EXPECT_EQ(found.lower_bound, most);
  }
}

// The weight of the order: 0 is 1 + 2 ε, others as given.
TEST(Focal, WeightOfTheOrder) {
  // Over 1: 3 + 0. Over 2: 1, and an order of 1 until the target.
  const Graph graph = testing::hand_drawn(4, {{0, 1, 3}, {1, 3, 3}, {0, 2, 1}, {2, 3, 4}});
  const double order[] = {0, 0, 1, 0};
  FocalSearcher searcher(graph);
  const auto first = [&](double weight) {
    Settled settled;
    searcher.run(
        {0, 3}, [&](NodeId v) { return order[v]; }, Zero{}, {.bound = 4, .weight = weight},
        settled);
    return settled.order[1];
  };
  EXPECT_EQ(first(1), 2u);  // 1 + 1 before 3
  EXPECT_EQ(first(3), 1u);  // 3 before 1 + 3
  EXPECT_EQ(first(0), 1u);  // as with 9
}

// A path that the order found is improved by reopening, and its cost is added up anew.
TEST(Focal, ReopensAndAddsUp) {
  // 1 is reached by 10 first and by 2 over 2 afterwards.
  const Graph graph =
      testing::hand_drawn(5, {{0, 1, 10}, {1, 3, 1}, {3, 4, 1}, {0, 2, 1}, {2, 1, 1}});
  const double order[] = {0, 0, 5, 5, 5};
  for (const double bound : {0.0, 1.0, 5.0, 100.0}) {
    FocalSearcher searcher(graph);
    const SearchResult found = searcher.run({0, 4}, [&](NodeId v) { return order[v]; }, Zero{},
                                            {.bound = bound, .greedy = true});
    EXPECT_EQ(path_cost(graph, searcher.path()), found.cost);
    EXPECT_LE(found.cost, (1 + bound) * 4);
    EXPECT_LE(found.lower_bound, 4);
    if (bound == 0) {
      EXPECT_EQ(found.cost, 4);
    }
  }
}

TEST(Focal, EveryArgumentIsChecked) {
  FocalSearcher searcher(two_paths());
  const auto promises_nothing = [](NodeId) { return 0.0; };
  EXPECT_THROW(searcher.run({0, 5}, Zero{}, promises_nothing), Error);
  for (const Query query : {Query{6, 5}, Query{0, 6}}) {
    EXPECT_THROW(searcher.run(query, Zero{}, Zero{}), Error);
  }
  const std::vector<double> five(5, 0.0), six(6, 0.0);
  const PotentialHeuristic small(five, 3, Guarantee::kConsistent);
  const PotentialHeuristic fits(six, 3, Guarantee::kConsistent);
  EXPECT_THROW(searcher.run({0, 5}, small, fits), Error);
  EXPECT_THROW(searcher.run({0, 5}, fits, small), Error);
  EXPECT_EQ(searcher.run({0, 5}, fits, fits, {.bound = 0}).cost, 3);
  EXPECT_EQ(searcher.graph().node_count(), 6u);
}

}  // namespace
}  // namespace lodestar::focal_test
