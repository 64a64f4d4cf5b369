#include "learn/train/optimizer.h"

#include <cmath>
#include <numbers>

#include "learn/train/torch.h"

namespace lodestar::learn {
namespace {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

}  // namespace

Descent::Descent(std::vector<at::Tensor> parameters, const TrainOptions& options)
    : parameters_(std::move(parameters)),
      kind_(options.optimizer),
      weight_decay_(options.weight_decay),
      momentum_(options.momentum),
      clip_(options.clip) {
  for (const at::Tensor& parameter : parameters_) {
    if (kind_ != Optimizer::kSgd || momentum_ > 0) first_.push_back(torch::zeros_like(parameter));
    if (kind_ != Optimizer::kSgd) second_.push_back(torch::zeros_like(parameter));
  }
}

double Descent::step(double learning_rate) {
  double squares = 0;
  for (const at::Tensor& parameter : parameters_) {
    const at::Tensor& gradient = parameter.grad();
    if (!gradient.defined()) continue;
    const float* g = gradient.data_ptr<float>();
    for (std::int64_t i = 0; i < gradient.numel(); ++i) squares += double{g[i]} * double{g[i]};
  }
  const double norm = std::sqrt(squares);
  const auto shrink = static_cast<float>(clip_ > 0 && norm > clip_ ? clip_ / norm : 1.0);
  ++steps_;
  const auto count = static_cast<double>(steps_);
  const auto rate = static_cast<float>(learning_rate);
  const auto decay = static_cast<float>(weight_decay_);
  const auto momentum = static_cast<float>(momentum_);
  const auto beta1 = static_cast<float>(kBeta1), beta2 = static_cast<float>(kBeta2);
  const auto adam_rate = static_cast<float>(learning_rate / (1 - std::pow(kBeta1, count)));
  const auto second_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(kBeta2, count)));
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const at::Tensor gradient = parameters_[p].grad();
    if (!gradient.defined()) continue;  // a matrix this loss does not use
    const at::Tensor contiguous = gradient.contiguous();
    const float* g = contiguous.data_ptr<float>();
    float* x = parameters_[p].data_ptr<float>();
    float* m = first_.empty() ? nullptr : first_[p].data_ptr<float>();
    float* v = second_.empty() ? nullptr : second_[p].data_ptr<float>();
    for (std::int64_t i = 0; i < contiguous.numel(); ++i) {
      float slope = g[i] * shrink;
      if (kind_ == Optimizer::kAdamW) {
        x[i] -= rate * decay * x[i];
      } else {
        slope += decay * x[i];
      }
      if (kind_ == Optimizer::kSgd) {
        if (m) slope = m[i] = steps_ == 1 ? slope : momentum * m[i] + slope;
        x[i] -= rate * slope;
      } else {
        m[i] = beta1 * m[i] + (1 - beta1) * slope;
        v[i] = beta2 * v[i] + (1 - beta2) * slope * slope;
        x[i] -=
            adam_rate * m[i] / (std::sqrt(v[i]) * second_correction + static_cast<float>(kEpsilon));
      }
    }
    parameters_[p].mutable_grad() = torch::Tensor();
  }
  return norm;
}

double scheduled_learning_rate(const TrainOptions& options, std::int64_t step, std::int64_t steps) {
  if (options.schedule == Schedule::kConstant) return options.learning_rate;
  const double share = static_cast<double>(step) / static_cast<double>(steps);
  const double fall = 0.5 * (1 + std::cos(std::numbers::pi * share));
  return options.learning_rate *
         (options.learning_rate_floor + (1 - options.learning_rate_floor) * fall);
}

}  // namespace lodestar::learn
