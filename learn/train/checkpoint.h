// The state of a run after an epoch, complete enough to resume without a difference. It is a
// safetensors file that replaces the old one atomically.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "learn/train/net.h"
#include "learn/train/optimizer.h"
#include "learn/train/options.h"

namespace lodestar::learn {

struct RunState {
  std::uint32_t epoch = 0;  // done
  std::uint32_t best_epoch = 0;
  double best_loss = 0;             // of validation; meaningless before the first epoch
  std::uint64_t metrics_bytes = 0;  // of metrics.jsonl that belong to the epochs done
  double seconds = 0;               // spent so far
  std::vector<at::Tensor> best;     // parameters of the best epoch
};

void save_checkpoint(const std::string& path, const TrainOptions& options, const RunState& state,
                     Net& net, Descent& descent);

// Returns false if there is no file. Throws Error if it is damaged or of other options.
bool load_checkpoint(const std::string& path, const TrainOptions& options, RunState& state,
                     Net& net, Descent& descent);

}  // namespace lodestar::learn
