// The queue of searches in units, against an ordered set.
#include "requests/meeting_searcher.h"

#include <gtest/gtest.h>

#include <set>

#include "lodestar/rng.h"

namespace lodestar::requests::meeting_searcher_test {
namespace {

TEST(UnitQueueTest, TakesInOrderOfKeyThenNumber) {
  constexpr NodeId kNodes = 1000;
  constexpr double kUnit = 0.5;
  Rng rng(2);
  UnitQueue queue(kNodes);
  for (int round = 0; round < 30; ++round) {
    queue.begin(kUnit);
    std::set<std::pair<double, NodeId>> truth;
    for (int i = 0; i < 500; ++i) {
      ASSERT_EQ(queue.empty(), truth.empty());
      if (!truth.empty()) {
        ASSERT_EQ(queue.least(), truth.begin()->first);
        ASSERT_EQ(queue.top(), truth.begin()->second);
        if (rng.below(3) == 0) {
          queue.pop();
          truth.erase(truth.begin());
          continue;
        }
      }
      // Few keys, so that many are equal; both parts are multiples of an eighth of the unit.
      const double g = static_cast<double>(rng.below(20)) * kUnit / 8;
      const double h = static_cast<double>(rng.below(20)) * kUnit / 8;
      const auto number = static_cast<NodeId>(rng.below(kNodes + 1));
      if (!truth.insert({g + h, number}).second) continue;
      queue.reserve(1);
      ASSERT_TRUE(queue.push(g, h, number));
    }
  }
}

TEST(UnitQueueTest, RefusesKeysThatAreTooLarge) {
  UnitQueue queue(1000);
  queue.begin(1);
  queue.reserve(2);
  EXPECT_FALSE(queue.push(1e300, 0, 1));
  EXPECT_FALSE(queue.push(0x1p50, kInfinity, 1));
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace lodestar::requests::meeting_searcher_test
