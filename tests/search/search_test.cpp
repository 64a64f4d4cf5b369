#include "lodestar/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "hand_drawn.h"
#include "lodestar/bidirectional.h"
#include "lodestar/focal.h"
#include "lodestar/generate.h"
#include "oracle.h"
#include "watchdog.h"

namespace lodestar::search_test {
namespace {

using testing::bellman_ford;
using testing::nasty_graph;
using testing::PlainGraph;
using testing::text_of;
using testing::Watchdog;

TEST(Search, HandDrawnGraph) {
  const Graph graph = testing::hand_drawn(4, {{0, 1, 1}, {1, 2, 1}, {0, 2, 3}});
  Searcher searcher(graph);
  const SearchResult found = searcher.run({0, 2}, Zero{});
  EXPECT_EQ(found.cost, 2);
  EXPECT_TRUE(found.optimal());
  EXPECT_EQ(found.expansions, 3u);
  EXPECT_EQ(searcher.path(), (std::vector<NodeId>{0, 1, 2}));
  const SearchResult none = searcher.run({0, 3}, [](NodeId) { return 0.0; });
  EXPECT_FALSE(none.reached());
  EXPECT_TRUE(none.optimal());
  EXPECT_TRUE(searcher.path().empty());
}

TEST(Search, BackwardSearchFollowsArcsFromTheirHeads) {
  GraphBuilder builder(3);
  builder.add_arc(0, 1, 1);
  builder.add_arc(1, 2, 5);
  Searcher searcher(builder.build());
  searcher.set_direction(Direction::kBackward);
  EXPECT_EQ(searcher.run({2, 0}, Zero{}).cost, 6);
  EXPECT_EQ(searcher.path(), (std::vector<NodeId>{0, 1, 2}));
}

TEST(Search, CapEndsARunAndTheBoundStaysTrue) {
  PlainGraph plain{"chain", 50, {}};
  for (std::uint32_t v = 0; v + 1 < 50; ++v) plain.arcs.push_back({v, v + 1, 1});
  Searcher searcher(plain.graph());
  const SearchResult found = searcher.run({0, 49}, Zero{}, {.max_expansions = 10});
  EXPECT_TRUE(found.capped);
  EXPECT_FALSE(found.reached());
  EXPECT_EQ(found.expansions, 10u);
  EXPECT_EQ(found.lower_bound, 10);
}

// Every answer a search gives must pass these, whatever the heuristic.
template <class S>
void check_answer(const std::string& what, const SearchResult& found, const S& searcher,
                  Query query, double truth, double factor) {
  SCOPED_TRACE(what);
  const std::vector<NodeId> path = searcher.path();
  ASSERT_FALSE(found.capped);
  EXPECT_LE(found.lower_bound, truth);
  if (truth == kInfinity) {
    EXPECT_FALSE(found.reached());
    EXPECT_TRUE(found.optimal());
    EXPECT_TRUE(path.empty());
    return;
  }
  ASSERT_TRUE(found.reached());
  EXPECT_GE(found.cost, truth);
  if (factor == 1) {
    EXPECT_EQ(found.cost, truth);
    EXPECT_TRUE(found.optimal());
  } else if (factor < kInfinity) {
    EXPECT_LE(found.cost, truth * factor * (1 + 1e-12));
  }
  ASSERT_FALSE(path.empty());
  EXPECT_EQ(path.front(), query.source);
  EXPECT_EQ(path.back(), query.target);
  EXPECT_EQ(path_cost(searcher.graph(), path), found.cost);
}

// Feasible potentials that are not trivial: distances from a random node, and to one.
std::vector<double> landmark_potential(const PlainGraph& plain, std::uint32_t landmark) {
  std::vector<double> y = bellman_ford(plain, landmark);
  // Unreached nodes get a value beyond all others: raising heads of no arc keeps it feasible
  // only if nothing leads from reached to unreached, which holds by definition.
  double largest = 0;
  for (const double value : y) {
    if (value < kInfinity) largest = std::max(largest, value);
  }
  for (double& value : y) {
    if (value == kInfinity) value = largest;
  }
  return y;
}

// The property the project rests on: a consistent heuristic changes the effort, never the answer.
TEST(Search, EveryExactAlgorithmAgreesWithTheOracle) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    const Graph graph = plain.graph();
    const Graph sorted = graph.ordered(ArcOrder::kByWeight);
    Rng rng(seed ^ 0xabcdef);
    Searcher searcher(graph);
    BidirectionalSearcher two_sided(graph), two_sided_sorted(sorted);
    FocalSearcher focal(graph);
    const std::vector<double> y = landmark_potential(plain, rng.below(plain.nodes));
    for (int repeat = 0; repeat < 4; ++repeat) {
      const Query query{rng.below(plain.nodes), rng.below(plain.nodes)};
      const double truth = bellman_ford(plain, query.source)[query.target];
      const PotentialHeuristic h(y, query.target, Guarantee::kConsistent);
      // y(v) - y(s) never exceeds the cost from s to v.
      struct FromSource {
        const std::vector<double>& y;
        NodeId source;
        Cost operator()(NodeId v) const { return y[v] - y[source]; }
        static Guarantee guarantee() { return Guarantee::kConsistent; }
      } from_source{y, query.source};
      SCOPED_TRACE(plain.name + " query " + std::to_string(query.source) + " " +
                   std::to_string(query.target));
      for (const Reopen reopen : {Reopen::kAlways, Reopen::kNever}) {
        const SearchOptions options{.reopen = reopen};
        const SearchResult dijkstra = searcher.run(query, Zero{}, options);
        EXPECT_EQ(dijkstra.reopened, 0u);
        check_answer("dijkstra", dijkstra, searcher, query, truth, 1);
        const SearchResult astar = searcher.run(query, h, options);
        EXPECT_EQ(astar.reopened, 0u);
        check_answer("astar", astar, searcher, query, truth, 1);
      }
      check_answer("textbook", two_sided.run(query, BidirectionalKeys::kTextbook), two_sided, query,
                   truth, 1);
      check_answer("look-ahead", two_sided.run(query), two_sided, query, truth, 1);
      check_answer("textbook sorted", two_sided_sorted.run(query, BidirectionalKeys::kTextbook),
                   two_sided_sorted, query, truth, 1);
      check_answer("look-ahead sorted", two_sided_sorted.run(query), two_sided_sorted, query, truth,
                   1);
      check_answer("bidirectional A*", two_sided.run(query, h, from_source), two_sided, query,
                   truth, 1);
      check_answer("bidirectional A* sorted", two_sided_sorted.run(query, h, from_source),
                   two_sided_sorted, query, truth, 1);
      check_answer("focal 0", focal.run(query, h, h, {.bound = 0}), focal, query, truth, 1);
    }
    if (HasFailure()) return;
  }
}

