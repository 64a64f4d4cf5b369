#include "torch_forward.h"

namespace lodestar::bench {

std::unique_ptr<TorchForward> make_plain_torch(const Model&, const Graph&) {
  return nullptr;
}
std::unique_ptr<TorchForward> make_training_torch(const Model&, const Graph&) {
  return nullptr;
}

}  // namespace lodestar::bench
