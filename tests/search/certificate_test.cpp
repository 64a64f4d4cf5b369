#include "lodestar/certificate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hand_drawn.h"
#include "lodestar/generate.h"

namespace lodestar::certificate_test {
namespace {

// 0 -> 1 -> 2 with weights 1 and 2, and 0 -> 2 with 4.
Graph triangle() {
  return testing::hand_drawn(3, {{0, 1, 1}, {1, 2, 2}, {0, 2, 4}});
}

// Plain twin of every distance used here: Bellman-Ford.
std::vector<double> distances_from(const Graph& graph, NodeId source) {
  std::vector<double> d(graph.node_count(), kInfinity);
  d[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const Arc arc : graph.arcs(u)) {
        if (d[u] + arc.weight < d[arc.head]) {
          d[arc.head] = d[u] + arc.weight;
          changed = true;
        }
      }
    }
  }
  return d;
}

TEST(Certificate, CountsConstraintsAndNamesTheWorst) {
  const Graph graph = triangle();
  const ConstraintCheck good = check_potential(graph, std::vector<double>{0, 1, 3});
  EXPECT_TRUE(good.consistent());
  EXPECT_EQ(good.worst.tail, kNoNode);
  EXPECT_EQ(good.share(), 1.0);

  const ConstraintCheck bad = check_potential(graph, std::vector<double>{0, 1.5, 6});
  EXPECT_FALSE(bad.consistent());
  EXPECT_EQ(bad.satisfied, 0u);
  EXPECT_EQ(bad.share(), 0.0);
  EXPECT_EQ(bad.share_with_self_loops(), 0.5);  // three arcs, three self-loops
  EXPECT_EQ(bad.worst.tail, 1u);
  EXPECT_EQ(bad.worst.head, 2u);
  EXPECT_EQ(bad.worst.weight, 2);
  EXPECT_EQ(bad.worst.excess, 2.5);

  ConstraintCheck both = good;
  both.merge(bad);
  EXPECT_EQ(both.arcs, 6u);
  EXPECT_EQ(both.share(), 0.5);
  EXPECT_EQ(both.worst.excess, 2.5);
}

TEST(Certificate, ComparesRealNumbersNotRoundedOnes) {
  const double eps = 0x1p-53;
  // 1 - (-eps) rounds to 1, but is more than 1.
  EXPECT_EQ(1 - -eps, 1);
  EXPECT_FALSE(satisfies(-eps, 1, 1));
  EXPECT_TRUE(satisfies(eps / 2, 1, 1));
  EXPECT_TRUE(satisfies(0, 1, 1));
  EXPECT_FALSE(satisfies(std::nan(""), 1, 1));

  GraphBuilder builder(2);
  builder.add_arc(0, 1, 1);
  const Graph graph = builder.build();
  const std::vector<double> y{-eps, 1};
  EXPECT_FALSE(check_potential(graph, y).consistent());
  EXPECT_EQ(check_potential(graph, y).worst.tail, 0u);
  EXPECT_TRUE(check_potential(graph, y, 1e-15).consistent());
}

TEST(Certificate, RefusesTheWrongNumberOfPotentials) {
  EXPECT_THROW(check_potential(triangle(), std::vector<double>{0, 1}), Error);
}

TEST(Certificate, RefusesWhatTheGraphDoesNotHave) {
  ExactClosure closure(triangle());
  for (const std::size_t size : {0u, 2u, 4u}) {
    std::vector<double> y(size, 0.0);
    EXPECT_THROW(check_potential(triangle(), y), Error) << size;
    EXPECT_THROW(closure.apply(y, 1), Error) << size;
  }
  std::vector<double> y(3, 0.0);
  EXPECT_THROW(closure.apply(y, 3), Error);
  EXPECT_THROW(closure.apply(y, kNoNode), Error);
  for (const double bad : {kInfinity, -kInfinity}) {
    y = {0, 0, bad};
    EXPECT_THROW(closure.apply(y, 2), Error);
  }
  AdmissibilityChecker checker(triangle());
  EXPECT_THROW(checker.check(3, [](NodeId) { return 0.0; }), Error);
  const std::vector<double> other(4, 0.0);
  EXPECT_THROW(checker.check(0, PotentialHeuristic(other, 0)), Error);
}

