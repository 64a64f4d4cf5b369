// One-to-all, several roots, limits, reach and facilities: with and without an index, against
// Bellman-Ford.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "index/matrix/sum_product.h"
#include "index_check.h"
#include "lodestar/index.h"
#include "lodestar/router.h"
#include "road.h"

namespace lodestar::distances_test {
namespace {

using testing::PlainArc;
using testing::PlainGraph;
using testing::road;

struct Subject {
  PlainGraph plain;
  Graph graph;
  Router router;
  std::vector<std::vector<double>> truth;
  double tolerance;

  bool same(Cost a, Cost b) const {
    return a == b || (a < kInfinity && std::abs(a - b) <= tolerance * b);
  }
};

// Every kind of index, and none.
template <class Judge>
void for_subjects(std::uint64_t seeds, Judge&& judge) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    PlainGraph plain = testing::nasty_graph(seed);
    Rng rng = Rng(seed).fork(17);
    double tolerance = 0;
    if (rng.below(5) == 0) {
      tolerance = testing::kDecimals;
      for (PlainArc& arc : plain.arcs) arc.weight /= 100;
    } else if (seed % 4 == 1) {  // exact fractions
      for (PlainArc& arc : plain.arcs) arc.weight /= 8;
    }
    std::vector<std::vector<double>> truth;
    for (NodeId s = 0; s < plain.nodes; ++s) truth.push_back(testing::bellman_ford(plain, s));
    const Graph graph = plain.graph();
    for (const int kind : {0, 1, 2, 3, 4}) {
      RouterOptions with;
      if (kind > 0) {
        IndexOptions options;
        options.rounds = 1;
        options.guide = CorePotentials::kNone;
        options.core = kind == 1 ? 0 : kind == 2 ? plain.nodes : rng.below(plain.nodes);
        options.crossing = static_cast<Crossing>(rng.below(3));
        Index index = Index::build(graph, options);
        if (kind == 4) {
          options.labels = true;
          index = Index::build(graph, options);
        }
        with.index = std::make_shared<const Index>(index);
      }
      const Subject subject{plain, graph, Router(graph, with), truth, tolerance};
      SCOPED_TRACE(plain.name + ", kind " + std::to_string(kind));
      ASSERT_NO_FATAL_FAILURE(judge(subject, rng));
    }
  }
}

std::vector<NodeId> some_nodes(Rng& rng, NodeId n, std::uint32_t most) {
  std::vector<NodeId> nodes(1 + rng.below(most));
  for (NodeId& v : nodes) v = rng.below(n);
  return nodes;
}

// From the nearest root to v, or from v to it.
Cost nearest_cost(const Subject& subject, const std::vector<NodeId>& roots, Direction direction,
                  NodeId v) {
  Cost least = kInfinity;
  for (const NodeId root : roots) {
    least = std::min(
        least, direction == Direction::kForward ? subject.truth[root][v] : subject.truth[v][root]);
  }
  return least;
}

