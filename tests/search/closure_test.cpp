#include "lodestar/closure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hand_drawn.h"
#include "lodestar/generate.h"

namespace lodestar::closure_test {
namespace {

Graph random_graph(std::uint64_t seed, NodeId nodes, std::size_t arcs, bool whole) {
  Rng rng(seed);
  GraphBuilder builder(nodes);
  for (std::size_t i = 0; i < arcs; ++i) {
    const double weight = whole ? rng.below(7) : rng.uniform24();
    builder.add_arc(rng.below(nodes), rng.below(nodes), weight);  // loops and twins included
  }
  return builder.build();
}

Graph road(NodeId nodes) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = nodes;
  return generate(spec);
}

std::vector<double> random_potential(Rng& rng, NodeId nodes, double scale) {
  std::vector<double> y(nodes);
  for (double& value : y) value = std::floor(rng.uniform(-scale, scale) * 1024) / 1024;
  return y;
}

enum class Side { kBelow, kAbove };
constexpr Side kSides[] = {Side::kBelow, Side::kAbove};

// unit 0: true weights.
ClosureResult close_on(Side side, const Graph& graph, std::span<double> y, double unit,
                       ClosureScratch& scratch) {
  if (side == Side::kBelow) {
    return unit > 0 ? close_below(graph, y, unit, scratch) : close_below(graph, y, scratch);
  }
  return unit > 0 ? close_above(graph, y, unit, scratch) : close_above(graph, y, scratch);
}

// Plain twin: lower heads, or raise tails, until nothing changes.
std::vector<double> closure_by_relaxation(Side side, const Graph& graph, std::vector<double> y,
                                          double unit) {
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const Arc arc : graph.arcs(u)) {
        const double w = unit > 0 ? std::floor(arc.weight / unit) : arc.weight;
        if (y[arc.head] <= y[u] + w || y[arc.head] - w <= y[u]) continue;
        (side == Side::kBelow ? y[arc.head] : y[u]) =
            side == Side::kBelow ? y[u] + w : y[arc.head] - w;
        changed = true;
      }
    }
  }
  return y;
}

TEST(Closure, HandDrawn) {
  const Graph graph = testing::hand_drawn(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 5}});
  ClosureScratch scratch;
  std::vector<double> y{0, 4, 3, 3};
  EXPECT_EQ(count_violated_arcs(graph, y), 1u);
  const ClosureResult closed = close_below(graph, y, scratch);
  EXPECT_EQ(closed.violated_arcs, 1u);
  EXPECT_EQ(closed.settled, 2u);
  EXPECT_EQ(y, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(scratch.changed, (std::vector<NodeId>{1, 2}));
  EXPECT_EQ(close_below(graph, y, scratch).violated_arcs, 0u);
}

TEST(Closure, EqualsRelaxationToTheLastBit) {
  ClosureScratch scratch;  // one for all, to prove that it may be reused
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed + 1000);
    const NodeId nodes = 2 + rng.below(60);
    const bool whole = seed % 2 == 0;
    const Graph graph = random_graph(seed, nodes, std::size_t{nodes} * (1 + seed % 20), whole);
    const std::vector<double> start = random_potential(rng, nodes, whole ? 12 : 0.8);
    for (const Side side : kSides) {
      std::vector<double> y = start;
      const ClosureResult closed = close_on(side, graph, y, 0, scratch);
      EXPECT_EQ(closed.violated_arcs, count_violated_arcs(graph, start));
      EXPECT_EQ(y, closure_by_relaxation(side, graph, start, 0)) << "seed " << seed;
      EXPECT_EQ(count_violated_arcs(graph, y), 0u);
    }
  }
}

