#include "lodestar/certificate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hand_drawn.h"
#include "lodestar/generate.h"

namespace lodestar {
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
}  // namespace lodestar
