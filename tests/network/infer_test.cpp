#include "lodestar/infer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "error_of.h"
#include "lodestar/generate.h"
#include "lodestar/search.h"
#include "network/features.h"
#include "random_model.h"

namespace lodestar::infer_test {
namespace {

using testing::error_of;

// The equations of model.h, line by line, in double, with nothing factored or collapsed.
std::vector<double> plain_forward(const Model& model, const Graph& graph, Query query,
                                  std::uint32_t steps) {
  const ModelConfig& config = model.config;
  const std::size_t H = config.hidden, M = config.message, Fn = config.features.node_inputs();
  const GraphInput input = graph_input(graph, config.features);
  const std::size_t n = input.nodes;
  std::vector<float> x(n * Fn), pi(input.sender.size());
  node_input(input, config.features, query, x);
  predecessor_input(input, pi);
  using Row = std::vector<double>;
  const auto times = [&](const Row& row, const char* name) {
    const Matrix& matrix = model.matrix(name);
    EXPECT_EQ(row.size(), matrix.rows) << name;
    Row out(matrix.cols, 0.0);
    for (std::size_t k = 0; k < matrix.rows; ++k) {
      for (std::size_t c = 0; c < matrix.cols; ++c) {
        out[c] += row[k] * double{matrix.values[k * matrix.cols + c]};
      }
    }
    return out;
  };
  const auto join = [](const Row& a, const Row& b) {
    Row out = a;
    out.insert(out.end(), b.begin(), b.end());
    return out;
  };
  const auto add = [](Row a, const Row& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  };
  const auto relu = [](Row a) {
    for (double& value : a) value = std::max(value, 0.0);
    return a;
  };
  std::vector<Row> z(n), h(n, Row(H, 0.0)), next(n), y(n);
  for (std::size_t v = 0; v < n; ++v) {
    z[v] = times(Row(x.begin() + v * Fn, x.begin() + (v + 1) * Fn), "node_encoder");
  }
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (std::size_t v = 0; v < n; ++v) {
      Row best(M, -kInfinity);
      for (ArcIndex e = input.first[v]; e < input.first[v + 1]; ++e) {
        const NodeId u = input.sender[e];
        Row features{double{input.weight[e]}};
        if (config.features.hints) features.push_back(double{pi[e]});
        Row message = times(join(z[v], h[v]), "message.receiver");
        message = add(message, times(join(z[u], h[u]), "message.sender"));
        message = add(message, times(times(features, "edge_encoder"), "message.edge"));
        message = relu(add(message, times({1.0}, "message.bias")));
        for (std::uint32_t k = 2; k <= config.message_layers; ++k) {
          const std::string name = "message." + std::to_string(k);
          message = relu(add(times(message, (name + ".weight").c_str()),
                             times({1.0}, (name + ".bias").c_str())));
        }
        for (std::size_t j = 0; j < M; ++j) best[j] = std::max(best[j], message[j]);
      }
      Row sum = add(times(join(z[v], h[v]), "update.self"), times(best, "update.message"));
      next[v] = relu(add(sum, times({1.0}, "update.bias")));
      for (std::uint32_t k = 2; k <= config.update_layers; ++k) {
        const std::string name = "update." + std::to_string(k);
        next[v] = relu(add(times(next[v], (name + ".weight").c_str()),
                           times({1.0}, (name + ".bias").c_str())));
      }
      y[v] = times(join(join(z[v], next[v]), h[v]), "y_decoder");
    }
    h = next;
  }
  std::vector<double> out(n);
  for (std::size_t v = 0; v < n; ++v) {
    out[v] = config.heads == 1 ? y[v][0] : kInfinity;
    for (std::size_t k = 0; config.heads > 1 && k < config.heads; ++k) {
      out[v] = std::min(out[v], y[v][k] - y[query.target][k]);
    }
    out[v] *= config.y_scale * input.y_unit;
  }
  return out;
}

Model model_of(std::uint32_t steps, std::uint64_t seed, Rng& rng) {
  ModelConfig config = random_config(rng, 40, 4);
  config.steps = steps;
  return random_model(config, seed);
}

// Sizes from one node up; directed or not; self-loops and parallel arcs now and then.
Graph random_graph(Rng& rng, NodeId nodes) {
  GraphBuilder builder(nodes);
  const bool directed = rng.chance(0.5);
  const double unit = rng.chance(0.3) ? 137.0 : 1.0;
  const std::size_t count = std::size_t{nodes} * (1 + rng.below(9));
  for (std::size_t i = 0; i < count; ++i) {
    const NodeId u = rng.below(nodes), v = rng.below(nodes);
    if (directed) {
      builder.add_arc(u, v, unit * rng.uniform());
    } else {
      builder.add_edge(u, v, unit * rng.uniform());
    }
  }
  return builder.build();
}

void expect_close(std::span<const double> got, std::span<const double> expected,
                  const std::string& what) {
  double largest = 1e-30;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t v = 0; v < expected.size(); ++v) {
    ASSERT_NEAR(got[v], expected[v], 1e-5 * largest) << what << ", node " << v;
  }
}

