// From single measurements to what may be said: mean, standard error over trials, and an interval
// by bootstrap over graphs.
//
//   const Estimate e = estimate({trial_1, trial_2, …});        // each: one value per graph
//   const Estimate r = estimate(iterations, dijkstra);         // ratio of means
//
// Two kinds of chance. The error says how much models trained alike differ; deviation and interval
// take in both that and how much other graphs of the same kind would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lodestar::eval {

struct Estimate {
  double mean = 0;
  double error = 0;  // standard error over trials; 0 with one trial
  double low = 0;    // 95 % of the bootstrap resamples lie between these
  double high = 0;
  double deviation = 0;  // of the resamples: the standard error with graphs and trials redrawn
};

double mean(const std::vector<double>& values);
// Of the mean: sample deviation / √count; 0 below two values.
double standard_error(const std::vector<double>& values);

double median(std::vector<double> values);  // 0 of nothing

// The least value that at least this share of the values does not exceed; 0 of nothing.
double quantile(std::vector<double> values, double share);

inline constexpr std::uint32_t kResamples = 1000;

// values: [trials][graphs]; a resample draws trials and graphs anew. With a divisor, [graphs], the
// mean of each trial is divided by the mean of the divisor, resampled together. The same values
// give the same interval, always.
Estimate estimate(const std::vector<std::vector<double>>& values,
                  const std::vector<double>& divisor = {});

}  // namespace lodestar::eval
