#include "learn/train/net.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "learn/train/torch.h"

namespace lodestar::learn {
namespace {

// Inputs of the layer a matrix is part of: the factored pieces count as the one they make up.
double fan_in(const std::string& name, const ModelConfig& config) {
  const double h = config.hidden, m = config.message;
  if (name == "node_encoder") return static_cast<double>(config.features.node_inputs());
  if (name == "edge_encoder") return static_cast<double>(config.features.edge_inputs());
  if (name.starts_with("message.") && !std::isdigit(static_cast<unsigned char>(name[8]))) {
    return 5 * h;
  }
  if (name.starts_with("message.")) return m;
  if (name.starts_with("update.") && std::isdigit(static_cast<unsigned char>(name[7]))) return h;
  if (name.starts_with("update.")) return 2 * h + m;
  if (name.starts_with("pointer.")) return 7 * h;
  return 3 * h;
}

// Parameters of a score for [x_v, x_u, z_e]. The share of x_v is the same for every u and cancels
// in the softmax over u, so it has no parameter.
std::vector<MatrixShape> linear_decoder_shapes(const ModelConfig& config) {
  return {{"pointer.sender", 3 * config.hidden, 1}, {"pointer.edge", config.hidden, 1}};
}

constexpr double kNever = -1e9;  // score of what cannot be a predecessor

}  // namespace

void Net::add_parameter(const MatrixShape& shape, at::Tensor tensor) {
  index_[shape.name] = parameters_.size();
  parameters_.push_back(tensor.requires_grad_(true));
}

Net::Net(const ModelConfig& config, std::uint64_t seed, Decoder decoder, std::uint32_t carry)
    : config_(config), linear_(config.predecessor && decoder == Decoder::kLinear) {
  if (linear_) config_.predecessor = false;
  std::vector<MatrixShape> shapes = model_shapes(config_);
  if (linear_) {
    for (const MatrixShape& shape : linear_decoder_shapes(config_)) shapes.push_back(shape);
  }
  Rng rng = Rng(seed).fork(1);
  for (const MatrixShape& shape : shapes) {
    auto tensor = torch::empty({shape.rows, shape.cols}, torch::kFloat);
    const double bound = 1 / std::sqrt(fan_in(shape.name, config));
    float* values = tensor.data_ptr<float>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
      values[i] = static_cast<float>(rng.uniform(-bound, bound));
    }
    add_parameter(shape, tensor);
  }
  if (carry > 0) fix_carry(carry);
}

void Net::fix_carry(std::uint32_t carry) {
  constexpr float kGate = 100;  // above any b_c
  const auto reach = static_cast<float>(config_.features.reach);
  const std::int64_t h = config_.hidden;
  const auto fix = [&](const char* name) -> Fixed& {
    const at::Tensor& like = parameter(name);
    Fixed& fixed = fixed_[name];
    fixed = {torch::ones_like(like).detach(), torch::zeros_like(like).detach()};
    return fixed;
  };
  const auto columns = [&](const char* name) -> Fixed& {
    Fixed& fixed = fix(name);
    fixed.learned.narrow(1, 0, carry).zero_();
    return fixed;
  };
  const auto set = [](at::Tensor& matrix, std::int64_t row, std::int64_t column, float value) {
    matrix.data_ptr<float>()[row * matrix.size(1) + column] = value;
  };
  // Encodings: z_0 is is_target, the second input; the first entry of an arc's is its weight.
  Fixed& node = fix("node_encoder");
  node.learned.narrow(1, 0, 1).zero_();
  set(node.added, 1, 0, 1);
  Fixed& arc = fix("edge_encoder");
  set(arc.learned, 0, 0, 0);
  set(arc.added, 0, 0, 1);
  Fixed& receiver = columns("message.receiver");
  Fixed& sender = columns("message.sender");
  Fixed& edge = columns("message.edge");
  Fixed& self = columns("update.self");
  Fixed& message = columns("update.message");
  columns("message.bias");
  columns("update.bias");
  for (std::int64_t c = 0; c < carry; ++c) {
    set(receiver.added, 0, c, -kGate);
    set(sender.added, h + c, c, 1);
    set(edge.learned, 0, c, 1);
    set(edge.added, 0, c, -1);
    set(self.learned, 0, c, 1);
    set(self.added, 0, c, reach > 0 ? reach : 1);
    set(message.added, c, c, 1);
  }
  // The decoder begins with the carried units alone: the others add what lowers the loss.
  const torch::NoGradGuard no_gradients;
  at::Tensor decoder = parameter("y_decoder");
  decoder.narrow(0, 0, h).zero_();
  decoder.narrow(0, h + carry, h - carry).zero_();
  decoder.narrow(0, 2 * h + carry, h - carry).zero_();
}

