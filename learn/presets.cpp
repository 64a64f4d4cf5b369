// The presets: which network, which data, which recipe. Chosen on validation graphs alone; how,
// and what else was tried, is in docs/TRAINING.md.
#include "learn/options.h"

namespace lodestar::learn {
namespace {

// Larger graphs of every density, for the choice of the scale. Seeds apart from all test splits.
std::vector<Split> scale_splits(std::initializer_list<Draw> draws, std::uint32_t count) {
  std::vector<Split> splits;
  std::uint64_t seed = 100;
  for (const Draw draw : draws) {
    for (const Density density : {Density::kSparse, Density::kDense, Density::kVeryDense}) {
      for (const NodeId nodes : {32u, 96u, 192u, 256u}) {
        splits.push_back(
            {"scale-" + to_string(draw) + "-" + to_string(density) + "-" + std::to_string(nodes),
             count, nodes, density, 0, draw, seed++});
      }
    }
  }
  return splits;
}

// The paper's system. Adam with a falling rate trains y(1) better in 15 epochs than plain descent;
// a heavier penalty gives y a better shape, and its scale is then chosen. The imitation of
// Dijkstra's algorithm has little weight: with 1 it takes the gradient away from y(1).
TrainOptions paper() {
  TrainOptions o;
  o.model.preset = "paper";
  o.scale_graphs = scale_splits({Draw::kOr}, 64);
  o.scale_rule = ScaleRule::kTable;
  o.penalty_weight = 4;
  o.cross_entropy_weight = 0.1;
  o.optimizer = Optimizer::kAdam;
  o.learning_rate = 3e-3;
  o.weight_decay = 1e-4;
  o.schedule = Schedule::kCosine;
  o.select = Select::kLast;
  return o;
}

// Mean degree 8.7 at every size, half undirected, half directed.
std::vector<Split> degree_splits(const std::string& role, std::uint64_t seed,
                                 std::initializer_list<std::pair<NodeId, std::uint32_t>> sizes) {
  std::vector<Split> splits;
  for (const auto& [nodes, count] : sizes) {
    for (const Draw draw : {Draw::kExact, Draw::kDirected}) {
      splits.push_back({role + "-" + to_string(draw) + "-" + std::to_string(nodes), count / 2,
                        nodes, Density::kGiven, 8.7 / (nodes - 1), draw, seed++});
    }
  }
  return splits;
}

TrainOptions deep() {
  TrainOptions o;
  o.model.preset = "deep";
  o.model.hidden = o.model.message = 32;
  o.model.steps = o.train_steps = 12;
  o.loss_steps = 2;
  o.model.features.pos = o.model.features.hints = false;
  o.model.features.direction = MessageDirection::kAgainst;
  o.model.features.degree_normalisation = true;
  o.cross_entropy_weight = 0;
  o.train = degree_splits("train", 11, {{16, 400}, {32, 300}, {64, 150}});
  o.validation = degree_splits("validation", 21, {{16, 32}, {32, 32}, {64, 32}});
  o.scale_graphs = scale_splits({Draw::kOr, Draw::kDirected}, 16);
  o.lambda = 0.005;
  o.optimizer = Optimizer::kAdam;
  o.learning_rate = 3e-3;
  o.weight_decay = 1e-4;
  o.schedule = Schedule::kCosine;
  o.epochs = 40;
  o.select = Select::kLast;
  o.scale_constraints = 0.998;
  return o;
}

// One step, no position, no hints, no imitation: what is left when only speed counts.
TrainOptions swift() {
  TrainOptions o = paper();
  o.model.preset = "swift";
  o.model.hidden = o.model.message = 12;  // 8 keeps the quality with some seeds only
  o.model.features.pos = o.model.features.hints = false;
  o.train_steps = 1;
  o.penalty_weight = 3;
  o.cross_entropy_weight = 0;
  o.learning_rate = 5e-3;
  o.epochs = 20;
  return o;
}

}  // namespace

TrainOptions preset_options(const std::string& preset) {
  if (preset == "paper") return paper();
  if (preset == "deep") return deep();
  if (preset == "swift") return swift();
  throw Error("unknown preset '" + preset + "'; choose paper, deep or swift");
}

}  // namespace lodestar::learn
