// What the three promises of a learned heuristic are worth. The models are random, so their
// potentials are wrong in every way; the promises must hold all the same.
#include "lodestar/learned.h"

#include <gtest/gtest.h>

#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/landmarks.h"
#include "oracle.h"
#include "random_model.h"

namespace lodestar::learned_test {
namespace {

Model any_model(std::uint64_t seed) {
  Rng rng(seed);
  ModelConfig config;
  config.hidden = config.message = 4 + rng.below(20);
  config.steps = 1 + rng.below(4);
  config.predecessor = false;
  config.features.pos = rng.chance(0.5);
  config.features.hints = rng.chance(0.5);
  config.features.degree_normalisation = rng.chance(0.5);
  config.features.direction =
      rng.chance(0.5) ? MessageDirection::kAlong : MessageDirection::kAgainst;
  config.y_scale = rng.uniform(-3, 3);
  return random_model(config, seed);
}

// One searcher per promise, on one graph.
struct Promises {
  Promises(const Graph& graph, const Model& model, double epsilon)
      : bound(epsilon),
        net(model, graph),
        free(graph, net, {}),
        exact(graph, net, {.promise = Promise::kExact}),
        bounded(graph, net, {.promise = Promise::kBound, .bound = epsilon}) {}

  // `distance` is the oracle's; `slack` what its arithmetic may differ by, relatively.
  void check(const Graph& graph, Query query, Cost distance, double slack = 0) {
    const SearchResult any = free.run(query);
    const SearchResult best = exact.run(query);
    const SearchResult within = bounded.run(query);
    EXPECT_EQ(any.reached(), distance < kInfinity);
    EXPECT_LE(any.lower_bound, distance * (1 + slack));
    EXPECT_GE(any.cost, distance * (1 - slack));
    EXPECT_EQ(best.cost, distance);
    EXPECT_EQ(best.lower_bound, best.cost);
    EXPECT_LE(within.cost, (1 + bound) * distance * (1 + slack));
    EXPECT_GE(within.cost, distance * (1 - slack));
    EXPECT_LE(within.lower_bound, distance * (1 + slack));
    EXPECT_LE(within.cost, (1 + bound) * within.lower_bound * (1 + 1e-12));
    if (distance == kInfinity) return;
    for (const auto& [searcher, found] :
         {std::pair{&free, any}, std::pair{&exact, best}, std::pair{&bounded, within}}) {
      const auto path = searcher->path();
      ASSERT_FALSE(path.empty());
      EXPECT_EQ(path.front(), query.source);
      EXPECT_EQ(path.back(), query.target);
      EXPECT_EQ(path_cost(graph, path), found.cost);
    }
  }

  double bound;
  PotentialNet net;
  LearnedSearcher free, exact, bounded;
};

TEST(Learned, PromisesHoldOnNastyGraphs) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const testing::PlainGraph plain = testing::nasty_graph(seed);
    SCOPED_TRACE(plain.name);
    const Graph graph = plain.graph();
    Promises promises(graph, any_model(seed), 0.25 * static_cast<double>(seed % 3));
    Rng rng(seed);
    for (int i = 0; i < 4; ++i) {
      const Query query{rng.below(plain.nodes), rng.below(plain.nodes)};
      const double distance = testing::bellman_ford(plain, query.source)[query.target];
      promises.check(graph, query, distance);
    }
  }
}

TEST(Learned, PromisesHoldOnThePapersGraphs) {
  for (const Density density : {Density::kSparse, Density::kDense, Density::kVeryDense}) {
    for (const Draw draw : {Draw::kOr, Draw::kDirected}) {
      for (const NodeId nodes : {16u, 64u, 160u}) {
        GraphSpec spec;
        spec.nodes = nodes;
        spec.density = density;
        spec.draw = draw;
        spec.seed = nodes;
        const Graph graph = generate(spec);
        Promises promises(graph, any_model(nodes + 5), 0.05);
        Searcher dijkstra(graph);
        Rng rng(nodes);
        for (int i = 0; i < 20; ++i) {
          const Query query{rng.below(nodes), rng.below(nodes)};
          promises.check(graph, query, dijkstra.run(query, Zero{}).cost, 1e-12);
        }
      }
    }
  }
}

// Diagonals of √2: no sum is exact, and the exact mode still equals Dijkstra bit for bit.
TEST(Learned, ExactOnAGridToTheLastBit) {
  const Graph graph = generate({.family = Family::kGrid, .nodes = 900, .seed = 3});
  Promises promises(graph, any_model(8), 0.1);
  Searcher dijkstra(graph);
  Rng rng(1);
  for (int i = 0; i < 100; ++i) {
    const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
    promises.check(graph, query, dijkstra.run(query, Zero{}).cost, 1e-12);
  }
}

