// The signature of `lodestar bench` stands here, so that behaviour does not change by accident.
#include <gtest/gtest.h>

#include "run_program.h"

namespace lodestar::bench_test {
namespace {

constexpr const char* kSignature = "3902602-7a4c9464ff7abdfd";

TEST(Bench, SignatureIsTheRecordedOne) {
  const auto outcome = testing::run_program("bench --signature");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find(std::string("signature ") + kSignature + "\n"), std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace lodestar::bench_test
