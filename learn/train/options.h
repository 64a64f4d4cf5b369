// Everything a training run depends on. No torch.
//
//   TrainOptions options = preset_options("deep");
//   options.epochs = 10;
//   const std::string text = options_json(options);      // what is stored beside the model
//
// Names, in the JSON config file and as flags of the program, come from one list: visit_options.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/evaluate/splits.h"
#include "lodestar/model.h"

namespace lodestar::learn {

enum class Optimizer : std::uint8_t { kSgd, kAdam, kAdamW };
enum class Schedule : std::uint8_t { kConstant, kCosine };
// The penalty of a violated constraint: its excess y_v - y_u - w, or y_v - y_u as the paper prints
// it. The gradients are the same; the value differs, and with it which epoch counts as the best.
enum class Penalty : std::uint8_t { kHinge, kPrinted };
// Which nodes the objective lifts y(t) above: the source, as in the paper, or the mean of all nodes
// that reach t. The optimum of the second is the distance of every node, not of s alone.
enum class Objective : std::uint8_t { kSource, kAll };
// How imitation scores u as the predecessor of v, from x = [z, h, h'] of both: by a product of two
// linear maps of x_v and x_u over all nodes, or by one linear map of [x_v, x_u, z_e] over the arcs
// (u, v). The paper says linear, which has no place for u by itself. Used in training only.
enum class Decoder : std::uint8_t { kBilinear, kLinear };
enum class Select : std::uint8_t { kBest, kLast };  // which epoch's parameters are kept
// How the scale of y is chosen. Gap: the fewest iterations within scale_gap and scale_constraints.
// Table: no worse than the paper's published table in as many of its cells as can be. Effort: the
// fewest expansions plus nodes changed by closure, relative to a perfect heuristic.
enum class ScaleRule : std::uint8_t { kGap, kTable, kEffort };

struct TrainOptions {
  ModelConfig model;

  // Data. `graphs` names a folder of graph files that takes the place of the splits.
  std::vector<Split> train = {paper_train_split()};
  std::vector<Split> validation = {paper_validation_split()};
  std::vector<Split> scale_graphs;  // on which the scale of y is chosen; validation when empty
  std::uint64_t data_seed = 0;      // other training and validation graphs like them; 0: as named
  double stretch = 1;  // training graphs have their weights times 1 … stretch, in network units
  std::uint32_t train_graphs = 0;  // only so many, spread over the splits; 0: all
  std::string graphs;
  std::uint32_t queries = 32;  // drawn per graph of `graphs` that has no query file

  // Steps of the processor in training: 0 follows Dijkstra's algorithm to its end.
  std::uint32_t train_steps = 0;
  std::uint32_t loss_steps = 0;  // y is judged at the last so many steps; 0: at all
  // Above 0, training aims at a fixed point: each batch takes a random number of steps from
  // fewest_steps to train_steps, or more if its graphs need more, and a graph is judged at all
  // steps from the one at which the target's messages have reached every node.
  std::uint32_t fewest_steps = 0;
  // The first so many hidden units carry a message unchanged (net.h).
  std::uint32_t carry = 0;

  // Loss: objective_weight (y_s - y_t), s the source or the mean of all + penalty_weight Σ
  // violations + lambda Σ y²
  //       + cross_entropy_weight · cross-entropy of the predecessor pointer.
  Objective objective = Objective::kSource;
  double objective_weight = 0.5;
  double penalty_weight = 1;
  double lambda = 0.02;
  double cross_entropy_weight = 1;
  Penalty penalty = Penalty::kHinge;
  Decoder decoder = Decoder::kBilinear;
  // Whether every step sees the true state of Dijkstra's algorithm. Otherwise it sees the state
  // before the first step and, as predecessors, those the network itself chose the step before.
  bool teacher_forcing = true;

  Optimizer optimizer = Optimizer::kSgd;
  double learning_rate = 4e-3;
  double weight_decay = 2e-3;
  double momentum = 0;
  Schedule schedule = Schedule::kConstant;
  double learning_rate_floor = 0.02;  // cosine: where it ends, as a share of learning_rate
  double clip = 0;                    // largest norm of a step's gradient; 0: no limit

  std::uint32_t epochs = 15;
  std::uint32_t batch = 32;
  std::uint32_t patience = 0;  // epochs without a better validation loss before stopping; 0: never
  Select select = Select::kBest;
  std::uint64_t seed = 1;  // of the first parameters and the order of the data
  std::uint32_t threads = 1;

