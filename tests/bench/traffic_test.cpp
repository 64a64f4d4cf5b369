#include "bench/harness/traffic.h"

#include <gtest/gtest.h>

#include "bench/harness/comparison.h"
#include "bench/harness/queries.h"
#include "lodestar/generate.h"
#include "lodestar/potentials.h"
#include "road.h"

namespace lodestar::bench::traffic_test {
namespace {

using testing::road;

constexpr TrafficKind kKinds[] = {TrafficKind::kRandom, TrafficKind::kClustered,
                                  TrafficKind::kRushHour};

TEST(Traffic, ChangesTheShareAskedForAndNothingElse) {
  const Graph before = road(3000);
  for (const TrafficKind kind : kKinds) {
    const Graph after = with_traffic(before, {kind, 0.1, 3, 7});
    EXPECT_TRUE(after.symmetric());
    EXPECT_EQ(topology_hash(after), topology_hash(before));
    std::size_t changed = 0;
    for (NodeId u = 0; u < before.node_count(); ++u) {
      const ArcRange old = before.arcs(u), now = after.arcs(u);
      for (std::size_t i = 0; i < old.size(); ++i) {
        if (now[i].weight == old[i].weight) continue;
        EXPECT_EQ(now[i].weight, 3 * old[i].weight);
        ++changed;
      }
    }
    const double share = static_cast<double>(changed) / static_cast<double>(before.arc_count());
    EXPECT_NEAR(share, 0.1, 0.01) << to_string(kind);
    EXPECT_EQ(parse_traffic_kind(to_string(kind)), kind);
  }
  EXPECT_THROW(parse_traffic_kind("snow"), Error);
  EXPECT_THROW(with_traffic(before, {TrafficKind::kRandom, 2, 3, 7}), Error);
}

// Whatever weights do, every reaction of every method is exact.
TEST(Traffic, EveryReactionIsExact) {
  const Graph before = road(1500);
  TrafficOptions options;
  options.potential_count = 4;
  options.training = options.refit = 0.05;
  for (const TrafficMethod& method : traffic_methods()) {
    const React react = method.prepare(before, options);
    ASSERT_TRUE(react) << method.id;
    for (const double factor : {3.0, 0.5}) {
      const Graph after = with_traffic(before, {TrafficKind::kRandom, 0.1, factor, 5});
      Searcher judge(after);
      const auto reactions = react(after);
      ASSERT_FALSE(reactions.empty());
      for (const Reaction& reaction : reactions) {
        for (const Query& query : reachable_pairs(after, 60, Rng(3))) {
          EXPECT_EQ(reaction.ready.run(query).cost, judge.run(query, Zero{}).cost)
              << method.id << " " << reaction.name;
          EXPECT_EQ(path_cost(after, reaction.ready.path()), judge.distance(query.target));
        }
      }
    }
  }
}

}  // namespace
}  // namespace lodestar::bench::traffic_test