TEST(Infer, FollowsTheEquations) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Rng rng(seed);
    ModelConfig config = random_config(rng, 40, 4);
    if (seed % 3 == 0) config.heads = 2 + rng.below(6);
    if (seed % 5 == 0) config.update_layers = 2 + rng.below(2);
    const Model model = random_model(config, seed);
    const Graph graph = random_graph(rng, 1 + rng.below(seed % 10 == 0 ? 120 : 24));
    const PotentialNet net(model, graph);
    PotentialNet::Workspace work(net);
    std::vector<double> y(graph.node_count());
    for (int i = 0; i < 3; ++i) {  // the second query must not see the first
      const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
      net.potentials(query, work, y);
      expect_close(y, plain_forward(model, graph, query, model.config.steps),
                   "seed " + std::to_string(seed));
    }
  }
}

ModelConfig one_step(Rng& rng) {
  ModelConfig config = random_config(rng, 40, 4);
  config.steps = config.message_layers = 1;
  return config;
}

// Without pos the collapsed evaluation equals the general one bit for bit: the maximum over
// weights is attained at an extreme one in floating point too. With pos, rounding may differ.
TEST(Infer, OneStepCollapses) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const Model model = random_model(one_step(rng), seed);
    const Graph graph = random_graph(rng, 1 + rng.below(60));
    const NodeId n = graph.node_count();
    const PotentialNet lazy(model, graph), general(model, graph, {.collapse = false});
    ASSERT_TRUE(lazy.collapses());
    ASSERT_FALSE(general.collapses());
    PotentialNet::Workspace lazy_work(lazy), general_work(general);
    std::vector<double> y(n), expected(n);
    for (int i = 0; i < 8; ++i) {
      const Query query{rng.below(n), rng.below(n)};
      lazy.potentials(query, lazy_work, y);
      general.potentials(query, general_work, expected);
      if (model.config.features.pos) {
        expect_close(y, expected, "seed " + std::to_string(seed));
      } else {
        ASSERT_EQ(y, expected) << "seed " << seed;
      }
    }
  }
}

TEST(Infer, LazySearchIsTheSearchWithPotentials) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    const Model model = random_model(one_step(rng), seed);
    GraphSpec spec;
    spec.nodes = 16 + rng.below(100);
    spec.seed = seed;
    const Graph graph = generate(spec);
    const PotentialNet net(model, graph);
    LazyPotential lazy(net);
    PotentialNet::Workspace work(net);
    std::vector<double> y(graph.node_count());
    Searcher searcher(graph);
    for (int i = 0; i < 5; ++i) {
      const Query query = random_reachable_query(searcher, rng);
      net.potentials(query, work, y);
      const SearchResult full = searcher.run(query, PotentialHeuristic(y, query.target));
      lazy.begin(query);
      const SearchResult found = searcher.run(query, lazy);
      EXPECT_EQ(found.cost, full.cost);
      EXPECT_EQ(found.expansions, full.expansions);
      EXPECT_EQ(found.lower_bound, full.lower_bound);
    }
  }
}

