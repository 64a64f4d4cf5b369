// Statistics of measurements: mean, standard error over trials, and a bootstrap interval over
// graphs.
//
//   const Estimate e = estimate({trial_1, trial_2, …});        // each: one value per graph
//   const Estimate r = estimate(iterations, dijkstra);         // ratio of means
//
// `error` measures how much models of one recipe differ. `deviation` and the interval also include
// how much the result would change with other graphs of the same kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lodestar::bench {

struct Estimate {
  double mean = 0;
  double error = 0;  // standard error over trials; 0 with one trial
  double low = 0;    // 95 % of the bootstrap resamples lie between these
  double high = 0;
  double deviation = 0;  // of the resamples: the standard error with graphs and trials redrawn
};

double mean(const std::vector<double>& values);
// Standard error of the mean: sample deviation / √count; 0 for fewer than two values.
double standard_error(const std::vector<double>& values);

double median(std::vector<double> values);  // 0 if there are none

// The smallest value that at least this share of the values does not exceed; 0 if there are none.
double quantile(std::vector<double> values, double share);

inline constexpr std::uint32_t kResamples = 1000;

// values: [trials][graphs]; a resample draws trials and graphs anew. With a divisor, [graphs], the
// mean of each trial is divided by the mean of the divisor, resampled together. The same values
// always give the same interval.
Estimate estimate(const std::vector<std::vector<double>>& values,
                  const std::vector<double>& divisor = {});

}  // namespace lodestar::bench