TEST(Learned, RealRoads) {
  const char* data = std::getenv("LODESTAR_DATA");
  if (data == nullptr) GTEST_SKIP() << "LODESTAR_DATA is not set";
  const Graph graph = read_graph(std::string(data) + "/roads/rome99.gr").graph;
  Promises promises(graph, any_model(2), 0.05);
  Searcher dijkstra(graph);
  Rng rng(2);
  for (int i = 0; i < 20; ++i) {
    const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
    promises.check(graph, query, dijkstra.run(query, Zero{}).cost);
  }
}

TEST(Learned, TimesComeInParts) {
  GraphSpec spec;
  spec.nodes = 64;
  const Graph graph = generate(spec);
  Model model = any_model(4);
  for (const std::uint32_t steps : {1u, 3u}) {
    const PotentialNet net(model, graph, {.steps = steps});
    for (const Promise promise : {Promise::kNothing, Promise::kExact, Promise::kBound}) {
      LearnedSearcher timed(graph, net, {.promise = promise, .times = true});
      LearnedSearcher untimed(graph, net, {.promise = promise});
      const SearchResult found = timed.run({1, 2}), plain = untimed.run({1, 2});
      EXPECT_EQ(found.cost, plain.cost);
      EXPECT_EQ(found.expansions, plain.expansions);
      // The lazy heuristic's share is estimated and cut off at the whole: a preempted sample may
      // leave nothing for the search.
      EXPECT_GE(found.search_seconds, 0);
      EXPECT_GT(found.search_seconds + found.heuristic_seconds, 0);
      EXPECT_GT(found.heuristic_seconds, 0);
      EXPECT_EQ(found.closure_seconds > 0, promise != Promise::kNothing);
      EXPECT_EQ(plain.search_seconds, 0);
    }
  }
}

// Potentials beside the model: the cost is the same, and an observer sees every expansion.
TEST(Learned, ObserversAndPotentials) {
  GraphSpec spec;
  spec.nodes = 64;
  spec.seed = 4;
  const Graph graph = generate(spec);
  Searcher dijkstra(graph);
  LandmarkOptions two;
  two.potential_count = 2;
  const Potentials potentials = landmark_potentials(graph, two);
  for (const std::uint32_t steps : {1u, 3u}) {
    const PotentialNet net(any_model(4), graph, {.steps = steps});
    for (const Promise promise : {Promise::kNothing, Promise::kExact, Promise::kBound}) {
      for (const Potentials* beside : {static_cast<const Potentials*>(nullptr), &potentials}) {
        LearnedOptions options{.promise = promise, .bound = 0.1};
        options.potentials = beside;
        LearnedSearcher searcher(graph, net, options);
        std::uint64_t settled = 0;
        const SearchResult found = searcher.run({1, 2}, [&](NodeId, Cost, NodeId) { ++settled; });
        EXPECT_EQ(settled, found.expansions);
        EXPECT_EQ(found.cost, searcher.run({1, 2}).cost);
        if (promise == Promise::kExact) {
          EXPECT_EQ(found.cost, dijkstra.run({1, 2}, Zero{}).cost);
        }
      }
    }
  }
  const PotentialNet net(any_model(4), graph);
  GraphSpec other;
  other.nodes = 9;
  const Potentials misfit = landmark_potentials(generate(other), two);
  LearnedOptions options{.promise = Promise::kExact};
  options.potentials = &misfit;
  EXPECT_THROW(LearnedSearcher(graph, net, options), Error);
  for (const double bad : {-1.0, kInfinity}) {
    EXPECT_THROW(LearnedSearcher(graph, net, {.promise = Promise::kBound, .bound = bad}), Error);
  }
}

// Without a promise the search is A* by the potentials of the net, whether it makes all or some.
TEST(Learned, SearchesByThePotentialsOfTheNet) {
  const Graph graph = generate({.family = Family::kGrid, .nodes = 400, .seed = 5});
  Rng rng(6);
  for (const std::uint32_t steps : {1u, 3u}) {
    const PotentialNet net(any_model(4), graph, {.steps = steps});
    PotentialNet::Workspace work(net);
    std::vector<double> y(graph.node_count());
    LearnedSearcher searcher(graph, net);
    Searcher plain(graph);
    std::uint64_t sum = 0, blind = 0;
    for (int i = 0; i < 30; ++i) {
      const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
      net.potentials(query, work, y);
      const SearchResult expected = plain.run(query, PotentialHeuristic(y, query.target));
      const SearchResult found = searcher.run(query);
      EXPECT_EQ(found.cost, expected.cost);
      EXPECT_EQ(found.expansions, expected.expansions);
      sum += found.expansions;
      blind += plain.run(query, Zero{}).expansions;
    }
    EXPECT_NE(sum, blind);
  }
}

TEST(Learned, RefusesANetOfAnotherGraph) {
  GraphSpec small, large;
  small.nodes = 8;
  large.nodes = 9;
  const PotentialNet net(any_model(1), generate(small));
  EXPECT_THROW(LearnedSearcher(generate(large), net), Error);
}

}  // namespace
}  // namespace lodestar::learned_test
