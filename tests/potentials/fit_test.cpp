#include "lodestar/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

#include "error_of.h"
#include "lodestar/bidirectional.h"
#include "lodestar/detail/clock.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/search.h"
#include "oracle.h"
#include "road.h"

namespace lodestar::fit_test {
namespace {

using testing::road;

FitOptions small(std::uint32_t potentials = 8) {
  FitOptions options;
  options.clock = process_seconds;  // other programs change nothing
  options.potential_count = potentials;
  options.pairs = 5000;
  options.queries = 60;
  options.held_back = 30;
  return options;
}

void expect_equal(const Potentials& a, const Potentials& b) {
  ASSERT_EQ(a.count(), b.count());
  for (std::uint32_t i = 0; i < a.count(); ++i) EXPECT_EQ(a.column(i), b.column(i));
}

TEST(Fit, EachRoundStaysFeasibleAndHelps) {
  const Graph graph = road(6000);
  FitOptions options = small(16);
  options.pairs = 40'000;
  options.queries = 200;
  options.start = FitStart::kLandmarks;
  Fitter fitter(graph, options);
  const double before = fitter.expansions();
  for (int i = 0; i < 6; ++i) {
    const FitRound round = fitter.round();
    EXPECT_EQ(fitter.potentials().verify(graph).violated_arcs, 0u);
    EXPECT_GT(round.objective, 0);
  }
  EXPECT_LT(1.5 * fitter.expansions(), before);
  const Potentials narrow = fitter.potentials().in_16_bits(graph);
  EXPECT_TRUE(narrow.verify(graph).feasible());
}

// On a lattice cuts are far ahead of landmarks before any training, so that they win the race.
TEST(Fit, TheRaceKeepsTheBetterStart) {
  const Graph graph = road(6000);
  FitOptions options = small(16);
  options.pairs = 40'000;
  options.queries = 200;
  const auto at_the_start = [&](FitStart start) {
    options.start = start;
    return Fitter(graph, options).expansions();
  };
  const double landmarks = at_the_start(FitStart::kLandmarks), cuts = at_the_start(FitStart::kCuts);
  EXPECT_LT(2 * cuts, landmarks);
  EXPECT_LE(at_the_start(FitStart::kRace), cuts);  // trained for two rounds, or far ahead
  EXPECT_LT(at_the_start(FitStart::kMix), landmarks);
  options.seconds = 1e-3;  // no time for a race
  EXPECT_EQ(at_the_start(FitStart::kRace), at_the_start(FitStart::kLandmarks));
}

// The clock runs faster than the program works, as it does on a busy machine: 15 seconds are worth
// so many times what the first landmarks take. Choosing a start must not use them up.
TEST(Fit, ABusyMachineLeavesTimeForARound) {
  const Graph graph = road(20'000);
  LandmarkOptions landmarks;
  landmarks.method = LandmarkMethod::kFarthest;
  const double before = process_seconds();
  landmark_potentials(graph, landmarks);
  const double unit = process_seconds() - before;
  for (const double times : {15.0, 25.0}) {
    FitOptions options;
    options.seconds = 15;
    const double pace = options.seconds / (times * unit);
    options.clock = [pace] { return pace * process_seconds(); };
    const double begin = process_seconds();
    const FitResult fitted = fit(graph, options);
    const double worth = times * unit, spent = process_seconds() - begin;
    EXPECT_GE(fitted.rounds, 1u) << times;
    EXPECT_LT(fitted.expansions, fitted.expansions_before) << times;
    EXPECT_LT(spent, std::max(1.1 * worth, worth + 0.3)) << times;
  }
}

TEST(Fit, NamesOfStarts) {
  for (const auto start : {FitStart::kRace, FitStart::kLandmarks, FitStart::kFarthest,
                           FitStart::kAvoid, FitStart::kGreedy, FitStart::kCuts, FitStart::kMix}) {
    EXPECT_EQ(parse_fit_start(to_string(start)), start);
  }
  EXPECT_THROW(parse_fit_start("best"), Error);
}

// Feasible and exact whatever the graph: zero weights, ties, parallel arcs, islands, one way.
TEST(Fit, NastyGraphs) {
  std::size_t fitted = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto plain = testing::nasty_graph(seed);
    const Graph graph = plain.graph();
    FitOptions options = small(1 + static_cast<std::uint32_t>(seed % 7));
    options.pairs = 300;
    options.queries = 20;
    options.seed = seed;
    options.kind = seed % 3 == 0 ? QueryKind::kRank : QueryKind::kUniform;
    options.start = static_cast<FitStart>(seed % 7);
    std::optional<Fitter> fitter;
    try {
      fitter.emplace(graph, options);
    } catch (const Error&) {  // no two nodes are connected
      continue;
    }
    ++fitted;
    for (int i = 0; i < 3; ++i) fitter->round();
    const Potentials potentials = fitter->potentials();
    ASSERT_EQ(potentials.verify(graph).violated_arcs, 0u) << plain.name;
    Searcher searcher(graph);
    for (NodeId s = 0; s < graph.node_count(); s += 2) {
      const auto expected = testing::bellman_ford(plain, s);
      for (NodeId t = 0; t < graph.node_count(); ++t) {
        ASSERT_EQ(searcher.run({s, t}, potentials.to(t)).cost, expected[t]) << plain.name;
      }
    }
  }
  EXPECT_GT(fitted, 100u);
}

TEST(Fit, RealWeightsStayFeasible) {
  GraphSpec spec;
  spec.family = Family::kGeometric;
  spec.nodes = 800;
  const Graph graph = generate(spec);
  Fitter fitter(graph, small());
  for (int i = 0; i < 3; ++i) fitter.round();
  const Potentials potentials = fitter.potentials();
  EXPECT_TRUE(potentials.verify(graph).feasible());
  Searcher searcher(graph);
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
    EXPECT_EQ(searcher.run(query, potentials.to(query.target)).cost,
              searcher.run(query, Zero{}).cost);
  }
}

TEST(Fit, SameRunTwiceAndAnyNumberOfThreads) {
  const Graph graph = road(2000);
  FitOptions options = small();
  Fitter one(graph, options), again(graph, options);
  options.threads = 3;
  Fitter threaded(graph, options);
  for (int i = 0; i < 4; ++i) {
    one.round();
    again.round();
    threaded.round();
  }
  expect_equal(one.potentials(), again.potentials());
  expect_equal(one.potentials(), threaded.potentials());
  EXPECT_EQ(one.expansions(), threaded.expansions());
}

TEST(Fit, QueryLog) {
  const Graph graph = road(2000);
  FitOptions options = small();
  options.kind = QueryKind::kLog;
  EXPECT_THROW(Fitter(graph, options), Error);  // no log
  options.log = {{5, 5}};
  EXPECT_THROW(Fitter(graph, options), Error);  // nothing but loops
  const NodeId n = graph.node_count();
  for (const Query& query : {Query{0, n}, Query{n, 0}, Query{n, n}}) {
    options.log = {query};
    EXPECT_EQ(testing::error_of([&] { Fitter(graph, options); }),
              "the query log contains a node that is not in the graph");
  }
  options.log.clear();
  for (NodeId s = 0; s < 200; ++s) options.log.push_back({s, 1900 - s});
  Fitter fitter(graph, options);
  const double before = fitter.expansions();
  for (int i = 0; i < 4; ++i) fitter.round();
  EXPECT_LT(fitter.expansions(), before);
}

// Rounds may do harm, most of all when they are cut short; what is handed out never gets worse.
TEST(Fit, KeepsTheBestTable) {
  const Graph graph = road(3000);
  Fitter fitter(graph, small());
  double fewest = fitter.expansions();
  for (int i = 0; i < 20; ++i) {
    fewest = std::min(fewest, fitter.round([&] { return i % 2 == 1; }).expansions);
    EXPECT_EQ(fitter.expansions(), fewest);
  }
  EXPECT_EQ(Fitter(graph, fitter.potentials(), small()).expansions(), fewest);
}

TEST(Fit, GoesOnFromATable) {
  const Graph graph = road(3000);
  Fitter first(graph, small());
  for (int i = 0; i < 3; ++i) first.round();
  Fitter second(graph, first.potentials(), small());
  EXPECT_EQ(second.expansions(), first.expansions());
  second.round();
  EXPECT_TRUE(second.potentials().verify(graph).feasible());
  EXPECT_THROW(Fitter(graph, first.potentials().in_16_bits(graph), small()), Error);
  EXPECT_THROW(Fitter(road(3000, 2), first.potentials(), small()), Error);
}

// Wrong answers over many queries: as fitted, weights raised, weights lowered and repaired, on
// road-like and on random directed graphs; with 32 and 16 bits, and from both ends.
// LODESTAR_FIT_QUERIES sets how many (10,000 for a release); Dijkstra is the judge, itself judged
// by Bellman-Ford elsewhere.
TEST(Fit, ManyQueries) {
  const char* wanted = std::getenv("LODESTAR_FIT_QUERIES");
  const long queries = wanted != nullptr ? std::atol(wanted) : 1200;
  std::size_t asked = 0, wrong = 0, violated = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Rng rng(seed);
    GraphBuilder random(1500);
    for (int i = 0; i < 6000; ++i) random.add_arc(rng.below(1500), rng.below(1500), rng.below(100));
    const Graph graph = seed % 2 == 0 ? road(2500, seed) : random.build();
    FitOptions options = small();
    options.seed = seed;
    Fitter fitter(graph, options);
    for (int i = 0; i < 3; ++i) fitter.round();
    const Potentials fitted = fitter.potentials();
    for (const int change : {0, 1, -1}) {
      GraphBuilder builder(graph.node_count());
      for (NodeId u = 0; u < graph.node_count(); ++u) {
        for (const Arc arc : graph.arcs(u)) {
          const bool hit = change != 0 && rng.below(20) == 0;
          const double factor = change > 0 ? 3 : 0.25;
          builder.add_arc(u, arc.head, hit ? std::floor(factor * arc.weight) : arc.weight);
        }
      }
      const Graph now = builder.build();
      Potentials potentials = fitted;
      potentials.require_fit(now);
      if (change < 0) potentials.repair(now);
      const Potentials narrow = potentials.in_16_bits(now);
      violated += potentials.verify(now).violated_arcs + narrow.verify(now).violated_arcs;
      Searcher searcher(now);
      BidirectionalSearcher both(now);
      for (long i = 0; i < queries / 18 + 1; ++i) {
        const Query query{rng.below(now.node_count()), rng.below(now.node_count())};
        const Cost expected = searcher.run(query, Zero{}).cost;
        const NodeId t = query.target;
        wrong += searcher.run(query, potentials.to(t)).cost != expected ||
                 searcher.run(query, narrow.to(t)).cost != expected ||
                 both.run(query, potentials.to(t), potentials.from(query.source)).cost != expected;
        ++asked;
      }
    }
  }
  std::printf("%zu queries, %zu wrong answers, %zu violated arcs\n", asked, wrong, violated);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(violated, 0u);
}