// By weight, a scan ends early; the result is the same.
TEST(Closure, OrderOfArcsDoesNotMatter) {
  ClosureScratch scratch;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    const Graph graph = random_graph(seed, 50, 1500, seed % 2 == 0);
    const std::vector<double> start = random_potential(rng, 50, seed % 2 == 0 ? 12 : 0.8);
    for (const Side side : kSides) {
      std::vector<double> y = start, sorted = start;
      const ClosureResult closed = close_on(side, graph, y, 0, scratch);
      const ClosureResult again =
          close_on(side, graph.ordered(ArcOrder::kByWeight), sorted, 0, scratch);
      EXPECT_EQ(y, sorted);
      EXPECT_EQ(closed.violated_arcs, again.violated_arcs);
      EXPECT_EQ(closed.settled, again.settled);
    }
  }
}

TEST(Closure, GraphsWithoutNodesOrArcs) {
  ClosureScratch scratch;
  for (const ArcOrder order : {ArcOrder::kByHead, ArcOrder::kByWeight}) {
    for (const NodeId nodes : {0u, 3u}) {
      const Graph graph = GraphBuilder(nodes).build(order);
      ASSERT_EQ(graph.arc_order(), order);
      std::vector<double> y(nodes, 7.0);
      for (const Side side : kSides) {
        for (const double unit : {0.0, 0.5}) {
          EXPECT_EQ(close_on(side, graph, y, unit, scratch).violated_arcs, 0u);
        }
      }
      EXPECT_EQ(count_violated_arcs(graph, y), 0u);
      EXPECT_EQ(y, std::vector<double>(nodes, 7.0));
    }
  }
}

// Every function checks the number of values and the unit itself.
TEST(Closure, RefusesWrongSizesAndUnits) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 1}, {1, 2, 1}});
  ClosureScratch scratch;
  for (const std::size_t size : {0u, 2u, 4u}) {
    std::vector<double> y(size, 0.0);
    EXPECT_THROW(count_violated_arcs(graph, y), Error) << size;
    for (const Side side : kSides) {
      for (const double unit : {0.0, 1.0}) {
        EXPECT_THROW(close_on(side, graph, y, unit, scratch), Error) << size << " " << unit;
      }
    }
  }
  for (const double unit : {-1.0, 0.0, 0x1p-1023, 0x1p1023, kInfinity, std::nan("")}) {
    std::vector<double> y(3, 0.0);
    EXPECT_THROW(close_below(graph, y, unit, scratch), Error) << unit;
    EXPECT_THROW(close_above(graph, y, unit, scratch), Error) << unit;
    EXPECT_EQ(y, (std::vector<double>{0, 0, 0}));
  }
  for (const double unit : {0x1p-1022, 0x1p1022}) {
    std::vector<double> y = {0, 0, 1};
    EXPECT_EQ(close_below(graph, y, unit, scratch).settled, unit > 1 ? 1u : 0u);
    EXPECT_EQ(y[2], unit > 1 ? 0 : 1);  // no weight is left, or weights without end
    y = {0, 0, 1};
    EXPECT_EQ(close_above(graph, y, unit, scratch).settled, unit > 1 ? 2u : 0u);
  }
}

// More than eight arcs at a node are counted by the wide loop; at the limit both count the same.
TEST(Closure, CountsAtEveryDegree) {
  ClosureScratch scratch;
  for (const bool wide : {false, true}) {
    for (NodeId degree = 0; degree <= 20; ++degree) {
      GraphBuilder builder(degree + 1);
      for (NodeId v = 1; v <= degree; ++v) builder.add_arc(0, v, wide ? 1.1 : 1);
      const Graph graph = builder.build();
      for (NodeId violated = 0; violated <= degree; ++violated) {
        std::vector<double> y(degree + 1, 1.0);
        y[0] = 0;
        for (NodeId v = 1; v <= violated; ++v) y[v] = 3;
        EXPECT_EQ(count_violated_arcs(graph, y), violated) << degree;
        const ClosureResult closed = close_below(graph, y, scratch);
        EXPECT_EQ(closed.violated_arcs, violated);
        EXPECT_EQ(closed.settled, violated);
        EXPECT_EQ(scratch.changed.size(), violated);
      }
    }
  }
}

