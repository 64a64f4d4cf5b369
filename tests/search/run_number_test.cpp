// Run numbers repeat after 2^32 runs: labels of the first run must not look like new ones.
#include "lodestar/detail/run_number.h"

#include <gtest/gtest.h>

#include "index/build/witness.h"
#include "index/core_distances.h"
#include "index/query/climb_labels.h"
#include "index/query/core_query.h"
#include "lodestar/bidirectional.h"
#include "lodestar/focal.h"
#include "lodestar/index.h"
#include "lodestar/infer.h"
#include "lodestar/landmarks.h"
#include "lodestar/search.h"
#include "potentials/cone.h"
#include "random_model.h"
#include "road.h"

// Numbers repeat after the first run, instead of after 2^32, while one of these exists.
struct lodestar::detail::RunNumberAccess {
  RunNumberAccess() { RunNumber::last_ = 1; }
  ~RunNumberAccess() { RunNumber::last_ = UINT32_MAX; }
};

namespace lodestar::run_number_test {
namespace {

using RepeatingNumbers = detail::RunNumberAccess;

void expect_same(const SearchResult& found, const SearchResult& fresh) {
  EXPECT_EQ(found.cost, fresh.cost);
  EXPECT_EQ(found.lower_bound, fresh.lower_bound);
  EXPECT_EQ(found.expansions, fresh.expansions);
  EXPECT_EQ(found.evaluations, fresh.evaluations);
}

// make() gives a searcher; run(searcher, query) asks it. The first query writes labels of run 1,
// the second is run 1 again.
template <class Make, class Run>
void expect_first_labels_forgotten(NodeId nodes, Make&& make, Run&& run) {
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const Query first{rng.below(nodes), rng.below(nodes)};
    const Query again{rng.below(nodes), rng.below(nodes)};
    auto used = make();
    run(used, first);
    const RepeatingNumbers repeating;
    const SearchResult found = run(used, again);
    auto unused = make();
    expect_same(found, run(unused, again));
    EXPECT_EQ(used.path(), unused.path());
  }
}

TEST(RunNumber, StartsAgainAtOneAndClears) {
  detail::RunNumber number, other;
  EXPECT_EQ(number, 0u);
  int cleared = 0;
  const auto clear = [&] { ++cleared; };
  number.next(clear);
  number.next(clear);
  EXPECT_EQ(number, 2u);
  EXPECT_EQ(cleared, 0);
  const RepeatingNumbers repeating;
  other.next(clear);
  EXPECT_EQ(other, 1u);
  EXPECT_EQ(cleared, 0);
  other.next(clear);
  EXPECT_EQ(other, 1u);
  EXPECT_EQ(cleared, 1);
}

TEST(RunNumber, Searches) {
  const Graph graph = testing::road(400);
  const NodeId n = graph.node_count();
  const Potentials table = landmark_potentials(graph, {});
  expect_first_labels_forgotten(
      n, [&] { return Searcher(graph); },
      [](Searcher& searcher, Query query) { return searcher.run(query, Zero{}); });
  expect_first_labels_forgotten(
      n, [&] { return FocalSearcher(graph); },
      [&](FocalSearcher& searcher, Query query) {
        return searcher.run(query, table.to(query.target), table.to(query.target));
      });
  expect_first_labels_forgotten(
      n, [&] { return BidirectionalSearcher(graph); },
      [](BidirectionalSearcher& searcher, Query query) { return searcher.run(query); });
  expect_first_labels_forgotten(
      n, [&] { return BidirectionalSearcher(graph); },
      [&](BidirectionalSearcher& searcher, Query query) {
        return searcher.run(query, table.to(query.target), table.from(query.source));
      });
}

TEST(RunNumber, LazyPotentials) {
  const Graph graph = testing::road(400);
  ModelConfig config;
  config.steps = 1;
  const PotentialNet net(random_model(config, 5), graph);
  LazyPotential used(net), unused(net);
  used.begin({0, 1});
  const RepeatingNumbers repeating;
  used.begin({200, 300});
  unused.begin({200, 300});
  for (NodeId v = 0; v < graph.node_count(); ++v) EXPECT_EQ(used.potential(v), unused.potential(v));
}

TEST(RunNumber, ConeMoves) {
  const Graph graph = testing::road(400);
  const IntegerGraph whole(graph, 1);
  std::vector<ConeNode> start(graph.node_count());
  Rng rng(7);
  for (ConeNode& node : start) node = {0, static_cast<std::int32_t>(rng.below(5)) - 2};
  for (NodeId c = 0; c < graph.node_count(); c += 17) {
    ConeMover used(whole), unused(whole);
    ConeStats stats, fresh;
    std::vector<ConeNode> other = start, one = start, two = start;
    used.raise(other, (c + 3) % graph.node_count(), 64, stats);
    const RepeatingNumbers repeating;
    stats = {};
    used.raise(one, c, 64, stats);
    unused.raise(two, c, 64, fresh);
    EXPECT_EQ(stats.settled, fresh.settled);
    EXPECT_EQ(stats.gain, fresh.gain);
    for (NodeId v = 0; v < graph.node_count(); ++v) EXPECT_EQ(one[v].f, two[v].f);
  }
}

TEST(RunNumber, ClimbLabels) {
  index::ClimbLabels<std::uint32_t> labels;
  labels.clear();
  labels.find_or_add(3);
  const RepeatingNumbers repeating;
  labels.clear();
  EXPECT_EQ(labels.find(3), index::kNoLabel);
}

TEST(RunNumber, WitnessSearch) {
  const Graph graph = testing::road(400);
  std::vector<NodeId> order(graph.node_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) order[v] = v;
  index::Units units;
  units.longest = 1e6;
  const index::GrowingGraph<std::uint32_t> growing(graph, units, order);
  const auto pass = [](NodeId) { return true; };
  const auto needed = [&](auto& search, NodeId source, NodeId target) {
    search.begin(source, graph.node_count() - 1);
    search.want(target, 1'000'000, 0);
    search.run(growing, 1'000'000, pass);
    return search.needed(target);
  };
  index::WitnessSearch<std::uint32_t> used(graph.node_count()), unused(graph.node_count());
  needed(used, 5, 200);
  const RepeatingNumbers repeating;
  EXPECT_FALSE(needed(used, 100, 7));
  EXPECT_FALSE(needed(unused, 100, 7));
}

TEST(RunNumber, QueriesAcrossACore) {
  const Graph graph = testing::road(2000);
  IndexOptions options;
  options.core = 400;
  options.rounds = 1;
  options.crossing = Crossing::kSearch;
  const Index index = Index::build(graph, options);
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    const Query first{rng.below(2000), rng.below(2000)}, again{rng.below(2000), rng.below(2000)};
    index::CoreQuery<std::uint32_t> used(index::Access::data(index)),
        unused(index::Access::data(index));
    used.run(first);
    const RepeatingNumbers repeating;
    expect_same(used.run(again), unused.run(again));
    std::vector<NodeId> path, fresh;
    used.path(path);
    unused.path(fresh);
    EXPECT_EQ(path, fresh);
  }
}

TEST(RunNumber, WalksAcrossACore) {
  IndexOptions options;
  options.crossing = Crossing::kStoredDistances;
  const Index index = Index::build(testing::road(5000), options);
  index::Data data = index::Access::data(index);
  const NodeId core = data.core;
  ASSERT_GT(core, 10u);
  data.next = {};  // so that walks search
  for (NodeId from = 0; from + 5 < core; from += 3) {
    index::CoreWalk<std::uint32_t> used(data), unused(data);
    std::vector<index::PathStep> first, steps, fresh;
    used.search(core - 1, from, first);
    const RepeatingNumbers repeating;
    used.search(from, core - 1, steps);
    unused.search(from, core - 1, fresh);
    ASSERT_EQ(steps.size(), fresh.size());
    for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].arc, fresh[i].arc);
  }
}

}  // namespace
}  // namespace lodestar::run_number_test
