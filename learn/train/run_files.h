// The files of a run folder, except checkpoint and model.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "learn/train/net.h"
#include "learn/train/optimizer.h"
#include "learn/train/options.h"
#include "learn/train/trainer.h"
#include "learn/train/validate.h"

namespace lodestar::learn {

class RunFiles {
 public:
  explicit RunFiles(std::string folder) : folder_(std::move(folder)) {}

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // Creates the folder, config.json and run.json. Throws Error if the folder has a run already.
  void begin(const TrainOptions& options, const std::string& command) const;

  // Truncates metrics.jsonl to `bytes`, which drops an interrupted epoch, and reads it.
  std::vector<EpochMetrics> keep_metrics(std::uint64_t bytes) const;
  // Returns the size of metrics.jsonl afterwards.
  std::uint64_t append_metrics(const EpochMetrics& metrics) const;

  void log(const std::string& line) const;  // one line of train.log, with date and time
  void write_scale(const std::vector<ScalePoint>& curve, double chosen) const;
  // Draws curves.svg, from curves.dat and curves.gp; false if gnuplot is not installed.
  bool draw_curves() const;

 private:
  std::string folder_;
};

// The state of a run after an epoch, complete enough to resume without a difference. It is a
// safetensors file that replaces the old one atomically.
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
