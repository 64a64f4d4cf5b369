#include "network/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "hand_drawn.h"
#include "lodestar/rng.h"

namespace lodestar::features_test {
namespace {

// 0 -> 1 (0.5), 1 -> 2 (0.75), 2 -> 0 (1), and a self-loop on 1 that carries no path.
Graph triangle() {
  return testing::hand_drawn(3, {{0, 1, 0.5}, {1, 2, 0.75}, {2, 0, 1}, {1, 1, 0.25}});
}

using Nodes = std::vector<NodeId>;
using Floats = std::vector<float>;

TEST(Features, RowsBelongToReceiversAndStartWithTheSelfLoop) {
  FeatureConfig config;
  const GraphInput along = graph_input(triangle(), config);
  EXPECT_EQ(along.first, (std::vector<ArcIndex>{0, 2, 4, 6}));
  EXPECT_EQ(along.sender, (Nodes{0, 2, 1, 0, 2, 1}));
  EXPECT_EQ(along.weight, (Floats{0, 1, 0, 0.5, 0, 0.75}));
  EXPECT_EQ(along.y_unit, 1);
  config.direction = MessageDirection::kAgainst;
  const GraphInput against = graph_input(triangle(), config);
  EXPECT_EQ(against.sender, (Nodes{0, 1, 1, 2, 2, 0}));
  EXPECT_EQ(against.weight, (Floats{0, 0.5, 0, 0.75, 0, 1}));
}

TEST(Features, NodeInputsComeInTheirOrder) {
  FeatureConfig config;
  const GraphInput input = graph_input(triangle(), config);
  Floats x(3 * config.node_inputs());
  node_input(input, config, {0, 2}, x);
  const float third = static_cast<float>(1.0 / 3), two = static_cast<float>(2.0 / 3);
  EXPECT_EQ(x, (Floats{0, 1, 0, 0, 0, 1, 1, third, 0, 0, 0, 0, 0, 0, two, 0, 1, 0, 0, 0, 0}));
  Floats pi(input.sender.size());
  predecessor_input(input, pi);
  EXPECT_EQ(pi, (Floats{1, 0, 1, 0, 1, 0}));

  config.pos = config.hints = false;
  x.resize(3 * config.node_inputs());
  node_input(input, config, {0, 2}, x);
  EXPECT_EQ(x, (Floats{1, 0, 0, 0, 0, 1}));
  EXPECT_THROW(node_input(input, config, {0, 3}, x), Error);
}

TEST(Features, HintsAreTakenOverInNetworkUnits) {
  FeatureConfig config;
  config.pos = false;
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 10);  // unit: twice the mean
  const GraphInput input = graph_input(builder.build(), config);
  EXPECT_EQ(input.weight, (Floats{0, 0.5, 0, 0.5}));
  EXPECT_EQ(input.y_unit, 20);
  const Nodes pi = {0, 0};
  const std::vector<double> d = {0, 10};
  const std::vector<std::uint8_t> mark = {1, 0}, in_queue = {0, 1};
  const HintView hints{pi, d, mark, in_queue, 0};
  Floats x(2 * config.node_inputs());
  node_input(input, config, {0, 1}, x, &hints);
  EXPECT_EQ(x, (Floats{1, 0, 0, 1, 0, 1, 0, 1, 0.5, 0, 1, 0}));
  Floats edges(4);
  predecessor_input(input, edges, &hints);
  EXPECT_EQ(edges, (Floats{1, 0, 0, 1}));
}

TEST(Features, DegreeNormalisationScalesWeights) {
  FeatureConfig config;
  config.degree_normalisation = true;
  config.reference_degree = 1;  // triangle: 4 arcs, 3 nodes, c = 4/3
  const GraphInput input = graph_input(triangle(), config);
  EXPECT_EQ(input.sender, graph_input(triangle(), FeatureConfig()).sender);  // few arcs: all seen
  EXPECT_EQ(input.weight[input.first[1] + 1], static_cast<float>(0.5 * (4.0 / 3)));
  EXPECT_DOUBLE_EQ(input.y_unit, 0.75);
}

// Light arcs, and of the others up to 2 those than which fewer than six at one of their ends are
// lighter: counted arc by arc.
TEST(Features, DegreeNormalisationLeavesHeavyArcsOutWhereThereAreLighterOnes) {
  Rng rng(5);
  std::size_t light = 0, few = 0, out = 0;
  for (int round = 0; round < 60; ++round) {
    const NodeId n = 2 + rng.below(30);
    GraphBuilder builder(n);
    const std::uint32_t arcs = rng.below(n * 12);
    for (std::uint32_t i = 0; i < arcs; ++i) {  // parallel arcs, loops, equal weights and zeros too
      const double weight = rng.chance(0.3) ? 0.1 * rng.below(11) : rng.uniform();
      const NodeId tail = rng.below(n), head = rng.below(n);
      builder.add_arc(tail, head, weight);
    }
    const Graph graph = builder.build();
    FeatureConfig config;
    config.degree_normalisation = true;
    config.reference_degree = rng.uniform(1, 8);
    for (const MessageDirection way : {MessageDirection::kAlong, MessageDirection::kAgainst}) {
      config.direction = way;
      const GraphInput input = graph_input(graph, config);
      using Seen = std::tuple<NodeId, NodeId, float>;  // receiver, sender, weight
      std::vector<Seen> expected, found;
      std::vector<Seen> all;  // tail, head, weight
      for (NodeId v = 0; v < n; ++v) {
        for (const Arc arc : graph.arcs(v)) {
          if (arc.head == v) continue;
          all.emplace_back(v, arc.head, static_cast<float>(arc.weight * input.weight_unit));
        }
      }
      for (const auto& [tail, head, weight] : all) {
        int leaving = 0, entering = 0;
        for (const auto& [from, to, other] : all) {
          leaving += from == tail && other < weight ? 1 : 0;
          entering += to == head && other < weight ? 1 : 0;
        }
        const bool among = weight <= 2 && std::min(leaving, entering) < 6;
        ++(weight <= 1 ? light : among ? few : out);
        if (weight > 1 && !among) continue;
        const bool along = way == MessageDirection::kAlong;
        expected.emplace_back(along ? head : tail, along ? tail : head, weight);
      }
      for (NodeId v = 0; v < n; ++v) {
        ASSERT_EQ(input.sender[input.first[v]], v);
        ASSERT_EQ(input.weight[input.first[v]], 0);
        for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
          found.emplace_back(v, input.sender[e], input.weight[e]);
        }
      }
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected) << "round " << round;
    }
  }
  EXPECT_GT(std::min({light, few, out}), 100u);
}

