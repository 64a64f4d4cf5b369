// The gradients of a team as one.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "learn/train/trainer.h"

namespace lodestar::learn {

// Replaces the gradient of every parameter by its sum over the team. A member without one (its
// share of the batch was empty) counts as 0; a parameter nobody has a gradient for keeps none.
void sum_gradients(std::vector<at::Tensor>& parameters, const Team& team);

}  // namespace lodestar::learn