// A violated arc counts however small its excess is, and a NaN violates with any excess.
TEST(Certificate, NamesTheFirstOfTheWorst) {
  const Graph graph = testing::hand_drawn(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
  const ConstraintCheck equal = check_potential(graph, std::vector<double>{0, 3, 6, 9});
  EXPECT_EQ(equal.worst.tail, 0u);
  EXPECT_EQ(equal.worst.excess, 2);
  EXPECT_EQ(equal.nodes, 4u);
  const ConstraintCheck nan =
      check_potential(graph, std::vector<double>{0, 3, std::nan(""), 9}, 1e9);
  EXPECT_EQ(nan.satisfied, 1u);  // the tolerance covers the first arc
  EXPECT_EQ(nan.worst.tail, 1u);
  EXPECT_EQ(nan.worst.excess, kInfinity);
  // An excess that is below the smallest number there is.
  const Graph light = testing::hand_drawn(2, {{0, 1, 1}});
  const ConstraintCheck lost = check_potential(light, std::vector<double>{-0x1p-60, 1});
  EXPECT_EQ(lost.satisfied, 0u);
  EXPECT_GT(lost.worst.excess, 0);
}

// Relative to the largest of both values and the weight, and just at the limit.
TEST(Certificate, ToleranceIsRelative) {
  const Graph graph = testing::hand_drawn(2, {{0, 1, 1}});
  for (const double scale : {1.0, -1.0}) {
    const std::vector<double> y =
        scale > 0 ? std::vector<double>{6, 8} : std::vector<double>{-8, -6};
    EXPECT_TRUE(check_potential(graph, y, 1.0 / 8).consistent());
    EXPECT_FALSE(check_potential(graph, y, 0.999 / 8).consistent());
  }
  const Graph heavy = testing::hand_drawn(2, {{0, 1, 16}});
  EXPECT_TRUE(check_potential(heavy, std::vector<double>{-9, 9}, 2.0 / 16).consistent());
  EXPECT_FALSE(check_potential(heavy, std::vector<double>{-9, 9}, 1.9 / 16).consistent());
}

TEST(Certificate, MergingKeepsTheWorstAndTheTarget) {
  ConstraintCheck sum;
  EXPECT_EQ(sum.share(), 1);
  EXPECT_EQ(sum.share_with_self_loops(), 1);
  EXPECT_TRUE(sum.consistent());
  ConstraintCheck low{.nodes = 2, .arcs = 4, .satisfied = 3, .worst = {0, 1, 1, 0.5}};
  ConstraintCheck high{.nodes = 3, .arcs = 5, .satisfied = 4, .worst = {1, 2, 1, 2}};
  sum.merge(low);
  sum.merge(high);
  sum.merge(low);
  EXPECT_EQ(sum.nodes, 7u);
  EXPECT_EQ(sum.arcs, 13u);
  EXPECT_EQ(sum.satisfied, 10u);
  EXPECT_EQ(sum.worst.excess, 2);
  EXPECT_EQ(sum.worst.tail, 1u);
  EXPECT_EQ(sum.share_with_self_loops(), 17.0 / 20);
  high.worst.tail = 7;  // an equal one changes nothing
  sum.merge(high);
  EXPECT_EQ(sum.worst.tail, 1u);
  ConstraintCheck fine, target_wrong;
  target_wrong.target_ok = false;
  EXPECT_TRUE(fine.consistent());
  fine.merge(target_wrong);
  EXPECT_FALSE(fine.consistent());
  fine.merge({});
  EXPECT_FALSE(fine.consistent());
}

TEST(Certificate, AdmissibleWithinTheTolerance) {
  const std::vector<double> exact{3, 2, 0};
  for (const double factor : {1.0, 1.25, 1.26}) {
    AdmissibilityChecker checker(triangle(), 0.25);
    checker.check(2, [&](NodeId v) { return exact[v] * factor; });
    EXPECT_EQ(checker.overestimates(), factor > 1.25 ? 2u : 0u);
    EXPECT_EQ(checker.worst().node, factor > 1.25 ? 0u : kNoNode);
    EXPECT_EQ(checker.distance(0), 3);
  }
  // The largest excess of several targets; the first one of equals.
  AdmissibilityChecker checker(triangle());
  checker.check(2, [&](NodeId v) { return exact[v] + 1; });
  EXPECT_EQ(checker.worst().node, 0u);
  EXPECT_EQ(checker.overestimates(), 3u);
  checker.check(1, [](NodeId v) { return v == 0 ? 5.0 : 0.0; });
  EXPECT_EQ(checker.worst().node, 0u);
  EXPECT_EQ(checker.worst().target, 1u);
  EXPECT_EQ(checker.worst().excess(), 4);
  EXPECT_EQ(checker.checked(), 5u);
  EXPECT_EQ(checker.distance(0), 1);
}

// More than 16 arcs a node are ordered; 16 are not.
TEST(Certificate, OrdersArcsOfDenseGraphsOnly) {
  for (const NodeId degree : {16u, 17u}) {
    GraphBuilder builder(20);
    for (NodeId u = 0; u < 20; ++u) {
      for (NodeId k = 1; k <= degree; ++k) builder.add_arc(u, (u + k) % 20, 20 - k);
    }
    EXPECT_EQ(ordered_for_queries(builder.build()).arc_order(),
              degree > 16 ? ArcOrder::kByWeight : ArcOrder::kByHead);
  }
}

// A potential of zeros is feasible: nothing is closed, nothing changes.
TEST(Certificate, ZerosStayZeros) {
  const Graph inexact = testing::hand_drawn(3, {{0, 1, 1e-9}, {1, 2, 1e9}});
  for (const Graph& graph : {triangle(), inexact, GraphBuilder(3).build()}) {
    std::vector<double> y(3, 0.0);
    EXPECT_EQ(ExactClosure(graph).apply(y, 2).violated_arcs, 0u);
    EXPECT_TRUE(check_potential(graph, y).consistent());
    EXPECT_EQ(y[0], 0);
  }
}

// Without a weight above 0, the largest value of the nodes that an arc leads to is left.
TEST(Certificate, WeightsOfZero) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 0}, {1, 2, 0}, {2, 0, 0}});
  std::vector<double> y{1, 3, 2};
  EXPECT_EQ(ExactClosure(graph).apply(y, 1).settled, 2u);
  EXPECT_EQ(y, (std::vector<double>{3, 3, 3}));
}