TEST(Infer, BatchIsTheSameOnAnyNumberOfThreads) {
  Rng rng(5);
  const Graph graph = random_graph(rng, 70);
  const PotentialNet net(model_of(3, 5, rng), graph);
  std::vector<Query> queries;
  for (int i = 0; i < 23; ++i) queries.push_back({rng.below(70), rng.below(70)});
  std::vector<double> one(23 * 70), three(23 * 70), single(70);
  net.potentials(queries, one, 1);
  net.potentials(queries, three, 3);
  EXPECT_EQ(one, three);
  PotentialNet::Workspace work(net);
  net.potentials(queries[7], work, single);
  EXPECT_TRUE(std::equal(single.begin(), single.end(), one.begin() + 7 * 70));
}

TEST(Infer, StepsAndScaleMayBeChosen) {
  Rng rng(6);
  const Graph graph = random_graph(rng, 30);
  ModelConfig config = random_config(rng, 40, 4);
  config.steps = 2;
  config.y_scale = 0.75;
  const Model model = random_model(config, 6);
  std::vector<double> y(30), scaled(30);
  const auto run = [&](const NetOptions& options, std::vector<double>& out) {
    const PotentialNet net(model, graph, options);
    PotentialNet::Workspace work(net);
    net.potentials({3, 4}, work, out);
  };
  run({.steps = 4}, y);
  expect_close(y, plain_forward(model, graph, {3, 4}, 4), "four steps");
  run({.steps = 4, .scale = 1.5}, scaled);
  for (std::size_t v = 0; v < 30; ++v) EXPECT_DOUBLE_EQ(scaled[v], 2 * y[v]);
}

TEST(Infer, RefusesWhatDoesNotFit) {
  Rng rng(7);
  const Graph graph = random_graph(rng, 10);
  const PotentialNet net(model_of(2, 7, rng), graph);
  PotentialNet::Workspace work(net);
  std::vector<double> y(10);
  EXPECT_THROW(net.potentials({0, 10}, work, y), Error);
  EXPECT_THROW(LazyPotential{net}, Error);
  std::vector<double> short_of_one(9);
  EXPECT_EQ(error_of([&] {
              net.potentials({0, 1}, work, short_of_one);
            }),
            "y has room for 9 potentials, but the graph has 10 nodes");
  const std::vector<Query> two = {{0, 1}, {1, 2}};
  EXPECT_EQ(error_of([&] { net.potentials(two, y); }),
            "y has room for 10 potentials, but 2 queries need 20");
  const std::string other = "the workspace belongs to another net; make one for each net";
  const PotentialNet twin(model_of(2, 7, rng), graph);
  EXPECT_EQ(error_of([&] { twin.potentials({0, 1}, work, y); }), other);
  const PotentialNet::Workspace moved = std::move(work);
  EXPECT_EQ(error_of([&] { net.potentials({0, 1}, work, y); }), other);
  EXPECT_EQ(work.steps(), 0u) << "a workspace that was moved";
}

TEST(Infer, RefusesNumbersThatAreNotFinite) {
  Rng rng(8);
  const Graph graph = random_graph(rng, 10);
  const Model model = model_of(2, 8, rng);
  EXPECT_EQ(error_of([&] { PotentialNet(model, graph, {.scale = kInfinity}); }),
            "the scale of y is not finite");
  std::vector<double> y(10);
  Model huge = model;
  for (float& value : huge.matrices["y_decoder"].values) value *= 1e30f;
  const PotentialNet infinite(huge, graph, {.scale = 1e300});
  PotentialNet::Workspace own(infinite);
  EXPECT_EQ(error_of([&] {
              infinite.potentials({0, 1}, own, y);
            }),
            "the model's potentials are not finite on this graph; choose another model");
}