// fit() runs the same rounds as by hand, with and without hooks.
TEST(Fit, WholeTrainingInOneCall) {
  const Graph graph = road(2000);
  FitOptions options = small();
  options.rounds = 4;
  Fitter fitter(graph, options);
  const double before = fitter.expansions();
  while (fitter.rounds() < 4) fitter.round();
  Fitter moved = std::move(fitter);
  fitter = std::move(moved);
  for (const std::uint32_t threads : {1u, 3u}) {
    options.threads = threads;
    const auto caller = std::this_thread::get_id();
    std::size_t reports = 0, asked = 0;
    FitHooks hooks;
    hooks.progress = [&](const FitProgress& state) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(state.round == nullptr, reports == 0);
      EXPECT_EQ(state.expansions_before, before);
      EXPECT_TRUE(state.fitter.potentials().verify(graph).feasible());
      ++reports;
    };
    hooks.stop = [&] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      ++asked;
      return false;
    };
    const FitResult fitted = fit(graph, options, hooks);
    // Before each round, and within it while this thread works or waits: it may do neither when
    // others are fast.
    EXPECT_GT(asked, threads == 1 ? 4u : 3u);
    EXPECT_EQ(fitted.rounds, fitter.rounds());
    EXPECT_EQ(fitted.expansions_before, before);
    EXPECT_EQ(fitted.expansions, fitter.expansions());
    EXPECT_FALSE(fitted.stopped);
    expect_equal(fitted.potentials, fitter.potentials());
  }
}