// Two arcs lower the same node; the lower one counts, whichever is found first.
TEST(Closure, TheLowestBoundCounts) {
  for (const bool first : {false, true}) {
    const Graph graph =
        testing::hand_drawn(4, {{0, 3, first ? 1.0 : 2.0}, {1, 3, first ? 2.0 : 1.0}, {2, 3, 3}});
    ClosureScratch scratch;
    std::vector<double> y = {0, 0, 0, 9};
    const ClosureResult closed = close_below(graph, y, scratch);
    EXPECT_EQ(y[3], 1);
    EXPECT_EQ(closed.violated_arcs, 3u);
    EXPECT_EQ(closed.settled, 1u);
  }
}

// Larger graphs first, then smaller ones, then larger ones again.
TEST(Closure, ScratchFitsEveryGraph) {
  ClosureScratch scratch;
  for (const NodeId nodes : {5u, 2u, 9u, 3u}) {
    GraphBuilder builder(nodes);
    for (NodeId v = 1; v < nodes; ++v) builder.add_arc(v - 1, v, 1);
    const Graph graph = builder.build();
    std::vector<double> y(nodes, 100.0);
    y[0] = 0;
    EXPECT_EQ(close_below(graph, y, scratch).settled, nodes - 1);
    for (NodeId v = 0; v < nodes; ++v) EXPECT_EQ(y[v], v);
    EXPECT_EQ(scratch.changed.size(), nodes - 1);
  }
}

TEST(Closure, IntegerNumbersOfAUnit) {
  ClosureScratch scratch;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    const Graph graph = random_graph(seed, 40, 200, false);
    const double unit = 1.0 / 64;
    std::vector<double> start(40);
    for (double& value : start) value = rng.below(80);
    for (const Side side : kSides) {
      std::vector<double> y = start;
      close_on(side, graph, y, unit, scratch);
      EXPECT_EQ(y, closure_by_relaxation(side, graph, start, unit));
      for (double& value : y) value *= unit;
      EXPECT_EQ(count_violated_arcs(graph, y), 0u);
    }
  }
}

// One node far too low, its estimate far too high: closed above it alone changes and the target
// keeps its value; closed below the target gives way, and every estimate with it.
TEST(Closure, AboveSparesTheTarget) {
  const Graph graph = road(400);
  std::vector<double> y(graph.node_count(), 0.0);
  y[17] = -1e9;
  std::vector<double> below = y;
  ClosureScratch scratch;
  EXPECT_EQ(close_above(graph, y, scratch).settled, 1u);
  close_below(graph, below, scratch);
  const NodeId target = 300;
  EXPECT_EQ(y[target], 0);
  EXPECT_LT(below[target], 0);
}

TEST(Closure, CostFollowsTheViolations) {
  const Graph graph = road(4000);
  std::vector<double> y(graph.node_count(), 0.0);
  y[17] = 1e9;
  ClosureScratch scratch;
  const ClosureResult closed = close_below(graph, y, scratch);
  EXPECT_EQ(closed.settled, 1u);
  EXPECT_EQ(closed.violated_arcs, graph.degree(17));
}

// In units of a light arc the weight of a heavy one overflows; the arcs behind it still count.
TEST(Closure, AHeavyArcHidesNoLighterOne) {
  GraphBuilder builder(3);
  builder.add_arc(0, 1, 1e211);
  builder.add_arc(0, 2, 1e-220);
  const Graph graph = builder.build();
  ClosureScratch scratch;
  std::vector<double> y = {0, 0, 5};
  EXPECT_EQ(close_below(graph, y, 0x1p-560, scratch).violated_arcs, 1u);
  EXPECT_EQ(y, (std::vector<double>{0, 0, 0}));
  y = {0, 0, 5};
  EXPECT_EQ(close_above(graph, y, 0x1p-560, scratch).violated_arcs, 1u);
  EXPECT_EQ(y, (std::vector<double>{5, 0, 5}));
}

}  // namespace
}  // namespace lodestar::closure_test