at::Tensor Net::matrix(const std::string& name) const {
  const auto found = fixed_.find(name);
  if (found == fixed_.end()) return parameter(name);
  return parameter(name) * found->second.learned + found->second.added;
}

Net::Net(const Model& model) : config_(model.config) {
  for (const MatrixShape& shape : model_shapes(config_)) {
    auto tensor = torch::empty({shape.rows, shape.cols}, torch::kFloat);
    const std::vector<float>& values = model.matrix(shape.name).values;
    std::memcpy(tensor.data_ptr<float>(), values.data(), values.size() * sizeof(float));
    add_parameter(shape, tensor);
  }
}

Model Net::to_model() const {
  // Weight decay takes weights that serve nothing towards 0 for ever. Products of such weights are
  // subnormal numbers, which processors compute ten times slower, for nothing that y shows.
  constexpr float kNegligible = 1e-10f;
  Model model;
  model.config = config_;
  for (const MatrixShape& shape : model_shapes(config_)) {
    const auto tensor = matrix(shape.name).detach().contiguous();
    const float* values = tensor.data_ptr<float>();
    std::vector<float> kept(values, values + tensor.numel());
    for (float& value : kept) {
      if (std::abs(value) < kNegligible) value = 0;
    }
    model.matrices[shape.name] = {shape.rows, shape.cols, std::move(kept)};
  }
  return model;
}

// m [N × M]; `own` becomes the update's own part of q.
at::Tensor Net::messages(const Batch& batch, const at::Tensor& q, const at::Tensor& alpha,
                         const at::Tensor& beta, const at::Tensor& pi, at::Tensor& own) const {
  if (config_.message_layers == 1) {
    auto [m, s] = gather_max(q, alpha, beta, {batch.first, batch.sender, batch.weight, pi});
    own = s;
    return m;
  }
  const std::int64_t width = config_.message;
  own = q.narrow(1, 2 * width, config_.hidden);
  auto value = q.narrow(1, 0, width).index_select(0, batch.receiver) +
               q.narrow(1, width, width).index_select(0, batch.sender) +
               batch.weight.unsqueeze(1) * alpha;
  if (pi.defined()) value = value + pi.unsqueeze(1) * beta;
  value = value.relu();
  for (std::uint32_t k = 2; k <= config_.message_layers; ++k) {
    const std::string prefix = "message." + std::to_string(k);
    value = torch::addmm(parameter(prefix + ".bias"), value, parameter(prefix + ".weight")).relu();
  }
  return segment_max(value, batch.first);
}