// Keys that differ by less than the queue keeps of them: two nodes with arcs left once gave way to
// each other for ever.
TEST(Search, WaitingNodesTakeTheirTurnsAndEnd) {
  PlainGraph hub{"hub", 37, {}};
  const auto add_edge = [&](std::uint32_t v, double weight) {
    hub.arcs.push_back({0, v, weight});
    hub.arcs.push_back({v, 0, weight});
  };
  for (std::uint32_t v = 1; v < 37; ++v) add_edge(v, v < 3 ? 0 : 0.1);
  Watchdog dog(std::chrono::seconds(60));
  dog.watch([&] { return text_of(hub); });
  BidirectionalSearcher searcher(hub.graph().ordered(ArcOrder::kByWeight));
  check_answer("hub", searcher.run({36, 35}), searcher, {36, 35}, 0.2, 1);
}

// Decimal weights, as people have them: sums are rounded and keys tie but for a last bit.
TEST(Search, WeightSortedArcsWithDecimalWeights) {
  Watchdog dog(std::chrono::seconds(60));
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    PlainGraph plain{"decimals, seed " + std::to_string(seed), 50 + rng.below(100), {}};
    const double decimals = std::pow(10.0, 1.0 + rng.below(3));
    for (std::uint32_t u = 0; u < plain.nodes; ++u) {
      for (std::uint32_t v = 0; v < plain.nodes; ++v) {
        if (u == v || !rng.chance(0.5)) continue;
        plain.arcs.push_back({u, v, std::round(rng.uniform(0, 1) * decimals) / decimals});
      }
    }
    dog.watch([&] { return text_of(plain); });
    const Graph graph = plain.graph().ordered(ArcOrder::kByWeight);
    BidirectionalSearcher searcher(graph);
    for (int repeat = 0; repeat < 4; ++repeat) {
      const NodeId source = rng.below(plain.nodes);
      const std::vector<double> truth = bellman_ford(plain, source);
      for (NodeId target = 0; target < plain.nodes; ++target) {
        const SearchResult found = searcher.run({source, target});
        ASSERT_NEAR(found.cost, truth[target], 1e-12) << text_of(plain) << source << " " << target;
        ASSERT_NEAR(path_cost(graph, searcher.path()), truth[target], 1e-12);
        ASSERT_TRUE(found.optimal());
      }
    }
  }
}

