// The files of a run folder, except checkpoint and model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace lodestar::learn
