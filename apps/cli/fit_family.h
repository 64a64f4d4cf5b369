// `lodestar fit --metrics`: potentials for all blends of several metrics.
#pragma once

#include <string>
#include <vector>

#include "lodestar/fit.h"
#include "lodestar/graph_io.h"

namespace lodestar::cli {

struct FamilyJob {
  std::string output;
  std::size_t knots = 0;  // 0: as many as needed
  int bits = 32;
  bool json = false;
  FitOptions fit;
};

inline constexpr const char* kUntrained =
    "the time was too short for a round of training; raise --seconds";

// Fits for the blends of all metrics of the file, saves and reports; returns the exit code.
int fit_blends(const GraphFile& file, const FamilyJob& job);

// "time=1, length=0.02": the shares of a knot, the first of them 1.
std::string blend_text(const std::vector<std::string>& metrics, const std::vector<double>& shares);

}  // namespace lodestar::cli
