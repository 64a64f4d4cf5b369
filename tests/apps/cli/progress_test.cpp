// What the progress bar says of the time left.
#include "apps/cli/progress.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lodestar::cli::progress_test {
namespace {

TEST(Progress, TheTimeLeftIsSaidWhileThereIsSome) {
  EXPECT_EQ(time_left(0.5, 10), "10.0 s left");
  EXPECT_EQ(time_left(0.25, 60), "3 min 00 s left");
  EXPECT_EQ(time_left(0.999999, 600), "less than 1 s left");
  // No estimate at the beginning, and nothing left at the end: never "0 µs left".
  for (const double fraction : {1.0, 1.5, 0.0, 0.0005, -1.0, std::nan("")}) {
    EXPECT_EQ(time_left(fraction, 600), "") << fraction;
  }
}

}  // namespace
}  // namespace lodestar::cli::progress_test
