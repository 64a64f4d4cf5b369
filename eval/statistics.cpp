#include "eval/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lodestar/rng.h"

namespace lodestar::eval {
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

Estimate estimate(const std::vector<std::vector<double>>& values,
                  const std::vector<double>& divisor) {
  Estimate result;
  if (values.empty() || values.front().empty()) return result;
  const std::size_t graphs = values.front().size();
  const double below = divisor.empty() ? 1 : mean(divisor);
  std::vector<double> trials, per_graph(graphs, 0.0);
  for (const std::vector<double>& trial : values) {
    trials.push_back(mean(trial) / below);
    for (std::size_t i = 0; i < graphs; ++i) per_graph[i] += trial[i];
  }
  for (double& value : per_graph) value /= static_cast<double>(values.size());
  result.mean = mean(trials);
  result.error = standard_error(trials);
  if (divisor.empty() && all_equal(per_graph)) {
    result.low = result.high = result.mean;
    return result;
  }
  Rng rng(1);
  std::vector<double> resamples(kResamples);
  for (double& resample : resamples) {
    double above = 0, under = 0;
    for (std::size_t i = 0; i < graphs; ++i) {
      const std::size_t chosen = rng.below(static_cast<std::uint32_t>(graphs));
      above += per_graph[chosen];
      under += divisor.empty() ? 1 : divisor[chosen];
    }
    resample = above / under;
  }
  std::sort(resamples.begin(), resamples.end());
  const auto tail = static_cast<std::size_t>(0.025 * kResamples);
  result.low = resamples[tail];
  result.high = resamples[kResamples - 1 - tail];
  return result;
}

}  // namespace lodestar::eval
