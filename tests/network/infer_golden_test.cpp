// Potentials that torch computed, reproduced without it: tests/golden/potentials.json holds the
// models' shapes and seeds, the graphs' specifications, and y after every step.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lodestar/generate.h"
#include "lodestar/infer.h"
#include "random_model.h"

namespace lodestar::infer_golden_test {
namespace {

TEST(InferGolden, AgreesWithTorch) {
  const std::string path = LODESTAR_SOURCE_DIR "/tests/golden/potentials.json";
  std::ifstream in(path);
  ASSERT_TRUE(in) << path;
  const auto cases = nlohmann::json::parse(in);
  ASSERT_GE(cases.size(), 10u);
  for (const auto& golden : cases) {
    const std::uint64_t seed = golden["seed"];
    const ModelConfig config = parse_config(golden["config"].dump(), path);
    GraphSpec spec;
    spec.nodes = golden["nodes"];
    spec.draw = parse_draw(golden["draw"]);
    spec.density = Density::kGiven;
    spec.p = golden["p"];
    spec.seed = seed;
    const Graph graph = generate(spec);
    const Query query{golden["source"], golden["target"]};
    const std::vector<std::vector<double>> expected = golden["y"];
    ASSERT_EQ(expected.size(), config.steps);
    std::vector<double> y(spec.nodes);
    for (std::uint32_t steps = 1; steps <= config.steps; ++steps) {
      const PotentialNet net(random_model(config, seed), graph, {.steps = steps});
      PotentialNet::Workspace work(net);
      net.potentials(query, work, y);
      double largest = 1e-30;
      for (const double value : expected[steps - 1]) largest = std::max(largest, std::abs(value));
      for (NodeId v = 0; v < spec.nodes; ++v) {
        ASSERT_NEAR(y[v], expected[steps - 1][v], 1e-5 * largest)
            << "case of seed " << seed << ", step " << steps << ", node " << v;
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::infer_golden_test
