// What is asked of callers and of data: misuse is an Error, never a crash, a hang or a false claim.
#include "lodestar/detail/contract.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "lodestar/bidirectional.h"
#include "lodestar/certificate.h"
#include "lodestar/focal.h"
#include "lodestar/landmarks.h"
#include "lodestar/learned.h"
#include "lodestar/model.h"
#include "lodestar/search.h"
#include "oracle.h"
#include "watchdog.h"

namespace lodestar::contract_test {
namespace {

using testing::bellman_ford;
using testing::PlainGraph;
using testing::text_of;
using testing::Watchdog;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Graph chain(NodeId nodes, double weight = 1) {
  GraphBuilder builder(nodes);
  for (NodeId v = 0; v + 1 < nodes; ++v) builder.add_edge(v, v + 1, weight);
  return builder.build();
}

LandmarkOptions two_landmarks() {
  LandmarkOptions options;
  options.potential_count = 2;
  return options;
}

struct Declared {  // a constant with any claimed guarantee
  double value;
  Guarantee claim = Guarantee::kConsistent;
  Cost operator()(NodeId) const { return value; }
  Guarantee guarantee() const { return claim; }
};

TEST(Contract, WeightsOutsideTheirDomainAreRefused) {
  GraphBuilder builder(2);
  for (const double weight : {1e308, 1e290, 1e-290, 1e-301, 5e-324, -1.0, kInfinity, kNaN}) {
    EXPECT_THROW(builder.add_arc(0, 1, weight), Error) << weight;
    EXPECT_THROW(builder.add_edge(0, 1, weight), Error) << weight;
  }
  for (const double weight : {0.0, -0.0, kLeastWeight, 1e-200, 1e200, kLargestWeight}) {
    EXPECT_NO_THROW(builder.add_arc(0, 1, weight)) << weight;
  }
}

TEST(Contract, SumsWithinTheDomainNeverOverflow) {
  const Graph graph = chain(1000, kLargestWeight);
  Searcher searcher(graph);
  EXPECT_EQ(searcher.run({0, 999}, Zero{}).cost, 999 * kLargestWeight);
  BidirectionalSearcher both(graph);
  EXPECT_EQ(both.run({0, 999}).cost, 999 * kLargestWeight);
  FocalSearcher focal(graph);
  EXPECT_EQ(focal.run({0, 999}, Zero{}, Zero{}, {.bound = 0}).cost, 999 * kLargestWeight);
}

TEST(Contract, CoordinatesOutsideTheirDomainAreRefused) {
  for (const double x : {kNaN, kInfinity, 1e300, -1e200, 1e-200}) {
    GraphBuilder builder(2);
    builder.add_edge(0, 1, 1);
    builder.set_points(CoordinateKind::kPlane, {{0, 0}, {x, 0}});
    EXPECT_THROW(builder.build(), Error) << x;
  }
  GraphBuilder builder(2);
  builder.set_points(CoordinateKind::kPlane, {{0, 0}});
  EXPECT_THROW(builder.build(), Error);
}

TEST(Contract, NodesOutOfRangeAreRefused) {
  const Graph graph = chain(4);
  EXPECT_THROW(graph.arcs(4), Error);
  EXPECT_THROW(graph.arcs(99, Direction::kBackward), Error);
  EXPECT_THROW(graph.degree(99), Error);
  Searcher searcher(graph);
  FocalSearcher focal(graph);
  BidirectionalSearcher both(graph);
  for (const Query query : {Query{4, 0}, Query{0, 4}, Query{99, 99}, Query{kNoNode, 0}}) {
    EXPECT_THROW(searcher.run(query, Zero{}), Error);
    EXPECT_THROW(focal.run(query, Zero{}, Zero{}), Error);
    EXPECT_THROW(both.run(query), Error);
    EXPECT_THROW(both.run(query, BidirectionalKeys::kTextbook), Error);
    EXPECT_THROW(both.run(query, Zero{}, Zero{}), Error);
  }
  EXPECT_THROW(searcher.run_all(4), Error);
  EXPECT_THROW(focal.run({0, kNoNode}, Zero{}, Zero{}), Error);
  EXPECT_THROW(both.run({0, kNoNode}), Error);
  EXPECT_EQ(searcher.run({0, 3}, Zero{}).cost, 3);  // an Error leaves the searcher usable
}

TEST(Contract, WhatWasMovedFromIsEmptyAndRefuses) {
  Graph graph = chain(4);
  const Graph taken = std::move(graph);
  EXPECT_EQ(taken.node_count(), 4u);
  EXPECT_EQ(graph.node_count(), 0u);   // NOLINT: what is tested
  EXPECT_THROW(graph.arcs(0), Error);  // NOLINT
  graph = taken;
  EXPECT_EQ(graph.arc_count(), 6u);

  Searcher searcher(taken);
  FocalSearcher focal(taken);
  BidirectionalSearcher both(taken);
  both.run({0, 3});
  const Searcher other(std::move(searcher));
  const FocalSearcher other_focal(std::move(focal));
  const BidirectionalSearcher other_both(std::move(both));
  EXPECT_EQ(other_both.path().size(), 4u);
  EXPECT_THROW(searcher.run({0, 3}, Zero{}), Error);                                    // NOLINT
  EXPECT_THROW(focal.run({0, 3}, Zero{}, Zero{}), Error);                               // NOLINT
  EXPECT_THROW(both.run({0, 3}), Error);                                                // NOLINT
  EXPECT_TRUE(searcher.path().empty() && focal.path().empty() && both.path().empty());  // NOLINT

  Potentials potentials = landmark_potentials(taken, two_landmarks());
  const Potentials other_potentials(std::move(potentials));
  EXPECT_EQ(other_potentials.to(3)(0), 3);
  EXPECT_THROW(potentials.to(3), Error);  // NOLINT
}

TEST(Contract, OptionsThatMakeNoSenseAreRefused) {
  const Graph graph = chain(4);
  Searcher searcher(graph);
  FocalSearcher focal(graph);
  BidirectionalSearcher both(graph);
  for (const double bad : {-1.0, -2.0, kNaN, kInfinity}) {
    EXPECT_THROW(searcher.run({0, 3}, Zero{}, {.weight = bad}), Error);
    EXPECT_THROW(focal.run({0, 3}, Zero{}, Zero{}, {.bound = bad}), Error);
    EXPECT_THROW(focal.run({0, 3}, Zero{}, Zero{}, {.weight = bad}), Error);
    EXPECT_THROW(both.run({0, 3}, {.bound = bad}), Error);
    EXPECT_THROW(both.run({0, 3}, Zero{}, Zero{}, {.bound = bad}), Error);
  }
}

TEST(Contract, EstimatesThatAreNotFiniteAreRefused) {
  const Graph graph = chain(4);
  Searcher searcher(graph);
  FocalSearcher focal(graph);
  BidirectionalSearcher both(graph);
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    const Declared h{bad};
    EXPECT_THROW(searcher.run({0, 3}, h), Error);
    EXPECT_THROW(searcher.run({0, 3}, [&](NodeId v) { return v == 2 ? bad : 0; }), Error);
    EXPECT_THROW(focal.run({0, 3}, h, Zero{}), Error);
    EXPECT_THROW(focal.run({0, 3}, Zero{}, h), Error);
    EXPECT_THROW(both.run({0, 3}, h, Zero{}), Error);
    EXPECT_THROW(both.run({0, 3}, Zero{}, h), Error);
    // A prover is asked when the bound is made.
    const Declared wild{5, Guarantee::kNone};
    EXPECT_THROW(searcher.run({0, 3}, wild, {.max_expansions = 2}, NoObserver{}, h), Error);
  }
  EXPECT_EQ(searcher.run({0, 3}, Zero{}).cost, 3);
}

TEST(Contract, WhatWasMadeForAnotherGraphIsRefused) {
  const Graph small = chain(4), large = chain(400);
  const Potentials potentials = landmark_potentials(small, two_landmarks());
  EXPECT_THROW(potentials.to(4), Error);
  EXPECT_THROW(potentials.from(99), Error);
  EXPECT_THROW(potentials.verify(large), Error);
  EXPECT_THROW(Potentials(potentials).repair(large), Error);
  EXPECT_THROW(potentials.in_16_bits(large), Error);
  Searcher searcher(large);
  EXPECT_THROW(searcher.run({0, 399}, potentials.to(3)), Error);
  EXPECT_THROW(searcher.run({0, 399}, MaxOf(potentials.to(3), Zero{})), Error);
  BidirectionalSearcher both(large);
  EXPECT_THROW(both.run({0, 399}, potentials.to(3), potentials.from(0)), Error);
  EXPECT_THROW(both.run({0, 399}, potentials.to(3), Zero{}), Error);
  EXPECT_THROW(both.run({0, 399}, Zero{}, potentials.from(0)), Error);
  FocalSearcher focal(large);
  EXPECT_THROW(focal.run({0, 399}, Zero{}, potentials.to(3)), Error);
  EXPECT_THROW(focal.run({0, 399}, potentials.to(3), Zero{}), Error);
  EXPECT_THROW(BidirectionalSearcher(large, std::make_shared<const LookAhead>(small)), Error);

  std::vector<double> y(4, 0.0);
  EXPECT_THROW(PotentialHeuristic(y, 4), Error);
  EXPECT_THROW(searcher.run({0, 399}, PotentialHeuristic(y, 3)), Error);
  ClosureScratch scratch;
  EXPECT_THROW(close_above(large, y, scratch), Error);
  EXPECT_THROW(close_below(large, y, scratch), Error);
  EXPECT_THROW(count_violated_arcs(large, y), Error);
  EXPECT_THROW(count_violated_arcs(chain(3), y), Error);
  EXPECT_THROW(ExactClosure(large).apply(y, 3), Error);
  EXPECT_THROW(ExactClosure(small).apply(y, 4), Error);

  const Model model = load_model("swift");
  const PotentialNet net(model, small), other(model, large);
  PotentialNet::Workspace work(other);
  EXPECT_THROW(net.potentials({0, 3}, work, y), Error);
  EXPECT_THROW(LearnedSearcher(large, net), Error);
  LearnedOptions joined{.promise = Promise::kExact, .potentials = &potentials};
  EXPECT_THROW(LearnedSearcher(large, other, joined), Error);
}

TEST(Contract, BidirectionalSearchObeysItsCap) {
  const Graph graph = chain(200);
  BidirectionalSearcher both(graph);
  for (const auto keys : {BidirectionalKeys::kTextbook, BidirectionalKeys::kLookAhead}) {
    const SearchResult cut = both.run({0, 199}, {.keys = keys, .max_expansions = 10});
    EXPECT_TRUE(cut.capped);
    EXPECT_EQ(cut.expansions, 10u);
    EXPECT_FALSE(cut.reached());
    EXPECT_GT(cut.lower_bound, 5);
    EXPECT_LE(cut.lower_bound, 199);
  }
  EXPECT_TRUE(both.run({0, 199}, Zero{}, Zero{}, {.max_expansions = 10}).capped);
  const SearchResult whole = both.run({0, 199}, {.max_expansions = 300});
  EXPECT_FALSE(whole.capped);
  EXPECT_EQ(whole.cost, 199);
}

TEST(Contract, HugeBoundsStillFindAPath) {
  const Graph graph = chain(5, 3);
  FocalSearcher focal(graph);
  BidirectionalSearcher both(graph);
  for (const double bound : {1e10, 1e100, 1e308}) {
    EXPECT_EQ(focal.run({0, 4}, Zero{}, Zero{}, {.bound = bound}).cost, 12);
    const Declared one{1};
    EXPECT_EQ(focal.run({0, 4}, one, one, {.bound = bound}).cost, 12);
    EXPECT_EQ(both.run({0, 4}, {.bound = bound}).cost, 12);
  }
  // A way that costs nothing is within no factor of another: it has to be found.
  GraphBuilder builder(4);
  builder.add_arc(0, 3, kLeastWeight);
  builder.add_arc(0, 1, 0);
  builder.add_arc(1, 2, 0);
  builder.add_arc(2, 3, 0);
  BidirectionalSearcher free_way(builder.build());
  EXPECT_EQ(free_way.run({0, 3}, {.bound = 1e308}).cost, 0);
  EXPECT_EQ(free_way.run({0, 3}, BidirectionalKeys::kTextbook, 1e308).cost, 0);
}

// Stage i leads from node i to i + 1 directly, or more cheaply through a detour. Who takes the last
// detour first, then the one before and all behind it again, and so on, counts through all 2^stages
// ways, each a little cheaper than the one before: what a bad order can do to a search that
// re-opens.
struct Counter {
  PlainGraph plain;
  std::uint32_t stages;
  std::uint32_t detour(std::uint32_t stage) const { return plain.nodes - 1 - stage; }
};

// Nodes: 0 … stages in a row, `others` without arcs, then the detours, the last stage's first.
Counter counter(std::uint32_t stages, double unit, std::uint32_t others) {
  Counter out{{"counter", 2 * stages + 1 + others, {}}, stages};
  for (std::uint32_t i = 0; i < stages; ++i) {
    const double direct = std::ldexp(1.0, static_cast<int>(stages)) + 1;
    const double saved = std::ldexp(1.0, static_cast<int>(stages - 1 - i));
    out.plain.arcs.push_back({i, i + 1, unit * direct});
    out.plain.arcs.push_back({i, out.detour(i), unit});
    out.plain.arcs.push_back({out.detour(i), i + 1, unit * (direct - saved - 1)});
  }
  return out;
}

TEST(Contract, NoHeuristicMakesASearchExponential) {
  Watchdog dog(std::chrono::seconds(60));
  for (const std::uint32_t stages : {12u, 20u, 40u}) {
    Counter c = counter(stages, 1, 1);
    const NodeId target = stages + 1;
    c.plain.arcs.push_back({stages, target, 1});
    const Graph graph = c.plain.graph();
    const double truth = bellman_ford(c.plain, 0)[target];
    std::vector<double> h(c.plain.nodes, 0);
    for (std::uint32_t i = 0; i < stages; ++i) h[c.detour(i)] = 1e15 * (stages - i);
    h[target] = 1e15 * (stages + 1);
    const auto wild = [&](NodeId v) { return h[v]; };
    dog.watch([&] { return text_of(c.plain); });
    Searcher searcher(graph);
    const SearchResult found = searcher.run({0, target}, wild);
    EXPECT_GT(found.reopened, detail::kPatience * graph.node_count());
    EXPECT_LE(found.expansions, most_expansions(graph.node_count()));
    EXPECT_EQ(found.cost, truth);  // it lost patience, and was Dijkstra from then on
    EXPECT_LE(found.lower_bound, truth);
    EXPECT_EQ(path_cost(graph, searcher.path()), truth);
    FocalSearcher focal(graph);
    const SearchResult bounded = focal.run({0, target}, wild, Zero{}, {.bound = 1e9});
    EXPECT_LE(bounded.expansions, most_expansions(graph.node_count()) + 1);
    EXPECT_EQ(path_cost(graph, focal.path()), bounded.cost);
    const SearchResult proven = focal.run({0, target}, wild, Zero{}, {.bound = 0});
    EXPECT_EQ(proven.cost, truth);
  }
}

// All these keys are one to the queue of bidirectional search, which then goes by number.
TEST(Contract, BidirectionalSearchLosesPatienceAndIsStillRight) {
  Watchdog dog(std::chrono::seconds(60));
  constexpr std::uint32_t kStages = 9, kLeaves = 8000;
  Counter c = counter(kStages, 0x1p-52, kLeaves + 3);
  const std::uint32_t first_leaf = kStages + 1;
  const NodeId source = first_leaf + kLeaves, middle = source + 1, target = source + 2;
  c.plain.arcs.push_back({source, 0, 1});
  for (std::uint32_t v = first_leaf; v < source; ++v) {
    c.plain.arcs.push_back({kStages, v, 0});
    c.plain.arcs.push_back({v, middle, 1});
  }
  c.plain.arcs.push_back({middle, target, 3});
  dog.watch([&] { return "counter with " + std::to_string(kLeaves) + " leaves"; });
  const Graph graph = c.plain.graph();
  const double truth = bellman_ford(c.plain, source)[target];
  BidirectionalSearcher both(graph);
  const SearchResult found = both.run({source, target}, BidirectionalKeys::kTextbook);
  EXPECT_GT(found.expansions, detail::kPatience * graph.node_count());
  EXPECT_LE(found.expansions, most_expansions(graph.node_count()));
  EXPECT_EQ(found.cost, truth);
  EXPECT_TRUE(found.optimal());
  EXPECT_EQ(path_cost(graph, both.path()), truth);
  const SearchResult ahead = both.run({source, target});
  EXPECT_LE(ahead.expansions, most_expansions(graph.node_count()));
  EXPECT_EQ(ahead.cost, truth);
}

// Potentials as large as 1e231 beside weights of 1e-216: keys tell little, and a label falls after
// its node was expanded. What a run that stops early says of its path must still be so.
TEST(Contract, ACostIsThatOfThePathWhenARunStopsEarly) {
  PlainGraph plain{"both ends of the domain",
                   48,
                   {{1, 9, 2.1647383517574342e-76},
                    {9, 10, 6.4357018495570185e-199},
                    {10, 14, 2.4641258873027267e+189},
                    {14, 15, 3.782513629547577e+155},
                    {9, 16, 9.1989592337321476e+141},
                    {16, 28, 4.6952623082871607},
                    {27, 28, 6.2465074327822304e+57},
                    {28, 30, 0.0054039144640078852},
                    {30, 31, 3.1679518968102444e+109},
                    {31, 37, 1.1800439052760247e+231},
                    {28, 38, 8.0302899093095542e+148},
                    {30, 38, 4.660911219808086e-216},
                    {38, 46, 1.8374526587520266e-185}}};
  std::vector<double> y = bellman_ford(plain, 27);
  for (double& value : y) value = std::min(value, 1.1800439052760247e+231);
  ASSERT_TRUE(check_potential(plain.graph(), y).consistent());
  struct FromSource {
    const std::vector<double>& y;
    Cost operator()(NodeId v) const { return y[v] - y[1]; }
    static Guarantee guarantee() { return Guarantee::kConsistent; }
  };
  for (const ArcOrder order : {ArcOrder::kByHead, ArcOrder::kByWeight}) {
    BidirectionalSearcher both(plain.graph().ordered(order));
    for (std::uint64_t most = 1; most < 40; ++most) {
      const SearchResult found =
          both.run({1, 46}, PotentialHeuristic(y, 46, Guarantee::kConsistent), FromSource{y},
                   {.bound = 1e308, .max_expansions = most});
      if (!found.reached()) continue;
      EXPECT_EQ(path_cost(both.graph(), both.path()), found.cost) << most;
    }
  }
}

// Estimates of 1e263 beside costs of 1e206: all keys are the same number, and nodes are taken in
// any order. A method that promises the optimum must open them again, whatever the option.
TEST(Contract, ConsistentHeuristicsStayExactWhereKeysAreRounded) {
  PlainGraph plain{"rounded keys",
                   13,
                   {{2, 4, 7.0158847694743117e+194},
                    {1, 8, 3.3943771461722143e-34},
                    {2, 0, 5.0255746516326185e-05},
                    {10, 7, 9.4848307773452965e-241},
                    {3, 1, 2.3216492356811295e-163},
                    {6, 3, 0.041904232232024038},
                    {9, 5, 4.7513876503202617e+276},
                    {7, 11, 7.4790808975612278e-51},
                    {0, 11, 8.5590825235419503e-215},
                    {12, 6, 9.5161109656371729e+206},
                    {11, 12, 2.5920247601786118e-176},
                    {4, 10, 1.1966684856299442e-159}}};
  std::vector<double> y(13, 2.5e263);
  y[8] = 0;
  ASSERT_TRUE(check_potential(plain.graph(), y).consistent());
  const double truth = bellman_ford(plain, 2)[8];
  Searcher searcher(plain.graph());
  for (const Reopen reopen : {Reopen::kAlways, Reopen::kNever}) {
    const SearchResult found =
        searcher.run({2, 8}, PotentialHeuristic(y, 8, Guarantee::kConsistent), {.reopen = reopen});
    EXPECT_EQ(found.cost, truth);
    EXPECT_EQ(found.lower_bound, truth);
  }
}

// A false proof, a segmentation fault and a heap overflow once came of weights near the ends of a
// double's range. At the ends of the domain every promise must hold.
TEST(Contract, LearnedPromisesHoldAtTheEndsOfTheDomain) {
  Watchdog dog(std::chrono::seconds(60));
  for (const char* name : {"paper", "deep", "swift"}) {
    const Model model = load_model(name);
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
      Rng rng(seed);
      const bool star = seed % 4 == 0;
      const double unit = seed % 3 == 0 ? 2 * kLeastWeight : seed % 3 == 1 ? kLargestWeight / 2 : 1;
      PlainGraph plain{name, 12, {}};
      for (std::uint32_t u = 0; u < plain.nodes; ++u) {
        for (std::uint32_t v = 0; v < plain.nodes; ++v) {
          if (u == v || (star ? u != 0 && v != 0 : !rng.chance(0.4))) continue;
          plain.arcs.push_back({u, v, unit * rng.uniform(0.5, 2)});
        }
      }
      dog.watch([&] { return text_of(plain); });
      const Graph graph = plain.graph();
      const PotentialNet net(model, graph);
      LearnedSearcher free(graph, net), exact(graph, net, {.promise = Promise::kExact}),
          bounded(graph, net, {.promise = Promise::kBound, .bound = 0.05});
      const Query query{rng.below(12), rng.below(12)};
      const double truth = bellman_ford(plain, query.source)[query.target];
      const SearchResult any = free.run(query);
      EXPECT_LE(any.lower_bound, truth) << text_of(plain);
      EXPECT_GE(any.cost, truth) << text_of(plain);
      EXPECT_EQ(exact.run(query).cost, truth) << text_of(plain);
      EXPECT_LE(bounded.run(query).cost, 1.05 * truth * (1 + 1e-12)) << text_of(plain);
    }
  }
}

}  // namespace
}  // namespace lodestar::contract_test
