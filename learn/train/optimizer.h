// SGD, Adam and AdamW as torch defines them, with a state that can be written down: resuming needs
// every number, and torch's own optimisers do not store their options.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "learn/train/options.h"

namespace lodestar::learn {

class Descent {
 public:
  // Keeps references: parameters are changed in place.
  Descent(std::vector<at::Tensor> parameters, const TrainOptions& options);

  // One step along the gradients of the parameters, which are then cleared. The gradient is
  // shortened to options.clip if that is above 0. Returns its norm before.
  double step(double learning_rate);

  // State, for checkpoints: first and second moments (empty when unused), steps taken.
  std::vector<at::Tensor>& first_moments() { return first_; }
  std::vector<at::Tensor>& second_moments() { return second_; }
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }

 private:
  std::vector<at::Tensor> parameters_;
  Optimizer kind_;
  double weight_decay_;
  double momentum_;
  double clip_;
  std::vector<at::Tensor> first_;
  std::vector<at::Tensor> second_;
  std::int64_t steps_ = 0;
};

// The learning rate of step `step` of `steps`, counted from 0.
double scheduled_learning_rate(const TrainOptions& options, std::int64_t step, std::int64_t steps);

}  // namespace lodestar::learn
