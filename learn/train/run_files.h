// The files of a run folder, apart from checkpoint and model.
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

  // Makes the folder, config.json and run.json. Throws Error when a run is there already.
  void begin(const TrainOptions& options, const std::string& command) const;

  // Cuts metrics.jsonl to its first `bytes` (what an interrupted epoch wrote goes) and reads them.
  std::vector<EpochMetrics> keep_metrics(std::uint64_t bytes) const;
  // Returns the size of metrics.jsonl afterwards.
  std::uint64_t append_metrics(const EpochMetrics& metrics) const;

  void log(const std::string& line) const;  // one line of train.log, with date and time
  void write_scale(const std::vector<ScalePoint>& curve, double chosen) const;
  // curves.svg through gnuplot; false when that is not installed.
  bool draw_curves() const;

 private:
  std::string folder_;
};

}  // namespace lodestar::learn
