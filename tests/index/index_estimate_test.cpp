#include "lodestar/index_estimate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lodestar/graph_io.h"
#include "road.h"
#include "run_program.h"
#include "scratch_folder.h"

namespace lodestar::index_estimate_test {
namespace {

using testing::road;

const IndexCost& cost_of(const IndexCosts& costs, IndexKind kind) {
  for (const IndexCost& cost : costs.costs) {
    if (cost.kind == kind) return cost;
  }
  throw Error("no such kind");
}

double bytes_of(const IndexCosts& costs, IndexKind kind) {
  return cost_of(costs, kind).bytes_per_node.value();
}

double bytes_per_node(const Index& index) {
  return static_cast<double>(index.facts().bytes) / index.facts().nodes;
}

Index built(const Graph& graph, bool labels, std::optional<NodeId> core = {}) {
  IndexOptions options;
  options.labels = labels;
  options.core = core;
  options.guide = CorePotentials::kNone;
  return Index::build(graph, options);
}

TEST(Rungs, OfASmallGraphAreMeasured) {
  const Graph graph = road(3000);
  const IndexCosts costs = estimate_index_costs(graph);
  EXPECT_EQ(costs.piece, 0u);
  ASSERT_EQ(costs.costs.size(), 4u);
  EXPECT_EQ(bytes_of(costs, IndexKind::kPotentials), 64);
  const IndexFacts core = built(graph, false).facts();
  ASSERT_TRUE(core.core_distances);
  const double n = graph.node_count();
  EXPECT_DOUBLE_EQ(bytes_of(costs, IndexKind::kCore), static_cast<double>(core.bytes) / n);
  EXPECT_NEAR(bytes_of(costs, IndexKind::kCoreWithoutPaths),
              static_cast<double>(core.bytes - core.path_bytes) / n, 1e-9);
  EXPECT_DOUBLE_EQ(bytes_of(costs, IndexKind::kLabels), bytes_per_node(built(graph, true)));
  for (const IndexCost& cost : costs.costs) {
    EXPECT_TRUE(cost.measured);
    EXPECT_GT(cost.seconds.value(), 0);
  }
}

// A piece of an eighth and one of a thirty-second of the nodes tell what all of them take.
TEST(Rungs, OfALargeGraphAreGuessedFromAPiece) {
  const Graph graph = road(40'000);
  EstimateOptions options;
  options.piece = 5000;
  const IndexCosts costs = estimate_index_costs(graph, options);
  EXPECT_EQ(costs.piece, 5000u);
  const double core = bytes_per_node(built(graph, false)),
               labels = bytes_per_node(built(graph, true));
  EXPECT_NEAR(bytes_of(costs, IndexKind::kCore), core, 0.15 * core);
  EXPECT_NEAR(bytes_of(costs, IndexKind::kLabels), labels, 0.35 * labels);
  EXPECT_FALSE(cost_of(costs, IndexKind::kLabels).measured);
  EXPECT_LT(bytes_of(costs, IndexKind::kCoreWithoutPaths), bytes_of(costs, IndexKind::kCore));
}

TEST(Rungs, OfAnIndexAreItsPartsAndASampleOfLabels) {
  const Graph graph = road(20'000);
  const Index index = built(graph, false);
  ASSERT_TRUE(index.facts().core_distances);
  const IndexCosts costs = index_costs_of(index);
  EXPECT_DOUBLE_EQ(bytes_of(costs, IndexKind::kCore), bytes_per_node(index));
  const Index labels = built(graph, true, index.facts().core);
  EXPECT_NEAR(bytes_of(costs, IndexKind::kLabels), bytes_per_node(labels),
              0.1 * bytes_per_node(labels));
  EXPECT_FALSE(cost_of(costs, IndexKind::kLabels).measured);
  EXPECT_GT(cost_of(costs, IndexKind::kLabels).seconds.value(),
            cost_of(costs, IndexKind::kCore).seconds.value());
  const IndexCosts own = index_costs_of(labels);
  EXPECT_TRUE(cost_of(own, IndexKind::kLabels).measured);
  EXPECT_DOUBLE_EQ(bytes_of(own, IndexKind::kLabels), bytes_per_node(labels));
}

TEST(Rungs, OfFractionsIncludeLabels) {
  GraphBuilder builder(40);
  for (NodeId u = 0; u + 1 < 40; ++u) builder.add_edge(u, u + 1, 1.0 / (u + 7));
  const IndexCosts fractions = estimate_index_costs(builder.build());
  EXPECT_TRUE(cost_of(fractions, IndexKind::kCore).bytes_per_node);
  EXPECT_GT(bytes_of(fractions, IndexKind::kLabels), bytes_of(fractions, IndexKind::kCore));
}

TEST(Rungs, SayWhatIsNotToBeHad) {
  EXPECT_FALSE(cost_of(index_costs_of(built(road(900), false, NodeId{0})), IndexKind::kLabels)
                   .bytes_per_node);
  IndexOptions bare;
  bare.paths = false;
  EXPECT_FALSE(
      cost_of(index_costs_of(Index::build(road(900), bare)), IndexKind::kCore).bytes_per_node);
  EXPECT_EQ(estimate_index_costs(GraphBuilder(0).build()).costs.size(), 1u);
  EXPECT_EQ(measure_queries(Index::build(GraphBuilder(0).build())).index, 0);
  EstimateOptions impatient;
  impatient.patience = 0;
  const IndexCosts none = estimate_index_costs(road(20'000), impatient);
  for (const IndexKind kind :
       {IndexKind::kCore, IndexKind::kCoreWithoutPaths, IndexKind::kLabels}) {
    EXPECT_EQ(cost_of(none, kind).why, "contraction is too slow to tell");
    EXPECT_FALSE(cost_of(none, kind).bytes_per_node);
  }
  EXPECT_FALSE(none.times);
  EXPECT_EQ(estimate_index_costs(GraphBuilder(50'000).build()).costs.size(), 4u);  // no arcs at all
}

TEST(Rungs, AreShownByInfo) {
  const ScratchFolder folder;
  const std::string graph = folder / "r.lsg", index = folder / "r.lsi";
  GraphFile file;
  file.graph = road(2000);
  write_graph(file, graph);
  ASSERT_EQ(testing::run_program("index " + graph + " -o " + index).status, 0);
  for (const std::string& path : {graph, index}) {
    const auto text = testing::run_program("info " + path);
    EXPECT_EQ(text.status, 0);
    for (const char* part :
         {"potentials         fit", "index --no-paths", "index --labels", "bytes a node"}) {
      EXPECT_NE(text.out.find(part), std::string::npos) << part << " in\n" << text.out;
    }
    const auto info = nlohmann::json::parse(testing::run_program("info --json " + path).out);
    ASSERT_EQ(info["estimates"].size(), 4u);
    EXPECT_EQ(info["estimates"][0]["kind"], "potentials");
    EXPECT_EQ(info["estimates"][3]["kind"], "labels");
    EXPECT_GT(info["estimates"][3]["bytes_per_node"], info["estimates"][2]["bytes_per_node"]);
  }
}

}  // namespace
}  // namespace lodestar::index_estimate_test
