// Inference without torch against the network in torch: the same potentials after every step.
//
// With LODESTAR_WRITE_GOLDEN=FILE the last test writes what torch says of a few small cases; the
// file is kept as tests/golden/potentials.json, so that builds without torch are checked too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "learn/train/batch.h"
#include "learn/train/net.h"
#include "learn/train/torch.h"
#include "lodestar/generate.h"
#include "lodestar/infer.h"
#include "random_model.h"

namespace lodestar::learn::infer_parity_test {
namespace {

// Potentials after each step, by torch: [steps][n].
std::vector<std::vector<double>> by_torch(const Model& model, const Graph& graph, Query query) {
  const torch::NoGradGuard no_gradients;
  Sample sample;
  sample.graph = graph;
  sample.query = query;
  sample.input = graph_input(graph, model.config.features);
  const Sample* one[] = {&sample};
  const Net net(model);
  const at::Tensor y = net.forward(make_inference_batch(one, model.config), 0).y.contiguous();
  EXPECT_EQ(y.size(0), model.config.steps);
  const float* values = y.data_ptr<float>();
  std::vector<std::vector<double>> out(model.config.steps);
  for (auto& step : out) {
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      step.push_back(model.config.y_scale * sample.input.y_unit * static_cast<double>(*values++));
    }
  }
  return out;
}

Model head_of(const Model& model, std::uint32_t head) {
  Model one = model;
  one.config.heads = 1;
  Matrix& decoder = one.matrices.at("y_decoder");
  const Matrix all = decoder;
  decoder.cols = 1;
  decoder.values.clear();
  for (std::uint32_t row = 0; row < all.rows; ++row) {
    decoder.values.push_back(all.values[row * all.cols + head]);
  }
  return one;
}

// The largest number the potentials of each step are made of. Several heads are joined as
// differences, whose rounding is that of the heads' own values.
std::vector<double> sizes_by_torch(const Model& model, const Graph& graph, Query query) {
  std::vector<double> sizes(model.config.steps, 1e-30);
  for (std::uint32_t head = 0; head < model.config.heads; ++head) {
    const auto y = by_torch(head_of(model, head), graph, query);
    for (std::size_t step = 0; step < sizes.size(); ++step) {
      for (const double value : y[step]) sizes[step] = std::max(sizes[step], std::abs(value));
    }
  }
  return sizes;
}

void expect_parity(const Model& model, const Graph& graph, Query query) {
  const auto expected = by_torch(model, graph, query);
  const std::vector<double> sizes = sizes_by_torch(model, graph, query);
  std::vector<double> y(graph.node_count());
  for (std::uint32_t steps = 1; steps <= model.config.steps; ++steps) {
    const PotentialNet net(model, graph, {.steps = steps});
    PotentialNet::Workspace work(net);
    net.potentials(query, work, y);
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      ASSERT_NEAR(y[v], expected[steps - 1][v], 1e-5 * sizes[steps - 1])
          << "node " << v << " of " << graph.node_count() << ", step " << steps << ", "
          << config_json(model.config);
    }
  }
}

GraphSpec random_spec(Rng& rng, NodeId nodes) {
  GraphSpec spec;
  spec.nodes = nodes;
  spec.seed = rng.next();
  spec.draw = rng.chance(0.5) ? Draw::kDirected : Draw::kOr;
  spec.density = Density::kGiven;
  spec.p = nodes > 100 ? rng.uniform(0, 20.0 / nodes) : rng.uniform();
  return spec;
}

TEST(InferParity, RandomArchitecturesAndSizes) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    ModelConfig config = random_config(rng, 70, 5);
    if (seed % 4 == 0) config.heads = 2 + rng.below(6);
    if (seed % 3 == 0) config.update_layers = 1 + rng.below(3);
    const Model model = random_model(config, seed);
    const NodeId nodes = seed < 8 ? 1 + static_cast<NodeId>(seed) : 1 + rng.below(600);
    const Graph graph = generate(random_spec(rng, nodes));
    expect_parity(model, graph, {rng.below(nodes), rng.below(nodes)});
    if (HasFatalFailure()) return;
  }
}

TEST(InferParity, PretrainedModels) {
  if (embedded_models().empty()) GTEST_SKIP() << "no pretrained models in this build";
  for (const EmbeddedModel& embedded : embedded_models()) {
    Model model = load_model(std::string(embedded.name));
    // Step by step: neither ended early nor fitted.
    model.config.steps = std::min(model.config.steps, 32u);
    model.config.settle = model.config.y_scale_most = 0;
    for (const NodeId nodes : {16u, 64u, 256u}) {
      for (const Draw draw : {Draw::kOr, Draw::kDirected}) {
        GraphSpec spec;
        spec.nodes = nodes;
        spec.seed = nodes;
        spec.draw = draw;
        expect_parity(model, generate(spec), {1, nodes - 1});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(InferParity, WritesGoldenFile) {
  const char* path = std::getenv("LODESTAR_WRITE_GOLDEN");
  if (path == nullptr) GTEST_SKIP() << "LODESTAR_WRITE_GOLDEN is not set";
  auto cases = nlohmann::ordered_json::array();
  for (std::uint64_t seed = 100; seed < 112; ++seed) {
    Rng rng(seed);
    const ModelConfig config = random_config(rng, 70, 5);
    const NodeId nodes = seed == 100 ? 1 : 2 + rng.below(24);
    GraphSpec spec = random_spec(rng, nodes);
    spec.seed = seed;
    const Query query{rng.below(nodes), rng.below(nodes)};
    cases.push_back({{"config", nlohmann::ordered_json::parse(config_json(config))},
                     {"seed", seed},
                     {"nodes", nodes},
                     {"draw", to_string(spec.draw)},
                     {"p", spec.p},
                     {"source", query.source},
                     {"target", query.target},
                     {"y", by_torch(random_model(config, seed), generate(spec), query)}});
  }
  std::ofstream out(path);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    out << (i == 0 ? "[" : ",\n") << cases[i].dump();
  }
  out << "]\n";
  EXPECT_TRUE(out.good());
}

}  // namespace
}  // namespace lodestar::learn::infer_parity_test
