#include "bench/harness/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lodestar/rng.h"

namespace lodestar::bench {
namespace {

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

bool all_equal(const std::vector<double>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

}  // namespace

double mean(const std::vector<double>& values) {
  return values.empty() ? 0 : sum(values) / static_cast<double>(values.size());
}

double standard_error(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const auto count = static_cast<double>(values.size());
  return std::sqrt(squares / (count - 1) / count);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto count = static_cast<double>(values.size());
  const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(share * count))) - 1;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::min(rank, values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

Estimate estimate(const std::vector<std::vector<double>>& values,
                  const std::vector<double>& divisor) {
  Estimate result;
  if (values.empty() || values.front().empty()) return result;
  const std::size_t graphs = values.front().size(), count = values.size();
  const double below = divisor.empty() ? 1 : mean(divisor);
  std::vector<double> trials;
  bool constant = divisor.empty();
  for (const std::vector<double>& trial : values) {
    trials.push_back(mean(trial) / below);
    constant = constant && all_equal(trial) && trial.front() == values.front().front();
  }
  result.mean = mean(trials);
  result.error = standard_error(trials);
  if (constant) {
    result.low = result.high = result.mean;
    return result;
  }
  Rng rng(1);
  std::vector<double> resamples(kResamples), redrawn(graphs), weight(count);
  for (double& resample : resamples) {
    // Step 1. Trials, as weights that sum to 1.
    std::fill(weight.begin(), weight.end(), 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      weight[rng.below(static_cast<std::uint32_t>(count))] += 1.0 / static_cast<double>(count);
    }
    std::fill(redrawn.begin(), redrawn.end(), 0.0);
    for (std::size_t trial = 0; trial < count; ++trial) {
      if (weight[trial] == 0) continue;
      for (std::size_t i = 0; i < graphs; ++i) redrawn[i] += weight[trial] * values[trial][i];
    }
    // Step 2. Graphs.
    double above = 0, under = 0;
    for (std::size_t i = 0; i < graphs; ++i) {
      const std::size_t chosen = rng.below(static_cast<std::uint32_t>(graphs));
      above += redrawn[chosen];
      under += divisor.empty() ? 1 : divisor[chosen];
    }
    resample = above / under;
  }
  const double centre = mean(resamples);
  for (const double value : resamples) result.deviation += (value - centre) * (value - centre);
  result.deviation = std::sqrt(result.deviation / (kResamples - 1));
  std::sort(resamples.begin(), resamples.end());
  const auto tail = static_cast<std::size_t>(0.025 * kResamples);
  result.low = resamples[tail];
  result.high = resamples[kResamples - 1 - tail];
  return result;
}

}  // namespace lodestar::bench