TEST(Search, InadmissibleHeuristicsKeepTheirBoundsTrue) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    const Graph graph = plain.graph();
    Rng rng(seed ^ 0x123456);
    Searcher searcher(graph);
    BidirectionalSearcher two_sided(graph);
    FocalSearcher focal(graph);
    const std::vector<double> y = landmark_potential(plain, rng.below(plain.nodes));
    const double amplitude = rng.chance(0.5) ? 100 : 3000;
    std::vector<double> noise(plain.nodes);
    for (double& value : noise) value = std::floor(rng.uniform(0, amplitude));
    const Query query{rng.below(plain.nodes), rng.below(plain.nodes)};
    const double truth = bellman_ford(plain, query.source)[query.target];
    SCOPED_TRACE(plain.name);
    const PotentialHeuristic feasible(y, query.target, Guarantee::kConsistent);
    const PotentialHeuristic wild(noise, query.target);
    const double anything = kInfinity;  // only the lower bound is promised

    for (const Reopen reopen : {Reopen::kAlways, Reopen::kNever}) {
      SearchOptions options{.reopen = reopen};
      check_answer("wild", searcher.run(query, wild, options), searcher, query, truth, anything);
      check_answer("wild, proven by potential",
                   searcher.run(query, wild, options, NoObserver{}, feasible), searcher, query,
                   truth, anything);
      options.greedy = true;
      check_answer("greedy", searcher.run(query, feasible, options), searcher, query, truth,
                   anything);
      options.greedy = false;
      options.weight = 1.5;
      check_answer("weighted", searcher.run(query, feasible, options), searcher, query, truth,
                   reopen == Reopen::kAlways ? 1.5 : anything);
      check_answer("constant", searcher.run(query, Constant{query.target, 50}, options), searcher,
                   query, truth, anything);
    }
    // A run that is cut short still returns a valid path and a valid bound.
    const SearchResult cut = searcher.run(query, wild, {.max_expansions = 1 + rng.below(60)});
    EXPECT_LE(cut.lower_bound, truth);
    if (cut.reached()) {
      EXPECT_EQ(path_cost(graph, searcher.path()), cut.cost);
    }
    for (const double bound : {0.0, 0.05, 0.5}) {
      check_answer("focal", focal.run(query, wild, feasible, {.bound = bound}), focal, query, truth,
                   1 + bound);
      check_answer("focal greedy", focal.run(query, wild, Zero{}, {.bound = bound, .greedy = true}),
                   focal, query, truth, 1 + bound);
      check_answer("bidirectional bounded",
                   two_sided.run(query, BidirectionalKeys::kLookAhead, bound), two_sided, query,
                   truth, 1 + bound);
    }
    if (HasFailure()) return;
  }
}