  // Scale of y. 0: chosen on scale_graphs by scale_rule. scale_gap: largest mean relative distance;
  // scale_constraints: smallest share of satisfied constraints, on the worst split.
  double scale = 0;
  ScaleRule scale_rule = ScaleRule::kGap;
  double scale_most = 0;  // above 0: fitted per query from the chosen scale up to this
  double scale_gap = 0;
  double scale_constraints = 0;
};

// Calls visit(name, member, help) for every option.
template <class Options, class Visit>
void visit_options(Options& o, Visit&& visit) {
  visit("hidden", o.model.hidden, "size of the hidden vectors");
  visit("message", o.model.message, "size of the messages");
  visit("message_layers", o.model.message_layers, "layers of the message function, 1 to 3");
  visit("update_layers", o.model.update_layers, "layers of the update function, 1 to 3");
  visit("steps", o.model.steps, "steps of the processor when the model is used, at most");
  visit("carry", o.carry,
        "hidden units that carry messages unchanged: the largest over the arcs of the sender's "
        "value less a learned multiple of the weight");
  visit("settle", o.model.settle,
        "change of y below which the steps end when the model is used; 0: after all steps");
  visit("heads", o.model.heads, "potentials predicted at once; the heuristic is their largest");
  visit("pos", o.model.features.pos, "node number as an input");
  visit("hints", o.model.features.hints, "state of Dijkstra's algorithm as input");
  visit("direction", o.model.features.direction, "messages along or against the arcs");
  visit("degree_normalisation", o.model.features.degree_normalisation,
        "bring every graph to the degree of training");
  visit("reference_degree", o.model.features.reference_degree, "degree of training");
  visit("reach", o.model.features.reach,
        "largest distance in the network's unit; larger graphs are scaled down; 0: no limit");
  visit("train", o.train,
        "training split NAME:COUNT:NODES:DENSITY:DRAW:SEED, repeatable; DRAW is or, exact, "
        "directed, clrs, or another family of graphs: grid, geometric, road, chain");
  visit("validation", o.validation, "validation split, repeatable");
  visit("scale_graphs", o.scale_graphs, "split on which the scale of y is chosen, repeatable");
  visit("data_seed", o.data_seed,
        "seed of other training and validation graphs of the same kinds; 0: those of the splits");
  visit("stretch", o.stretch,
        "largest factor of the training weights, for the distances of larger graphs");
  visit("train_graphs", o.train_graphs, "training graphs to use; 0: all");
  visit("graphs", o.graphs, "folder of graph files to train on instead of the splits");
  visit("queries", o.queries, "queries drawn per graph of --graph-folder without a query file");
  visit("train_steps", o.train_steps, "steps in training; 0: as many as Dijkstra takes");
  visit("loss_steps", o.loss_steps, "last steps at which the loss is taken; 0: all");
  visit("fewest_steps", o.fewest_steps,
        "fewest of a random number of steps, up to --train-steps, for training a fixed point; 0: "
        "off");
  visit("objective", o.objective, "nodes above which y(t) is raised: source, or all that reach t");
  visit("objective_weight", o.objective_weight, "weight of y(s) - y(t)");
  visit("penalty_weight", o.penalty_weight, "weight of the violated constraints");
  visit("lambda", o.lambda, "weight of the squared norm of y");
  visit("cross_entropy_weight", o.cross_entropy_weight, "weight of imitating Dijkstra; 0: off");
  visit("penalty", o.penalty, "form of the penalty: hinge, or printed as in the paper");
  visit("decoder", o.decoder, "decoder of the imitated predecessors: bilinear or linear");
  visit("teacher_forcing", o.teacher_forcing,
        "true hints at every step; otherwise the network's own predecessors");
  visit("optimizer", o.optimizer, "optimizer: sgd, adam or adamw");
  visit("learning_rate", o.learning_rate, "learning rate");
  visit("weight_decay", o.weight_decay, "weight decay");
  visit("momentum", o.momentum, "momentum of sgd");
  visit("schedule", o.schedule, "schedule of the learning rate: constant or cosine");
  visit("learning_rate_floor", o.learning_rate_floor,
        "end of the cosine schedule, as a share of the learning rate");
  visit("clip", o.clip, "largest norm of the gradient; 0: no limit");
  visit("epochs", o.epochs, "passes over the training graphs");
  visit("batch", o.batch, "graphs per step");
  visit("patience", o.patience, "epochs without improvement before stopping; 0: never");
  visit("select", o.select, "keep the best (by validation loss) or the last epoch");
  visit("seed", o.seed, "seed of the first parameters and the order of the data");
  visit("threads", o.threads, "threads of the matrix products; 0: all cores");
  visit("scale", o.scale, "scale of y; 0: chosen on validation graphs");
  visit("scale_rule", o.scale_rule,
        "rule for the scale: gap, effort (expansions and closure), or table (against the paper's "
        "published table)");
  visit("scale_most", o.scale_most,
        "largest scale of y; the scale is then fitted per query so that no constraint is violated, "
        "and the chosen one is its minimum; 0: not fitted");
  visit("scale_gap", o.scale_gap, "mean relative distance allowed by the rule gap");
  visit("scale_constraints", o.scale_constraints,
        "share of satisfied constraints required by the rule gap, on every split");
}

// "paper", "paper-alone", "paper-tuned", "deep", "swift"; throws Error on another name.
TrainOptions preset_options(const std::string& preset);

std::string options_json(const TrainOptions& options);
// Fields of the text replace those of `options`; the rest stays. Throws Error, naming `where`, on
// text that is not a JSON object, on unknown names and on values of the wrong type.
void apply_options_json(const std::string& text, const std::string& where, TrainOptions& options);
// Throws Error on values that make no sense, saying which and why.
void check_options(const TrainOptions& options);

// The names of each option's values, in their order.
inline constexpr std::array<const char*, 3> names_of(Optimizer) {
  return {"sgd", "adam", "adamw"};
}
inline constexpr std::array<const char*, 2> names_of(Schedule) {
  return {"constant", "cosine"};
}
inline constexpr std::array<const char*, 2> names_of(Penalty) {
  return {"hinge", "printed"};
}
inline constexpr std::array<const char*, 2> names_of(Objective) {
  return {"source", "all"};
}
inline constexpr std::array<const char*, 2> names_of(Decoder) {
  return {"bilinear", "linear"};
}
inline constexpr std::array<const char*, 2> names_of(Select) {
  return {"best", "last"};
}
inline constexpr std::array<const char*, 3> names_of(ScaleRule) {
  return {"gap", "table", "effort"};
}

template <class E>
concept NamedOption = requires(E value) {
  names_of(value);
};
template <NamedOption E>
std::string to_string(E value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}
// The place of a text among names; throws Error if it is not there.
std::size_t place_among(std::span<const char* const> names, const std::string& text);
template <NamedOption E>
void parse_option(const std::string& text, E& value) {
  value = static_cast<E>(place_among(names_of(value), text));
}
void parse_option(const std::string& text, MessageDirection& value);

}  // namespace lodestar::learn