TEST(Distances, OfOneRootAndSeveralWithLimitParentsAndNearest) {
  std::uint64_t parents = 0, limited = 0;
  for_subjects(80, [&](const Subject& subject, Rng& rng) {
    const NodeId n = subject.plain.nodes;
    for (int round = 0; round < 4; ++round) {
      const auto roots = some_nodes(rng, n, round == 0 ? 1 : 5);
      DistanceOptions options;
      options.direction = rng.chance(0.5) ? Direction::kForward : Direction::kBackward;
      options.parents = options.nearest = true;
      if (rng.chance(0.5))
        options.limit = nearest_cost(subject, roots, options.direction, rng.below(n));
      const Distances found = subject.router.distances(roots, options);
      for (NodeId v = 0; v < n; ++v) {
        const Cost truth = nearest_cost(subject, roots, options.direction, v);
        // A distance that equals the limit but for rounding may be on either side of it.
        if (subject.tolerance > 0 && subject.same(truth, options.limit)) continue;
        if (truth > options.limit || truth == kInfinity) {
          ASSERT_EQ(found.costs[v], kInfinity);
          ASSERT_EQ(found.parents[v], kNoNode);
          ASSERT_EQ(found.nearest[v], kNoNode);
          limited += truth < kInfinity;
          continue;
        }
        ASSERT_TRUE(subject.same(found.costs[v], truth)) << found.costs[v] << " not " << truth;
        ASSERT_LT(found.nearest[v], roots.size());
        ASSERT_TRUE(subject.same(
            nearest_cost(subject, {roots[found.nearest[v]]}, options.direction, v), truth));
        std::vector<NodeId> way;
        for (NodeId u = v; u != kNoNode && way.size() <= n; u = found.parents[u]) way.push_back(u);
        ASSERT_NE(std::find(roots.begin(), roots.end(), way.back()), roots.end());
        if (options.direction == Direction::kForward) std::reverse(way.begin(), way.end());
        ASSERT_TRUE(subject.same(path_cost(subject.graph, way), truth));
        parents += way.size() - 1;
      }
    }
  });
  EXPECT_GT(parents, 13'000u);
  EXPECT_GT(limited, 1'300u);
}

TEST(Distances, OfNoRootAreInfinite) {
  const Graph graph = road(300);
  RouterOptions with;
  with.index = std::make_shared<const Index>(Index::build(graph, {.labels = true}));
  for (const Router& router : {Router(graph), Router(graph, with)}) {
    const Distances found = router.distances(std::span<const NodeId>{}, {.nearest = true});
    EXPECT_EQ(found.costs, std::vector<Cost>(graph.node_count(), kInfinity));
    EXPECT_EQ(found.nearest, std::vector<NodeId>(graph.node_count(), kNoNode));
    EXPECT_THROW(router.distances(0, {.limit = std::nan("")}), Error);
    EXPECT_THROW(router.within({}, -1), Error);
  }
}

TEST(Within, HasTheNodesAndArcsOfTheLimit) {
  for_subjects(60, [&](const Subject& subject, Rng& rng) {
    const NodeId n = subject.plain.nodes;
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      const auto roots = some_nodes(rng, n, 3);
      const Cost limit = rng.chance(0.2) ? 0 : static_cast<Cost>(rng.below(1500));
      const Reach reach =
          subject.router.within(roots, limit, {.direction = direction, .arcs = true});
      std::vector<Cost> costs(n, kInfinity);
      for (std::size_t i = 0; i < reach.nodes.size(); ++i) {
        const ReachedNode& one = reach.nodes[i];
        ASSERT_EQ(costs[one.node], kInfinity) << "twice";
        costs[one.node] = one.cost;
        ASSERT_TRUE(i == 0 || reach.nodes[i - 1].cost <= one.cost);
      }
      for (NodeId v = 0; v < n; ++v) {
        const Cost truth = nearest_cost(subject, roots, direction, v);
        ASSERT_TRUE(truth <= limit ? subject.same(costs[v], truth) : costs[v] == kInfinity);
      }
      // The arcs, by the definition: what is left of the limit at the end where an arc is entered.
      double sum = 0, expected = 0;
      for (const ReachedArc& arc : reach.arcs) {
        sum += arc.share;
        const ArcRange row = subject.graph.arcs(arc.tail);
        const std::size_t place = arc.arc - subject.graph.arrays().first[0][arc.tail];
        ASSERT_LT(place, row.size());
        ASSERT_EQ(row[place].head, arc.head);
        ASSERT_EQ(row[place].weight, arc.weight);
      }
      for (const PlainArc& arc : subject.plain.arcs) {
        const Cost left = limit - costs[direction == Direction::kForward ? arc.tail : arc.head];
        if (left == -kInfinity) continue;
        expected += arc.weight <= left ? 1 : left / arc.weight;
      }
      ASSERT_NEAR(sum, expected, 1e-9 * (1 + expected));
    }
  });
}

TEST(Nearest, FacilitiesAreTheSmallestOfTheMatrix) {
  for_subjects(60, [&](const Subject& subject, Rng& rng) {
    const NodeId n = subject.plain.nodes;
    const auto sources = some_nodes(rng, n, 9), facilities = some_nodes(rng, n, 9);
    const std::size_t k = rng.below(5);
    const NearestFacilities found =
        subject.router.nearest(sources, facilities, k, {.threads = 1 + rng.below(3)});
    const std::size_t width = std::min(k, facilities.size());
    ASSERT_EQ(found.costs.size(), sources.size() * width);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      std::vector<std::pair<Cost, NodeId>> all;
      for (NodeId f = 0; f < facilities.size(); ++f) {
        all.emplace_back(subject.truth[sources[i]][facilities[f]], f);
      }
      std::sort(all.begin(), all.end());
      for (std::size_t j = 0; j < width; ++j) {
        const Cost cost = found.costs[i * width + j];
        const NodeId facility = found.facilities[i * width + j];
        ASSERT_TRUE(subject.same(cost, all[j].first));
        if (cost == kInfinity) {
          ASSERT_EQ(facility, kNoNode);
        } else if (subject.tolerance == 0) {
          ASSERT_EQ(facility, all[j].second);
        }
      }
    }
  });
}

// Lexicographic Bellman-Ford: the smallest number of arcs of the cheapest paths.
std::vector<std::pair<double, double>> least_hops(const PlainGraph& plain, NodeId source) {
  std::vector<std::pair<double, double>> best(plain.nodes, {kInfinity, kInfinity});
  best[source] = {0, 0};
  for (bool changed = true; changed;) {
    changed = false;
    for (const PlainArc& arc : plain.arcs) {
      const std::pair through{best[arc.tail].first + arc.weight, best[arc.tail].second + 1};
      if (through.first < kInfinity && through < best[arc.head]) {
        best[arc.head] = through;
        changed = true;
      }
    }
  }
  return best;
}