TEST(Features, UnitsFollowTheWeights) {
  const FeatureConfig config;
  const auto unit = [&](double a, double b) {
    GraphBuilder builder(2);
    builder.add_arc(0, 1, a);
    builder.add_arc(1, 0, b);
    return graph_input(builder.build(), config).y_unit;
  };
  EXPECT_EQ(unit(0.75, 0.125), 1);  // already U[0, 1)
  EXPECT_EQ(unit(1, 0), 1);
  EXPECT_EQ(unit(0.25, 0.125), 0.375);
  EXPECT_EQ(unit(3000, 1000), 4000);
  EXPECT_EQ(unit(0, 0), 1);
  EXPECT_EQ(unit(0x1p960, 0x1p959), 2 * (0x1p959 + 0x1p958));
  EXPECT_EQ(graph_input(Graph(), config).first.size(), 1u);
}

// A line of 41 nodes has diameter 40.
TEST(Features, ReachScalesLongGraphsDownAndNoGraphUp) {
  GraphBuilder builder(41);
  for (NodeId v = 1; v < 41; ++v) builder.add_edge(v - 1, v, 1);
  const Graph line = builder.build();
  FeatureConfig config;
  config.degree_normalisation = true;
  config.direction = MessageDirection::kAgainst;
  config.reach = 8;
  const GraphInput input = graph_input(line, config);
  EXPECT_NEAR(40 * input.weight_unit, 8, 1e-5);
  EXPECT_NEAR(input.weight_unit * input.y_unit, 1, 1e-12);
  EXPECT_FLOAT_EQ(input.weight[input.first[20] + 1], 0.2f);
  const Graph triangle_graph = triangle();
  config.reach = 100;
  const GraphInput near = graph_input(triangle_graph, config);
  config.reach = 0;
  EXPECT_EQ(near.weight, graph_input(triangle_graph, config).weight);
}

// Of two parts the one with the longer paths counts, unless it has less than a quarter of the
// nodes.
TEST(Features, ReachOfGraphsThatFallApart) {
  const auto drawn = [](NodeId leaves, NodeId line) {
    GraphBuilder builder(1 + leaves + line);
    for (NodeId v = 1; v <= leaves; ++v) builder.add_edge(0, v, 1);
    for (NodeId v = 1; v < line; ++v) builder.add_edge(leaves + v, leaves + v + 1, 1);
    return builder.build();
  };
  for (const MessageDirection direction : {MessageDirection::kAlong, MessageDirection::kAgainst}) {
    FeatureConfig config;
    config.degree_normalisation = true;
    config.direction = direction;
    config.reach = 8;
    EXPECT_NEAR(40 * graph_input(drawn(50, 41), config).weight_unit, 8, 1e-5);
    EXPECT_NEAR(40 * graph_input(drawn(122, 41), config).weight_unit, 8, 1e-5) << "just a quarter";
    FeatureConfig none = config;
    none.reach = 0;
    const Graph short_line = drawn(123, 41);
    EXPECT_EQ(graph_input(short_line, config).weight_unit,
              graph_input(short_line, none).weight_unit);
  }
}

// The hub sees 1 and 1000: without the heavy arc, half of the graph would be out of reach.
TEST(Features, ReachKeepsHeavyArcsOfNodesWithFewArcs) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 1}, {1, 0, 1}, {1, 2, 1000}, {2, 1, 1000}});
  FeatureConfig config;
  config.degree_normalisation = true;
  config.reach = 8;
  EXPECT_EQ(graph_input(graph, config).sender.size(), 3u + 4u);
}

TEST(Features, FittedScaleIsTheLargestWithoutAViolation) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 0.5}, {1, 2, 1}});
  for (const MessageDirection direction : {MessageDirection::kAlong, MessageDirection::kAgainst}) {
    FeatureConfig config;
    config.direction = direction;
    const GraphInput input = graph_input(graph, config);
    // Rises of 0.4 over 0.5 and 0.9 over 1: the second limits.
    const std::vector<double> y = {-1.3, -0.9, 0};
    EXPECT_NEAR(fitted_scale(input, y, 0.5, 2), 1 / 0.9, 1e-5);
    EXPECT_EQ(fitted_scale(input, y, 0.5, 1.05), 1.05);
    EXPECT_EQ(fitted_scale(input, y, 1.5, 2), 1.5);
    EXPECT_EQ(fitted_scale(input, std::vector<double>{0, 0, 0}, 0.5, 2), 2);
  }
}

}  // namespace
}  // namespace lodestar::features_test