TEST(Infer, NetsAndWorkspacesMayBeMoved) {
  Rng rng(9);
  const Graph graph = random_graph(rng, 20);
  for (const std::uint32_t steps : {1u, 3u}) {
    // With one step it collapses, and its potentials may be evaluated lazily.
    PotentialNet net(steps == 1 ? random_model(one_step(rng), 9) : model_of(steps, 9, rng), graph);
    EXPECT_EQ(net.steps(), steps);
    EXPECT_EQ(net.collapses(), steps == 1);
    PotentialNet::Workspace work(net);
    std::vector<double> before(20), after(20);
    net.potentials({2, 3}, work, before);
    PotentialNet::Workspace other(net);
    other = std::move(work);
    const PotentialNet moved = std::move(net);
    moved.potentials({2, 3}, other, after);
    EXPECT_EQ(before, after);
    const std::string gone = "this net was moved; use the object it was moved to";
    EXPECT_EQ(error_of([&] { net.steps(); }), gone);
    EXPECT_EQ(error_of([&] { net.node_count(); }), gone);
    EXPECT_EQ(error_of([&] { PotentialNet::Workspace{net}; }), gone);
    if (!moved.collapses()) continue;
    LazyPotential lazy(moved);
    lazy.begin({2, 3});
    const double value = lazy(7);
    LazyPotential taken = std::move(lazy);
    EXPECT_EQ(taken(7), value);
    EXPECT_EQ(lazy.node_count(), 0u) << "it was moved";
    lazy = std::move(taken);
    EXPECT_EQ(lazy(7), value);
  }
}

// A network that counts steps up to 1: h' = relu(h + 1/8) for 8 steps, through the bias of one
// unit.
Model counting_model() {
  ModelConfig config;
  config.hidden = config.message = 1;
  config.predecessor = false;
  config.features.pos = config.features.hints = false;
  config.features.direction = MessageDirection::kAgainst;
  config.steps = 200;
  config.settle = 1e-3;
  Model model;
  model.config = config;
  for (const MatrixShape& shape : model_shapes(config)) {
    model.matrices[shape.name] = {shape.rows, shape.cols,
                                  std::vector<float>(std::size_t{shape.rows} * shape.cols, 0.0f)};
  }
  // Half of h and half of 1 at the target, whose y stays 0: y settles within 1e-3 after ten steps.
  model.matrices["node_encoder"].values = {0, 1};     // z = is_target
  model.matrices["update.self"].values = {-1, 0.5f};  // -z + h / 2
  model.matrices["update.bias"].values = {0.5f};
  model.matrices["y_decoder"].values = {0, -1, 0};
  return model;
}

TEST(Infer, StepsEndWhenNothingChanges) {
  GraphBuilder builder(4);
  for (NodeId v = 1; v < 4; ++v) builder.add_edge(v - 1, v, 1);
  const Graph graph = builder.build();
  const Model model = counting_model();
  const PotentialNet net(model, graph);
  PotentialNet::Workspace work(net);
  std::vector<double> y(4);
  net.potentials({0, 3}, work, y);
  EXPECT_EQ(work.steps() % kSettleSteps, 0u);
  EXPECT_GE(work.steps(), 12u);
  EXPECT_LE(work.steps(), 20u);
  const double unit = graph_input(graph, model.config.features).y_unit;
  for (NodeId v = 0; v < 3; ++v) EXPECT_NEAR(y[v], -unit, 2e-3 * unit);
  // Another query with the same workspace, and a bound on the steps.
  net.potentials({3, 0}, work, y);
  EXPECT_NEAR(y[3], -unit, 2e-3 * unit);
  const PotentialNet bounded(model, graph, {.steps = 5});
  PotentialNet::Workspace few(bounded);
  bounded.potentials({0, 3}, few, y);
  EXPECT_EQ(few.steps(), 5u);
}

// A network that never settles: y grows by a half in every step.
TEST(Infer, StepsEndAfterTheHopsOfTheTarget) {
  Model model = counting_model();
  model.matrices["update.self"].values = {-1, 1};  // -z + h
  for (const NodeId nodes : {2u, 5u, 30u}) {
    GraphBuilder builder(2 * nodes);
    for (NodeId v = 1; v < nodes; ++v) {
      builder.add_edge(v - 1, v, 1);
      builder.add_edge(v, nodes + v, 1);  // a leaf at each, so that rings have several nodes
    }
    const Graph graph = builder.build();
    const PotentialNet net(model, graph);
    PotentialNet::Workspace work(net);
    std::vector<double> y(graph.node_count());
    net.potentials({nodes - 1, 0}, work, y);
    EXPECT_EQ(work.steps(), std::min(200u, most_steps(nodes))) << nodes;  // with the last leaf
  }
}

}  // namespace
}  // namespace lodestar::infer_test
