// Runs a training in a folder of its own. The header does not include torch.
//
//   const TrainResult result = train(preset_options("deep"), "runs/deep", {});
//   write_model(result.model, "deep.safetensors");
//
// The folder: config.json (every option), run.json (version, commit, command, machine),
// metrics.jsonl (a line per epoch), train.log, checkpoint.safetensors, model.safetensors,
// scale.json (how the scale of y was chosen), curves.svg (if gnuplot is installed).
// The same options give the same model, bit for bit, also after an interruption and --resume.
// Another number of threads or another BLAS gives another model.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "learn/train/options.h"
#include "lodestar/model.h"
#include "lodestar/types.h"

namespace lodestar::learn {

// Thrown when the loss or a potential is not finite or the loss grows without bound. The last good
// checkpoint is kept; `lodestar train` exits with 1.
class Diverged : public Error {
 public:
  using Error::Error;
};

// How well the network follows Dijkstra's algorithm on validation graphs, given its true state
// before each step: shares of nodes whose predecessor after the step is the one of highest score.
struct Imitation {
  double all = 0;                // mean over graphs, steps and nodes
  double last = 0;               // after the last step of each graph
  double changed = 0;            // of the nodes whose predecessor changes at the step
  double copied = 0;             // mean, if the predecessor before the step is repeated
  std::vector<double> per_step;  // step 1, 2, …; mean over the graphs that have it
};

struct EpochMetrics {
  std::uint32_t epoch = 0;  // from 1
  double learning_rate = 0;
  double loss = 0, objective = 0, penalty = 0, norm = 0, cross_entropy = 0;  // training, means
  double validation_loss = 0;
  double constraints = 0, constraints_with_loops = 0;  // validation, y not scaled
  double relative_distance = 0, iterations = 0, dijkstra_iterations = 0;
  Imitation imitation;  // validation; zeros without imitation
  double seconds = 0;   // since the run began, without what an interruption took
};

struct Progress {
  std::uint32_t epoch = 0, epochs = 0;     // epochs done, of how many
  std::uint32_t batch = 0, batches = 0;    // of the epoch at hand
  double loss = 0;                         // of the last batch
  double seconds_left = 0;                 // estimated
  const EpochMetrics* finished = nullptr;  // set when an epoch has just ended
};
using ProgressFunction = std::function<void(const Progress&)>;

// Several processes that train one model together. Each takes its share of every batch; gradients
// are summed, so the steps are those of one process with the same batch, up to rounding. Every
// process loads the data and the checkpoint; the first alone validates and writes files.
struct Team {
  std::uint32_t rank = 0, size = 1;
  // Called by all at once: the sum over the team replaces the values, the same bits everywhere.
  std::function<void(std::span<float>)> sum_floats;
  std::function<void(std::span<double>)> sum_doubles;
  bool leads() const { return rank == 0; }
};

// How much better than a table of reference results a search is on graphs of a split, as a share;
// nullopt where the table has no cell.
using MarginFunction = std::function<std::optional<double>(
    const Split& split, double iteration_ratio, double relative_distance)>;

struct TrainControl {
  bool resume = false;
  std::uint32_t stop_after = 0;  // end with the model of this epoch; can be resumed. 0: never
  Team team;
  std::string command;           // for run.json
  std::string portable_command;  // for the model: the same without paths of this machine
  ProgressFunction on_progress;  // may be empty
  MarginFunction margin;         // required by ScaleRule::kTable
};

struct TrainResult {
  Model model;
  std::string model_path;
  std::string hash;
  std::uint32_t epoch = 0;  // whose parameters the model has
  std::vector<EpochMetrics> metrics;
};

// Throws Diverged, and Error on bad options or data and when the folder holds a run already (unless
// resumed). In a team, only the result of the process that leads has a model.
TrainResult train(const TrainOptions& options, const std::string& folder,
                  const TrainControl& control);

// The options of a run that was started in this folder.
TrainOptions stored_options(const std::string& folder);

}  // namespace lodestar::learn
