#include "learn/net.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "learn/gather_max.h"
#include "learn/torch.h"

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
  if (name.starts_with("update.")) return 2 * h + m;
  return 3 * h;
}

}  // namespace

Net::Net(const ModelConfig& config, std::uint64_t seed) : config_(config) {
  Rng rng = Rng(seed).fork(1);
  for (const MatrixShape& shape : model_shapes(config)) {
    auto tensor = torch::empty({shape.rows, shape.cols}, torch::kFloat);
    const double bound = 1 / std::sqrt(fan_in(shape.name, config));
    float* values = tensor.data_ptr<float>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
      values[i] = static_cast<float>(rng.uniform(-bound, bound));
    }
    index_[shape.name] = parameters_.size();
    parameters_.push_back(tensor.requires_grad_(true));
  }
}

Net::Net(const Model& model) : config_(model.config) {
  for (const MatrixShape& shape : model_shapes(config_)) {
    auto tensor = torch::empty({shape.rows, shape.cols}, torch::kFloat);
    const std::vector<float>& values = model.matrix(shape.name).values;
    std::memcpy(tensor.data_ptr<float>(), values.data(), values.size() * sizeof(float));
    index_[shape.name] = parameters_.size();
    parameters_.push_back(tensor.requires_grad_(true));
  }
}

Model Net::to_model() const {
  // Weight decay takes weights that serve nothing towards 0 for ever. Products of such weights are
  // subnormal numbers, which processors compute ten times slower, for nothing that y shows.
  constexpr float kNegligible = 1e-10f;
  Model model;
  model.config = config_;
  for (const MatrixShape& shape : model_shapes(config_)) {
    const auto tensor = parameter(shape.name).detach().contiguous();
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
                         const at::Tensor& beta, std::int64_t step, at::Tensor& own) const {
  const auto pi =
      batch.pi.defined() ? batch.pi[std::min(step, batch.pi.size(0) - 1)] : at::Tensor();
  if (config_.message_layers == 1) {
    auto [m, s] = gather_max(q, alpha, beta, {batch.first, batch.sender, batch.weight, pi});
    own = s;
    return m;
  }
  const std::int64_t width = config_.message;
  own = q.narrow(1, 2 * width, config_.hidden);
  const auto counts = batch.first.slice(0, 1) - batch.first.slice(0, 0, -1);
  const auto receiver =
      torch::repeat_interleave(torch::arange(batch.nodes), counts.to(torch::kLong));
  auto value = q.narrow(1, 0, width).index_select(0, receiver) +
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
  const std::int64_t h = config_.hidden, m = config_.message, n = batch.nodes, t = batch.steps;
  const auto halves = [&](std::int64_t begin) {
    return torch::cat({parameter("message.receiver").narrow(0, begin, h),
                       parameter("message.sender").narrow(0, begin, h),
                       parameter("update.self").narrow(0, begin, h)},
                      1);
  };
  const auto from_z = halves(0), from_h = halves(h);  // [H × (2M + H)]
  const auto bias =
      torch::cat({parameter("message.bias"), torch::zeros({1, m}), parameter("update.bias")}, 1);
  const auto edge = parameter("edge_encoder").matmul(parameter("message.edge"));  // [F_e × M]
  const auto alpha = edge[0].contiguous();
  const auto beta = config_.features.hints ? edge[1].contiguous() : torch::zeros({m});

  // Everything that depends on the inputs alone, for all steps at once.
  const std::int64_t copies = batch.x.size(0);
  const auto z = batch.x.reshape({copies * n, -1}).matmul(parameter("node_encoder"));
  const auto fixed = torch::addmm(bias, z, from_z).view({copies, n, 2 * m + h});
  const auto z_at = z.view({copies, n, h});

  NetOutput out;
  out.first_step = loss_steps > 0 ? std::max<std::int64_t>(0, t - loss_steps) : 0;
  std::vector<at::Tensor> hidden = {torch::zeros({n, h})};  // h before step 0, 1, …
  for (std::int64_t step = 0; step < t; ++step) {
    const auto base = fixed[std::min(step, copies - 1)];
    const auto q = step == 0 ? base : torch::addmm(base, hidden.back(), from_h);
    at::Tensor own;
    const auto message = messages(batch, q, alpha, beta, step, own);
    hidden.push_back(torch::addmm(own, message, parameter("update.message")).relu());
  }

  // One stack serves y and the pointer: h before the first step wanted, then after each.
  const std::int64_t begin = config_.predecessor ? 0 : out.first_step;
  const auto states = torch::stack(at::TensorList(hidden).slice(static_cast<std::size_t>(begin)));
  const auto before = states.narrow(0, 0, t - begin), after = states.narrow(0, 1, t - begin);
  const auto judged = [&](const at::Tensor& all, std::int64_t first) {
    return all.narrow(0, out.first_step - first, t - out.first_step);
  };
  const auto decoder = parameter("y_decoder");
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
  if (config_.predecessor) {
    out.z = z_at;
    out.before = before;
    out.after = after;
  }
  return out;
}

at::Tensor Net::predecessor_scores(const Batch& batch, const NetOutput& out) const {
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
  return scores.masked_fill(real == 0, -1e9);
}

}  // namespace lodestar::learn