TEST(Search, AdmissibleButInconsistentIsOptimalWithReopening) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    const Graph graph = plain.graph();
    Rng rng(seed);
    const Query query{rng.below(plain.nodes), rng.below(plain.nodes)};
    PlainGraph reversed = plain;
    for (auto& arc : reversed.arcs) std::swap(arc.tail, arc.head);
    const std::vector<double> to_target = bellman_ford(reversed, query.target);
    struct Patchy {  // exact here, 0 there
      const std::vector<double>& exact;
      std::uint64_t seed;
      Cost operator()(NodeId v) const {
        return exact[v] < kInfinity && mix64(seed ^ v) % 2 == 0 ? exact[v] : 0;
      }
      static Guarantee guarantee() { return Guarantee::kAdmissible; }
    } h{to_target, seed};
    Searcher searcher(graph);
    SCOPED_TRACE(plain.name);
    check_answer("patchy", searcher.run(query, h), searcher, query, to_target[query.source], 1);
    Searcher sorted(graph.ordered(ArcOrder::kByWeight));
    check_answer("patchy, by weight", sorted.run(query, h), sorted, query, to_target[query.source],
                 1);
    const SearchResult once = searcher.run(query, h, {.reopen = Reopen::kNever});
    check_answer("patchy, once", once, searcher, query, to_target[query.source], kInfinity);
    if (HasFailure()) return;
  }
}

TEST(Search, BidirectionalAStarRefusesHeuristicsThatPromiseNothing) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 1);
  BidirectionalSearcher searcher(builder.build());
  const auto plain = [](NodeId) { return 0.0; };
  EXPECT_THROW(searcher.run({0, 1}, plain, plain), Error);
  EXPECT_EQ(searcher.run({0, 1}, Zero{}, Zero{}).cost, 1);
}

TEST(Search, TiesGoTowardsLargerG) {
  // Two ways of equal f; the one with larger g is nearer the target and must be taken first.
  GraphBuilder builder(5);
  builder.add_arc(0, 1, 2);
  builder.add_arc(0, 2, 1);
  builder.add_arc(1, 3, 1);
  builder.add_arc(2, 4, 1);
  builder.add_arc(4, 3, 1);
  Searcher searcher(builder.build());
  const double exact[] = {3, 1, 2, 0, 1};
  struct Settled {
    std::vector<NodeId> order;
    void on_settle(NodeId v, Cost, NodeId) { order.push_back(v); }
  } settled;
  const SearchResult found = searcher.run(
      {0, 3}, [&](NodeId v) { return exact[v]; }, {}, settled);
  EXPECT_EQ(found.cost, 3);
  EXPECT_EQ(settled.order, (std::vector<NodeId>{0, 1, 3}));
}

TEST(Search, RandomQueriesHaveAPathAndTwoEnds) {
  Rng rng(7);
  // Two of the twenty pairs of nodes have a path.
  const Graph graph = testing::hand_drawn(5, {{0, 1, 1}, {3, 3, 1}, {4, 2, 1}});
  Searcher searcher(graph);
  std::set<std::pair<NodeId, NodeId>> seen;
  for (int i = 0; i < 100; ++i) {
    const Query query = random_reachable_query(searcher, rng);
    seen.emplace(query.source, query.target);
  }
  EXPECT_EQ(seen, (std::set<std::pair<NodeId, NodeId>>{{0, 1}, {4, 2}}));
  Searcher two(testing::hand_drawn(2, {{1, 0, 1}}));
  EXPECT_EQ(random_reachable_query(two, rng).source, 1u);
  for (const NodeId nodes : {0u, 1u, 3u}) {
    Searcher none(testing::hand_drawn(nodes, {}));
    EXPECT_THROW(random_reachable_query(none, rng), Error) << nodes;
  }
}

}  // namespace
}  // namespace lodestar::search_test