TEST(Certificate, FindsTheOverestimate) {
  AdmissibilityChecker checker(triangle());
  const std::vector<double> exact{3, 2, 0};
  checker.check(2, [&](NodeId v) { return exact[v]; });
  EXPECT_TRUE(checker.admissible());
  EXPECT_EQ(checker.checked(), 3u);
  checker.check(2, [&](NodeId v) { return exact[v] + (v == 1 ? 0.25 : 0); });
  EXPECT_FALSE(checker.admissible());
  EXPECT_EQ(checker.overestimates(), 1u);
  EXPECT_EQ(checker.worst().node, 1u);
  EXPECT_EQ(checker.worst().target, 2u);
  EXPECT_EQ(checker.worst().excess(), 0.25);
  // Nodes that do not reach the target cannot be overestimated.
  AdmissibilityChecker other(triangle());
  other.check(0, [](NodeId v) { return v == 0 ? 0.0 : 100.0; });
  EXPECT_TRUE(other.admissible());
  EXPECT_EQ(other.checked(), 1u);
}

// Weights of every kind: dyadic, whole, and such that no sum is exact.
Graph random_graph(std::uint64_t seed, NodeId nodes) {
  Rng rng(seed);
  GraphBuilder builder(nodes);
  const std::size_t arcs = std::size_t{nodes} * (2 + rng.below(6));
  for (std::size_t i = 0; i < arcs; ++i) {
    const NodeId u = rng.below(nodes), v = rng.below(nodes);
    double w = 0;
    switch (seed % 4) {
      case 0:
        w = rng.uniform24();
        break;
      case 1:
        w = rng.below(1000);
        break;
      case 2:
        w = rng.uniform() * std::sqrt(2.0);
        break;
      default:
        w = std::exp2(rng.uniform(-40, 40));
    }
    builder.add_arc(u, v, w);
  }
  return builder.build();
}

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

double largest_weight(const Graph& graph) {
  double largest = 0;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) largest = std::max(largest, arc.weight);
  }
  return largest;
}

// What rounding up may take off y: the largest power of two that divides all weights, if it is at
// least 1.
double whole_unit(const Graph& graph) {
  double unit = 0x1p40;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      while (unit >= 1 && std::fmod(arc.weight, unit) != 0) unit /= 2;
    }
  }
  return unit >= 1 ? unit : 0;
}

// The property the exact mode rests on: whatever y was, its closure is feasible in the strict
// sense, not below y but for rounding, and A* with it returns the exact distance, bit for bit, in
// any arithmetic.
TEST(Certificate, ExactClosureIsFeasibleAndExact) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed * 7 + 1);
    const NodeId nodes = 2 + rng.below(80);
    const Graph graph = random_graph(seed, nodes);
    ExactClosure closure(graph);
    Searcher searcher(graph);
    for (int round = 0; round < 5; ++round) {
      const NodeId source = rng.below(nodes), target = rng.below(nodes);
      const auto truth = distances_from(graph, source);
      // Around the true distances, the hardest case: every constraint is nearly tight.
      const double noise = round == 0 ? 0 : std::exp2(-10 * round);
      std::vector<double> y(nodes);
      for (NodeId v = 0; v < nodes; ++v) {
        y[v] = (truth[v] < kInfinity ? truth[v] : 0) * (1 + noise * rng.uniform(-1, 1));
      }
      if (round == 4) {
        for (double& value : y) value = static_cast<float>(rng.uniform(-1000, 1000));
      }
      const std::vector<double> before = y;
      closure.apply(y, target);
      EXPECT_TRUE(check_potential(graph, y).consistent()) << "seed " << seed;
      const double rounding = largest_magnitude(before) * 0x1p-38 +
                              static_cast<double>(nodes) * nodes * largest_weight(graph) * 0x1p-51 +
                              whole_unit(graph);
      for (NodeId v = 0; v < nodes; ++v) EXPECT_GE(y[v], before[v] - rounding);
      const SearchResult found =
          searcher.run({source, target}, PotentialHeuristic(y, target, Guarantee::kConsistent));
      EXPECT_EQ(found.cost, truth[target]) << "seed " << seed << " round " << round;
      EXPECT_EQ(found.cost, found.lower_bound);
    }
  }
}