TEST(PathSums, AreThoseOfAnOptimalPath) {
  for_subjects(40, [&](const Subject& subject, Rng& rng) {
    const NodeId n = subject.plain.nodes;
    const auto sources = some_nodes(rng, n, 9), targets = some_nodes(rng, n, 9);
    const BatchOptions batch{.threads = 1 + rng.below(3)};
    const std::size_t cells = sources.size() * targets.size();
    std::vector<Cost> costs(cells);
    std::vector<double> sums(cells), hops(cells);
    // The weights of any optimal path add up to its cost.
    subject.router.matrix(sources, targets, subject.graph.weights(), costs, sums, batch);
    const std::vector<double> ones(subject.graph.arc_count(), 1);
    subject.router.matrix(sources, targets, ones, costs, hops, batch);
    for (std::size_t i = 0; i < cells; ++i) {
      const NodeId s = sources[i / targets.size()], t = targets[i % targets.size()];
      ASSERT_TRUE(subject.same(costs[i], subject.truth[s][t]));
      ASSERT_TRUE(sums[i] == costs[i] || std::abs(sums[i] - costs[i]) <= 1e-9 * costs[i]);
      ASSERT_EQ(hops[i] == kInfinity, costs[i] == kInfinity);
      if (subject.tolerance == 0 && costs[i] < kInfinity) {
        ASSERT_GE(hops[i], least_hops(subject.plain, s)[t].second);
        ASSERT_LT(hops[i], n);
      }
    }
  });
  const Router router(testing::nasty_graph(1).graph());
  const NodeId one[] = {0};
  std::vector<double> cell(1);
  EXPECT_THROW(router.matrix(one, one, std::vector<double>{}, cell, cell), Error);
}

TEST(PathSums, RunAsAProductOnAnIndex) {
  const Graph graph = road(3000);
  const Index index = Index::build(graph, {.rounds = 1, .paths = false});
  std::vector<double> along = graph.weights();
  const auto product = index::SumProduct::make(index, along);
  ASSERT_NE(product, nullptr);
  const NodeId nodes[] = {5, 2000, 5, 17};
  std::vector<Cost> costs(16), sums(16);
  product->run(nodes, nodes, costs, sums, 2);
  EXPECT_EQ(costs, Router(graph).matrix(nodes, nodes));
  EXPECT_EQ(sums, costs);
  along[7] += 0.0001;  // no whole number of any unit
  EXPECT_EQ(index::SumProduct::make(index, along), nullptr);
  along.assign(along.size(), 1e9);  // sums do not fit
  EXPECT_EQ(index::SumProduct::make(index, along), nullptr);
}

// Pairs in the order of a matrix, of its transpose, and in none; nodes that are listed twice.
TEST(Costs, OfPairsAreThoseOfTheMatrix) {
  for_subjects(60, [&](const Subject& subject, Rng& rng) {
    const NodeId n = subject.plain.nodes;
    auto sources = some_nodes(rng, n, 20), targets = some_nodes(rng, n, 20);
    if (rng.chance(0.3)) sources.insert(sources.end(), 3, sources.back());
    if (rng.chance(0.3)) targets[0] = targets.back();
    std::vector<Query> rows, columns;
    for (const NodeId s : sources) {
      for (const NodeId t : targets) rows.push_back({s, t});
    }
    for (const NodeId t : targets) {
      for (const NodeId s : sources) columns.push_back({s, t});
    }
    std::vector<Query> mixed = rows;
    std::swap(mixed.front(), mixed[rng.below(static_cast<std::uint32_t>(mixed.size()))]);
    mixed.resize(mixed.size() - rng.below(2) * (mixed.size() / 3));
    for (const auto& queries : {rows, columns, mixed}) {
      const auto costs = subject.router.costs(queries, {.threads = 1 + rng.below(2)});
      for (std::size_t i = 0; i < queries.size(); ++i) {
        ASSERT_TRUE(subject.same(costs[i], subject.truth[queries[i].source][queries[i].target]));
      }
    }
  });
}

TEST(PlanMatrix, BuildsAnIndexForManySearchesOnly) {
  const Graph graph = road(6000);
  EXPECT_FALSE(plan_matrix(graph, 10).build);
  EXPECT_FALSE(plan_matrix(Graph(), 10).build);
  const MatrixPlan many = plan_matrix(graph, 1'000'000);
  EXPECT_TRUE(many.build);
  EXPECT_GT(many.index_seconds, 0);
  // Sums of such weights depend on their order.
  std::vector<Weight> thirds = graph.weights();
  for (Weight& weight : thirds) weight /= 3;
  EXPECT_FALSE(plan_matrix(graph.with_weights(thirds), 1'000'000).build);
}

TEST(Distances, AgreeOnARoadGraph) {
  const Graph graph = road(6000);
  const Router plain(graph);
  for (const bool labels : {true, false}) {
    RouterOptions with;
    with.index =
        std::make_shared<const Index>(Index::build(graph, {.rounds = 1, .labels = labels}));
    const Router router(graph, with);
    for (const NodeId v : {0u, 77u, 5000u}) {
      EXPECT_EQ(router.distances(v).costs, plain.distances(v).costs);
      const auto narrow = router.distances(v, {.limit = 500}),
                 wide = router.distances(v, {.limit = 1e5});
      EXPECT_EQ(narrow.costs, plain.distances(v, {.limit = 500}).costs);
      EXPECT_EQ(wide.costs, plain.distances(v, {.limit = 1e5}).costs);
    }
  }
}

}  // namespace
}  // namespace lodestar::distances_test
