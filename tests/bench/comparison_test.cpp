// Comparison finds wrong answers, every method of the list is right, and a prepared method may be
// moved and outlives its workshop.
#include "bench/harness/comparison.h"

#include <gtest/gtest.h>

#include <set>

#include "bench/harness/curves.h"
#include "bench/harness/queries.h"
#include "bench/harness/turns.h"
#include "lodestar/generate.h"
#include "road.h"

namespace lodestar::bench::comparison_test {
namespace {

using testing::road;

WorkshopOptions short_training() {
  WorkshopOptions options;
  options.fit.potential_count = 4;
  options.time.rounds = 1;
  return options;
}

TEST(Comparison, EveryMethodOfTheListIsRight) {
  const Graph graph = road(1500);
  Comparison comparison(graph, reachable_pairs(graph, 40, Rng(5)));
  std::set<std::string> ids;
  {
    Workshop workshop(graph, short_training());
    for (const Method& method : all_methods()) {
      EXPECT_TRUE(ids.insert(method.id).second) << "twice: " << method.id;
      auto ready = prepare_timed(method, workshop);
      ASSERT_TRUE(ready) << method.id;
      EXPECT_GE(*ready->preparation_seconds, 0);
      comparison.add(method, std::move(*ready));
    }
  }  // the workshop is gone, the methods stay
  for (const bool fresh : {false, true}) {
    comparison.measure({.passes = 2, .fresh = fresh, .seed = 9, .paths = true});
    ASSERT_EQ(comparison.results().size(), ids.size());
    for (const MethodResult& result : comparison.results()) {
      EXPECT_EQ(result.wrong, 0u) << result.id;
      EXPECT_EQ(result.expansions > 0, result.id != "labels") << result.id;  // these look up
      EXPECT_GT(result.seconds, 0) << result.id;
    }
  }
  EXPECT_LT(comparison.find("learned")->expansions, comparison.find("dijkstra")->expansions);
  EXPECT_EQ(comparison.find("unknown"), nullptr);
  EXPECT_EQ(comparison.best_of({"unknown", "dijkstra", "bidirectional"})->id, "bidirectional");
}

TEST(Comparison, CatchesWrongCostsAndPaths) {
  const Graph graph = road(500);
  const std::vector<Query> queries = reachable_pairs(graph, 30, Rng(1));
  Workshop workshop(graph, short_training());
  const auto searcher = workshop.searcher();
  const auto honest = [searcher](Query query) { return searcher->run(query, Zero{}); };
  const auto dear = [honest](Query query) {
    SearchResult found = honest(query);
    found.cost *= 1.02;
    return found;
  };
  const auto path = [searcher] { return searcher->path(); };
  Comparison comparison(graph, queries);
  comparison.add({.id = "honest", .name = ""}, {.run = honest, .path = path});
  comparison.add({.id = "dear", .name = ""}, {.run = dear, .path = path});
  comparison.add({.id = "within 5 %", .name = "", .within = 0.05}, {.run = dear, .path = path});
  comparison.add({.id = "within 1 %", .name = "", .within = 0.01}, {.run = dear, .path = path});
  comparison.add({.id = "cut", .name = ""}, {.run = honest, .path = [searcher] {
                                               auto nodes = searcher->path();
                                               nodes.pop_back();
                                               return nodes;
                                             }});
  comparison.measure({.passes = 1});
  const auto wrong = [&](const char* id) { return comparison.find(id)->wrong; };
  EXPECT_EQ(wrong("honest"), 0u);
  EXPECT_EQ(wrong("dear"), queries.size());
  EXPECT_EQ(wrong("within 5 %"), 0u);
  EXPECT_EQ(wrong("within 1 %"), queries.size());
  EXPECT_EQ(wrong("cut"), 0u);
  comparison.measure({.passes = 1, .paths = true});
  EXPECT_EQ(wrong("honest"), 0u);
  EXPECT_EQ(wrong("cut"), queries.size());
  EXPECT_EQ(wrong("within 5 %"), queries.size());  // what it says is not what its path costs

  comparison.add({.id = "mute", .name = ""}, {.run = honest, .path = {}});
  EXPECT_THROW(comparison.measure({.paths = true}), Error);
}

TEST(Comparison, MethodsAreChosenByIdInTheOrderOfTheList) {
  const auto chosen = choose_methods(std::vector<std::string>{"learned", "dijkstra"});
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0]->id, "dijkstra");
  EXPECT_LT(choose_methods(Selection::kQuick).size(), choose_methods(Selection::kUsual).size());
  try {
    choose_methods(std::vector<std::string>{"learnt"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("alt-farthest"), std::string::npos);
  }
}

TEST(Curves, HaveAPointForEverySizeAndRank) {
  const Graph graph = road(1500);
  const auto queries = reachable_pairs(graph, 10, Rng(2));
  const std::vector<Curve> memory =
      curves_against_memory(graph, short_training(), queries, {16, 64}, {});
  EXPECT_EQ(memory.front().name, "ALT farthest");
  EXPECT_EQ(memory.back().name, "learned, 16 bits");
  for (const Curve& curve : memory) {
    EXPECT_EQ(curve.x, (std::vector<double>{16, 64})) << curve.name;
  }
  Workshop workshop(graph, short_training());
  const std::vector<Curve> ranks = curves_against_rank(workshop);
  EXPECT_EQ(ranks.back().name, "nodes on the path");
  EXPECT_EQ(ranks.front().x, (std::vector<double>{256, 512, 1024}));
  Workshop small(road(200), short_training());
  EXPECT_THROW(curves_against_rank(small), Error);
}

TEST(Queries, AreReachableOrOfTheRankAskedFor) {
  const Graph graph = road(800);
  Searcher searcher(graph);
  for (const Query& query : reachable_pairs(graph, 50, Rng(4))) {
    EXPECT_NE(query.source, query.target);
    EXPECT_TRUE(searcher.run(query, Zero{}).reached());
  }
  const std::vector<Query> near = rank_pairs(graph, 5, 20, Rng(4));
  ASSERT_EQ(near.size(), 20u);
  for (const Query& query : near) EXPECT_EQ(searcher.run(query, Zero{}).expansions, 32u);
  EXPECT_TRUE(rank_pairs(graph, 12, 20, Rng(4)).empty());
  EXPECT_EQ(any_pairs(graph, 7, Rng(4)).size(), 7u);
  EXPECT_THROW(any_pairs(Graph{}, 1, Rng(4)), Error);
  EXPECT_THROW(reachable_pairs(Graph{}, 1, Rng(4)), Error);
}

TEST(Turns, RotateAndWarmUp) {
  std::vector<std::size_t> order;
  const Times times = time_in_turns(3, {.turns = 2, .warm_up = true, .rotate = true},
                                    [&](std::size_t task, int) { order.push_back(task); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 1, 1, 2, 2, 0, 0}));
  ASSERT_EQ(times.size(), 3u);
  for (const auto& task : times) EXPECT_EQ(task.size(), 2u);
}

}  // namespace
}  // namespace lodestar::bench::comparison_test
