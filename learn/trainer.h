// A training run in a folder of its own. No torch.
//
//   const TrainResult result = train(preset_options("deep"), "runs/deep", {});
//   write_model(result.model, "deep.safetensors");
//
// The folder: config.json (every option), run.json (version, commit, command, machine),
// metrics.jsonl (a line per epoch), train.log, checkpoint.safetensors, model.safetensors,
// scale.json (how the scale of y was chosen), curves.svg (when gnuplot is installed).
// The same options give the same model, bit for bit, also over an interruption and --resume;
// another number of threads or another BLAS does not.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "learn/options.h"
#include "lodestar/model.h"

namespace lodestar::learn {

struct EpochMetrics {
  std::uint32_t epoch = 0;  // from 1
  double learning_rate = 0;
  double loss = 0, objective = 0, penalty = 0, norm = 0, cross_entropy = 0;  // training, means
  double validation_loss = 0;
  double constraints = 0, constraints_with_loops = 0;  // validation, y as it is (scale 1)
  double relative_distance = 0, iterations = 0, dijkstra_iterations = 0;
  double seconds = 0;  // since the run began, without what an interruption took
};

struct Progress {
  std::uint32_t epoch = 0, epochs = 0;     // epochs done, of how many
  std::uint32_t batch = 0, batches = 0;    // of the epoch at hand
  double loss = 0;                         // of the last batch
  double seconds_left = 0;                 // estimated
  const EpochMetrics* finished = nullptr;  // set when an epoch has just ended
};
using ProgressFunction = std::function<void(const Progress&)>;

struct TrainControl {
  bool resume = false;
  std::string command;           // for run.json
  ProgressFunction on_progress;  // may be empty
};

struct TrainResult {
  Model model;
  std::string model_path;
  std::string hash;
  std::uint32_t epoch = 0;  // whose parameters the model has
  std::vector<EpochMetrics> metrics;
};

// Throws Error on bad options or data, when the folder holds a run already (unless resumed), and
// when the loss is not finite or diverges; the last good checkpoint then stays.
TrainResult train(const TrainOptions& options, const std::string& folder,
                  const TrainControl& control);

// The options of a run that was started in this folder.
TrainOptions stored_options(const std::string& folder);

}  // namespace lodestar::learn