NetOutput Net::forward(const Batch& batch, std::int64_t loss_steps) const {
  const std::int64_t h = config_.hidden, m = config_.message, n = batch.nodes;
  const auto receiver = matrix("message.receiver"), sender = matrix("message.sender"),
             self = matrix("update.self"), update_message = matrix("update.message");
  const auto halves = [&](std::int64_t begin) {
    return torch::cat(
        {receiver.narrow(0, begin, h), sender.narrow(0, begin, h), self.narrow(0, begin, h)}, 1);
  };
  const auto from_z = halves(0), from_h = halves(h);  // [H × (2M + H)]
  const auto bias =
      torch::cat({matrix("message.bias"), torch::zeros({1, m}), matrix("update.bias")}, 1);
  const auto edge = matrix("edge_encoder").matmul(matrix("message.edge"));  // [F_e × M]
  const auto alpha = edge[0].contiguous();
  const auto beta = config_.features.hints ? edge[1].contiguous() : torch::zeros({m});

  // Everything that depends on the inputs alone, for all steps at once.
  const std::int64_t copies = batch.x.size(0);
  const auto encoder = matrix("node_encoder");
  const auto x = batch.x.reshape({copies * n, -1});
  const auto z = x.matmul(encoder);
  // With hints there is an input for every step: its few numbers by a product of both maps cost
  // less than z by the second. (With the bilinear decoder the order of before is kept: models
  // trained by it stay what their commands make.)
  const auto fixed = copies > 1 && !config_.predecessor
                         ? torch::addmm(bias, x, encoder.matmul(from_z))
                         : torch::addmm(bias, z, from_z);
  const auto fixed_at = fixed.view({copies, n, 2 * m + h}).unbind(0);
  const auto z_at = z.view({copies, n, h});

  NetOutput out;
  const auto decoder = parameter("y_decoder");
  at::Tensor settled;                                       // y at the last comparison
  std::vector<at::Tensor> hidden = {torch::zeros({n, h})};  // h before step 0, 1, …
  std::vector<at::Tensor> heard;                            // pi at step 0, 1, …
  const auto update = [&](const at::Tensor& own, const at::Tensor& message) {
    auto next = torch::addmm(own, message, update_message).relu();
    for (std::uint32_t k = 2; k <= config_.update_layers; ++k) {
      const std::string prefix = "update." + std::to_string(k);
      next = torch::addmm(parameter(prefix + ".bias"), next, parameter(prefix + ".weight")).relu();
    }
    return next;
  };
  for (std::int64_t step = 0; step < batch.steps; ++step) {
    const auto& base = fixed_at[static_cast<std::size_t>(std::min(step, copies - 1))];
    const auto q = step == 0 ? base : torch::addmm(base, hidden.back(), from_h);
    at::Tensor own, pi;
    if (batch.own_pointers && step > 0) {
      const auto one = [](const at::Tensor& tensor) { return tensor.unsqueeze(0); };
      const std::size_t last = hidden.size() - 1;
      pi = chosen_pointers(
          batch, {0, {}, z_at, one(hidden[last - 1]), one(hidden[last]), one(heard.back())});
    } else if (batch.pi.defined()) {
      pi = batch.pi[std::min(step, batch.pi.size(0) - 1)];
    }
    heard.push_back(pi);
    const auto message = messages(batch, q, alpha, beta, pi, own);
    hidden.push_back(update(own, message));
    if (batch.settle > 0 && (step + 1) % kSettleSteps == 0) {
      const std::size_t last = hidden.size() - 1;
      const auto all = z_at[0].matmul(decoder.narrow(0, 0, h)) +
                       hidden[last].matmul(decoder.narrow(0, h, h)) +
                       hidden[last - 1].matmul(decoder.narrow(0, 2 * h, h));
      const auto y = all - all.index_select(0, batch.target).index_select(0, batch.node_graph);
      if (settled.defined() && (y - settled).abs().max().item<double>() <= batch.settle) break;
      settled = y;
    }
  }
  const auto t = static_cast<std::int64_t>(hidden.size()) - 1;
  out.first_step = loss_steps > 0 ? std::max<std::int64_t>(0, t - loss_steps) : 0;

  // One stack serves y and the pointer: h before the first step wanted, then after each.
  const std::int64_t begin = scores_predecessors() ? 0 : out.first_step;
  const auto states = torch::stack(at::TensorList(hidden).slice(static_cast<std::size_t>(begin)));
  const auto before = states.narrow(0, 0, t - begin), after = states.narrow(0, 1, t - begin);
  const auto judged = [&](const at::Tensor& all, std::int64_t first) {
    return all.narrow(0, out.first_step - first, t - out.first_step);
  };
  out.y = ((copies == 1 ? z_at : judged(z_at, 0)).matmul(decoder.narrow(0, 0, h)) +
           judged(after, begin).matmul(decoder.narrow(0, h, h)) +
           judged(before, begin).matmul(decoder.narrow(0, 2 * h, h)));  // [S × N × K]
  if (config_.heads > 1) {
    // Joined at the target, as inference does (model.h).
    const auto at_target = out.y.index_select(1, batch.target).index_select(1, batch.node_graph);
    out.y = (out.y - at_target).amin(2);
  } else {
    out.y = out.y.squeeze(2);
  }
  if (scores_predecessors()) {
    out.z = z_at;
    out.before = before;
    out.after = after;
    if (linear_ && batch.pi.defined()) out.pi = torch::stack(heard);
  }
  return out;
}

