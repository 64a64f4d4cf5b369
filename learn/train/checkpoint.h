// Where a run stands after an epoch: enough to go on as if it had never stopped. A safetensors
// file, written beside the old one and renamed over it: a kill leaves one of the two.
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

// False when there is no such file. Throws Error when it is of other options, or damaged.
bool load_checkpoint(const std::string& path, const TrainOptions& options, RunState& state,
                     Net& net, Descent& descent);

}  // namespace lodestar::learn
