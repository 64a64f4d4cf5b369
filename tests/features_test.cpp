#include "lodestar/features.h"

#include <gtest/gtest.h>

#include "hand_drawn.h"

namespace lodestar {
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

TEST(Features, DegreeNormalisationScalesWeightsAndLeavesHeavyArcsOut) {
  FeatureConfig config;
  config.degree_normalisation = true;
  config.reference_degree = 1;  // triangle: 4 arcs, 3 nodes, c = 4/3
  const GraphInput input = graph_input(triangle(), config);
  EXPECT_EQ(input.sender, (Nodes{0, 1, 0, 2, 1}));  // 2 -> 0 weighs 4/3 and is out
  EXPECT_EQ(input.weight[2], static_cast<float>(0.5 * (4.0 / 3)));
  EXPECT_DOUBLE_EQ(input.y_unit, 0.75);
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

}  // namespace
}  // namespace lodestar
