#include "learn/train/gradients.h"

#include <algorithm>

#include "learn/train/torch.h"

namespace lodestar::learn {

void sum_gradients(std::vector<at::Tensor>& parameters, const Team& team) {
  // One message: the gradients in order, then how many members have each.
  std::size_t values = 0;
  for (const at::Tensor& parameter : parameters) {
    values += static_cast<std::size_t>(parameter.numel());
  }
  std::vector<float> message(values + parameters.size(), 0.0f);
  float* at = message.data();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (parameters[p].grad().defined()) {
      const at::Tensor gradient = parameters[p].grad().contiguous();
      std::copy_n(gradient.data_ptr<float>(), gradient.numel(), at);
      message[values + p] = 1;
    }
    at += parameters[p].numel();
  }
  team.sum_floats(message);
  at = message.data();
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (message[values + p] > 0) {
      at::Tensor sum = torch::empty_like(parameters[p].detach());
      std::copy_n(at, sum.numel(), sum.data_ptr<float>());
      parameters[p].mutable_grad() = sum;
    }
    at += parameters[p].numel();
  }
}

}  // namespace lodestar::learn