at::Tensor Net::predecessor_scores(const Batch& batch, const NetOutput& out) const {
  return linear_ ? linear_scores(batch, out) : bilinear_scores(batch, out);
}

// What the next step hears: pi [E], 1 where the sender is the receiver's predecessor of the highest
// score. A choice has no gradient.
at::Tensor Net::chosen_pointers(const Batch& batch, const NetOutput& one_step) const {
  const torch::NoGradGuard no_gradients;
  const auto scores = predecessor_scores(batch, one_step);
  const auto chosen = scores.argmax(-1).view({-1}).index_select(0, batch.slot);  // [N]
  const auto within = batch.slot.remainder(batch.widest);
  return (chosen.index_select(0, batch.receiver) == within.index_select(0, batch.sender))
      .to(torch::kFloat);
}

// One number for each arc of the input; what is no arc cannot be a predecessor.
at::Tensor Net::linear_scores(const Batch& batch, const NetOutput& out) const {
  const std::int64_t t = out.after.size(0), h = config_.hidden;
  const auto map = parameter("pointer.sender");
  const auto of_sender = out.z.matmul(map.narrow(0, 0, h)) +
                         out.before.matmul(map.narrow(0, h, h)) +
                         out.after.matmul(map.narrow(0, 2 * h, h));  // [T × N × 1]
  const auto of_edge = parameter("edge_encoder").matmul(parameter("pointer.edge"));  // [F_e × 1]
  auto value = of_sender.squeeze(2).index_select(1, batch.sender) + batch.weight * of_edge[0];
  if (out.pi.defined()) value = value + out.pi * of_edge[1];
  const auto at = batch.slot.index_select(0, batch.receiver) * batch.widest +
                  batch.slot.index_select(0, batch.sender).remainder(batch.widest);
  return torch::full({t, batch.graphs * batch.widest * batch.widest}, kNever)
      .index_copy(1, at, value)
      .view({t, batch.graphs, batch.widest, batch.widest});
}

at::Tensor Net::bilinear_scores(const Batch& batch, const NetOutput& out) const {
  const std::int64_t t = out.after.size(0), h = config_.hidden, n = batch.nodes;
  const std::int64_t slots = batch.graphs * batch.widest;
  // [z, h_prev, h] [query, key] without putting the three beside each other: [T·N × 2H].
  const auto both = torch::cat({parameter("predecessor.query"), parameter("predecessor.key")}, 1);
  auto sides = out.z.matmul(both.narrow(0, 0, h)).expand({t, n, 2 * h}).reshape({t * n, 2 * h});
  sides = torch::addmm(sides, out.before.reshape({t * n, h}), both.narrow(0, h, h));
  sides = torch::addmm(sides, out.after.reshape({t * n, h}), both.narrow(0, 2 * h, h));
  if (slots != n) {
    sides = torch::zeros({t, slots, 2 * h}).index_copy(1, batch.slot, sides.view({t, n, 2 * h}));
  }
  sides = sides.view({t * batch.graphs, batch.widest, 2 * h});
  const auto query = sides.narrow(2, 0, h), key = sides.narrow(2, h, h);
  auto scores =
      torch::bmm(query, key.transpose(1, 2)).view({t, batch.graphs, batch.widest, batch.widest});
  if (slots == n) return scores;
  const auto real =
      torch::zeros({slots}).index_fill(0, batch.slot, 1).view({1, batch.graphs, 1, batch.widest});
  return scores.masked_fill(real == 0, kNever);
}

}  // namespace lodestar::learn
