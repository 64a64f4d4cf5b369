// Statistics against values worked out by hand.
#include "bench/harness/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lodestar::bench::statistics_test {
namespace {

TEST(Statistics, MeanAndStandardErrorOfFiveTrials) {
  const std::vector<double> values = {2, 4, 4, 4, 6};
  EXPECT_DOUBLE_EQ(mean(values), 4);
  // Squares sum to 8: deviation √2, over √5.
  EXPECT_NEAR(standard_error(values), 0.632455532, 1e-9);
  EXPECT_EQ(standard_error({3}), 0);
}

TEST(Statistics, MedianIsNotMovedByOneBusyMoment) {
  EXPECT_EQ(median({3, 1, 1000, 2, 2}), 2);
  EXPECT_EQ(median({}), 0);
}

TEST(Statistics, ErrorIsOverTrialsAndIntervalOverBoth) {
  // Trials agree on the mean; the graphs differ, and resamples with them.
  const Estimate graphs = estimate({{0, 10, 0, 10}, {0, 10, 0, 10}});
  EXPECT_EQ(graphs.mean, 5);
  EXPECT_EQ(graphs.error, 0);
  EXPECT_NEAR(graphs.deviation, 2.5, 0.2);  // 5 / √4
  // Graphs agree; of two trials a resample has none, one or both: 1, 2, 2, 3 with equal chance.
  const Estimate trials = estimate({{1, 1, 1, 1}, {3, 3, 3, 3}});
  EXPECT_EQ(trials.mean, 2);
  EXPECT_DOUBLE_EQ(trials.error, 1);
  EXPECT_NEAR(trials.deviation, std::sqrt(0.5), 0.05);
  EXPECT_EQ(trials.low, 1);
  EXPECT_EQ(trials.high, 3);
  const Estimate same = estimate({{7, 7}, {7, 7}});
  EXPECT_EQ(same.deviation, 0);
  EXPECT_EQ(same.high, 7);
}

TEST(Statistics, AQuantileIsOneOfTheValues) {
  std::vector<double> values;
  for (int i = 100; i >= 1; --i) values.push_back(i);
  EXPECT_EQ(quantile(values, 0.99), 99);
  EXPECT_EQ(quantile(values, 1), 100);
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile({}, 0.5), 0);
}

// 100 graphs, half 0 and half 1: the mean of a resample deviates by 0.05, so 95 % lie within 0.1.
TEST(Statistics, BootstrapIntervalHasTheWidthTheoryGives) {
  std::vector<double> values(100);
  for (std::size_t i = 0; i < 50; ++i) values[i] = 1;
  const Estimate e = estimate({values});
  EXPECT_NEAR(e.low, 0.4, 0.025);
  EXPECT_NEAR(e.high, 0.6, 0.025);
}

TEST(Statistics, ARatioIsOfMeansAndResampledTogether) {
  const std::vector<double> below = {10, 20, 30, 40};
  const Estimate e = estimate({{5, 10, 15, 20}}, below);
  EXPECT_DOUBLE_EQ(e.mean, 0.5);
  EXPECT_DOUBLE_EQ(e.low, 0.5);  // each graph has the same ratio: resampling changes nothing
  EXPECT_DOUBLE_EQ(e.high, 0.5);
}

}  // namespace
}  // namespace lodestar::bench::statistics_test