TEST(Certificate, ExactClosureLosesNothingWorthMentioning) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Graph graph = random_graph(seed - seed % 4 + seed % 3, 60);
    const auto truth = distances_from(graph, 0);
    std::vector<double> y(60);
    for (NodeId v = 0; v < 60; ++v) y[v] = truth[v] < kInfinity ? truth[v] : 1e4;
    const std::vector<double> before = y;
    ExactClosure(graph).apply(y, 5);
    const double rounding = largest_magnitude(before) * 60 * 0x1p-38 + whole_unit(graph);
    for (NodeId v = 0; v < 60; ++v) EXPECT_NEAR(y[v], before[v], rounding);
  }
}

TEST(Certificate, ExactClosureRefusesWhatIsNotFinite) {
  std::vector<double> y{0, std::nan(""), 0};
  ExactClosure closure(triangle());
  EXPECT_THROW(closure.apply(y, 2), Error);
}

// The arcs of a dense graph are ordered after some dozens of closures; results must not change.
TEST(Certificate, OrderingTheArcsChangesNoClosure) {
  GraphSpec spec;
  spec.nodes = 60;
  spec.seed = 5;
  const Graph graph = generate(spec);
  ASSERT_GT(graph.arc_count(), 16u * graph.node_count());
  Rng rng(9);
  std::vector<double> y(graph.node_count());
  for (double& value : y) value = rng.uniform(0, 0.4);
  ExactClosure closure(graph);
  std::vector<double> first = y;
  const ClosureResult once = closure.apply(first, 3);
  EXPECT_GT(once.settled, 0u);
  for (int i = 0; i < 100; ++i) {
    std::vector<double> again = y;
    const ClosureResult result = closure.apply(again, 3);
    ASSERT_EQ(again, first) << i;
    ASSERT_EQ(result.settled, once.settled);
    ASSERT_EQ(result.violated_arcs, once.violated_arcs);
  }
}

// Whole-number weights: h becomes whole, never above the distance, and nearly right becomes right.
TEST(Certificate, ExactClosureRoundsUpWhereWeightsAreWhole) {
  Rng rng(5);
  for (int round = 0; round < 20; ++round) {
    const NodeId n = 30;
    GraphBuilder builder(n);
    for (NodeId v = 1; v < n; ++v) {
      builder.add_edge(v, rng.below(v), 1 + rng.below(9));
      builder.add_edge(v, rng.below(v), 1 + rng.below(9));
    }
    const Graph graph = builder.build();
    const NodeId target = rng.below(n);
    const std::vector<double> d = distances_from(graph, target);  // undirected
    std::vector<double> nearly(n), rough(n);
    for (NodeId v = 0; v < n; ++v) {
      nearly[v] = 7.25 - d[v] + rng.uniform(-0.4, 0.4);
      rough[v] = -d[v] * rng.uniform(0.5, 1.5);
    }
    ExactClosure closure(graph);
    closure.apply(nearly, target);
    closure.apply(rough, target);
    EXPECT_TRUE(check_potential(graph, rough).consistent());
    for (NodeId v = 0; v < n; ++v) {
      EXPECT_EQ(nearly[target] - nearly[v], d[v]);
      const double h = rough[target] - rough[v];
      EXPECT_EQ(h, std::floor(h));
      EXPECT_LE(rough[target] - rough[v], d[v]);
    }
  }
}

TEST(Certificate, ExactClosureDoesNotRoundElsewhere) {
  const Graph graph = testing::hand_drawn(2, {{0, 1, 1.5}, {1, 0, 1.5}});
  std::vector<double> y = {-0.75, 0};
  ExactClosure(graph).apply(y, 1);
  EXPECT_EQ(y[1] - y[0], 0.75);
}

}  // namespace
}  // namespace lodestar::certificate_test