TEST(Fit, StoppedReturnsTheBestSoFar) {
  const Graph graph = road(2000);
  FitOptions options = small();
  options.rounds = 1'000'000;
  for (const std::uint32_t threads : {1u, 3u}) {
    options.threads = threads;
    std::uint64_t rounds = 0;
    FitHooks hooks;
    hooks.progress = [&](const FitProgress& state) { rounds = state.fitter.rounds(); };
    hooks.stop = [&] { return rounds >= 3; };
    const FitResult fitted = fit(graph, options, hooks);
    EXPECT_TRUE(fitted.stopped);
    EXPECT_GE(fitted.rounds, 3u);
    EXPECT_LE(fitted.expansions, fitted.expansions_before);
    EXPECT_TRUE(fitted.potentials.verify(graph).feasible());
    const FitResult more = fit(graph, fitted.potentials, options, {.stop = [] { return true; }});
    EXPECT_EQ(more.expansions, fitted.expansions);
  }
  options.rounds = 0;
  options.seconds = std::nan("");
  EXPECT_THROW(fit(graph, options), Error);
}

// What a hook throws reaches the caller, in the middle of a round and on several threads, too; the
// fitter continues from the round before.
TEST(Fit, ThrowingHooks) {
  const Graph graph = road(2000);
  struct Oops {};
  for (const std::uint32_t threads : {1u, 4u}) {
    FitOptions options = small();
    options.threads = threads;
    options.rounds = 5;
    EXPECT_THROW(fit(graph, options, {.progress = [](const FitProgress&) { throw Oops{}; }}), Oops);
    int asked = 0;
    const auto angry = [&]() -> bool {
      if (++asked > 5) throw Oops{};
      return false;
    };
    EXPECT_THROW(fit(graph, options, {.stop = angry}), Oops);
    asked = threads == 1 ? 0 : 5;  // how often a thread beside others is asked is not known
    Fitter fitter(graph, options);
    const double before = fitter.expansions();
    EXPECT_THROW(fitter.round(angry), Oops);
    EXPECT_EQ(fitter.expansions(), before);
    fitter.round();
    EXPECT_TRUE(fitter.potentials().verify(graph).feasible());
  }
}

}  // namespace
}  // namespace lodestar::fit_test
