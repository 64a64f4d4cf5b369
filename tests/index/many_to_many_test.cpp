// Matrices on an index against Bellman-Ford and Dijkstra, and the kernels against plain loops.
#include "index/matrix/many_to_many.h"

#include <gtest/gtest.h>

#include <cmath>

#include "index/matrix/kernel.h"
#include "index_check.h"
#include "lodestar/router.h"
#include "road.h"

namespace lodestar::many_to_many_test {
namespace {

using testing::PlainArc;
using testing::PlainGraph;
using testing::road;

template <class W>
void expect_min_plus_like_plain_loops() {
  Rng rng(7);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t rows = 1 + rng.below(20), lanes = rng.below(150),
                      stride = lanes + rng.below(3);
    const auto distance = [&]() -> W {
      if (rng.chance(0.2)) return index::kUnreached<W>;
      return rng.chance(0.2) ? W{0} : static_cast<W>(rng.below(1u << 30));
    };
    std::vector<W> table(rows * stride + 1), least(lanes);
    for (W& value : table) value = distance();
    for (W& value : least) value = distance();
    std::vector<index::Item<W>> terms(rng.below(30));
    for (auto& term : terms) {
      term = {rng.below(static_cast<std::uint32_t>(rows)),
              static_cast<W>(rng.below((1u << 30) - 1))};
    }
    std::vector<W> truth = least;
    for (std::size_t i = 0; i < lanes; ++i) {
      for (const auto& term : terms) {
        truth[i] = std::min<W>(truth[i], table[term.key * stride + i] + term.distance);
      }
    }
    index::min_plus(table.data(), stride, terms.data(), terms.size(), least.data(), lanes);
    ASSERT_EQ(least, truth);
  }
}

TEST(MatrixKernel, MinPlusIsThatOfPlainLoops) {
  expect_min_plus_like_plain_loops<std::uint32_t>();
  expect_min_plus_like_plain_loops<double>();
  expect_min_plus_like_plain_loops<std::uint64_t>();
}

TEST(MatrixKernel, CostsAreThoseOfTheIndex) {
  Rng rng(8);
  for (const auto& [unit, parts] : {std::pair{1.0, 1.0}, {0.25, 1.0}, {1.0, 100.0}, {1.0, 1e9}}) {
    std::vector<std::uint32_t> units(61);
    for (auto& n : units) n = rng.chance(0.2) ? index::kFar + rng.below(9) : rng.below(1u << 30);
    units[5] = 0;
    units[6] = index::kFar;
    units[7] = index::kFar - 1;
    std::vector<double> costs(units.size());
    index::to_costs(units.data(), units.size(), unit, parts, costs.data(), false);
    for (std::size_t i = 0; i < units.size(); ++i) {
      ASSERT_EQ(costs[i], units[i] >= index::kFar ? kInfinity : unit * units[i] / parts);
    }
    // The narrower types say whether they hold every cost.
    std::vector<float> floats(units.size());
    std::vector<std::uint32_t> wholes(units.size());
    const bool exact =
        index::to_costs(units.data(), units.size(), unit, parts, floats.data(), false);
    const bool whole =
        index::to_costs(units.data(), units.size(), unit, parts, wholes.data(), false);
    bool all_floats = true, all_whole = true;
    for (std::size_t i = 0; i < units.size(); ++i) {
      all_floats = all_floats && static_cast<double>(floats[i]) == costs[i];
      const bool none = costs[i] == kInfinity;
      all_whole = all_whole && (none ? wholes[i] == kNoCell : wholes[i] == costs[i]);
    }
    EXPECT_EQ(exact, all_floats);
    EXPECT_EQ(whole, all_whole);
    // Past the caches the same, from any address on.
    for (std::size_t begin = 0; begin < 9; ++begin) {
      std::vector<double> streamed(units.size(), -1);
      std::vector<std::uint32_t> narrow(units.size());
      const std::size_t some = units.size() - begin;
      index::to_costs(units.data() + begin, some, unit, parts, streamed.data() + begin, true);
      index::to_costs(units.data() + begin, some, unit, parts, narrow.data() + begin, true);
      index::finish_streams();
      for (std::size_t i = 0; i < units.size(); ++i) {
        ASSERT_EQ(streamed[i], i < begin ? -1 : costs[i]);
        ASSERT_EQ(narrow[i], i < begin ? 0 : wholes[i]);
      }
    }
    for (auto& n : units) n = n < index::kFar ? n >> 8 : n;
    if (parts == 1) {
      EXPECT_TRUE(index::to_costs(units.data(), units.size(), unit, parts, floats.data(), false));
    }
  }
}

std::vector<std::vector<double>> all_distances(const PlainGraph& plain) {
  std::vector<std::vector<double>> truth;
  for (NodeId s = 0; s < plain.nodes; ++s) truth.push_back(testing::bellman_ford(plain, s));
  return truth;
}

struct Count {
  std::uint64_t cells = 0, products = 0;
};

// Lists with repeated nodes, in memory and by lines of either end, on one thread and several.
void judge_matrix(const PlainGraph& plain, const Router& router, double tolerance, Rng& rng,
                  Count& count) {
  const auto truth = all_distances(plain);
  const auto wrong = [&](Cost cost, NodeId s, NodeId t) {
    ++count.cells;
    if (!(truth[s][t] < kInfinity)) return cost != kInfinity;
    return !(std::abs(cost - truth[s][t]) <= tolerance * truth[s][t]);
  };
  const auto some = [&] {
    std::vector<NodeId> nodes(rng.below(rng.chance(0.2) ? 200 : 12));
    for (NodeId& v : nodes) v = rng.below(plain.nodes);
    return nodes;
  };
  for (int round = 0; round < 3; ++round) {
    const auto sources = some(), targets = some();
    const unsigned threads = 1 + rng.below(3);
    const auto costs = router.matrix(sources, targets, BatchOptions{.threads = threads});
    ASSERT_EQ(costs.size(), sources.size() * targets.size());
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const NodeId s = sources[i / targets.size()], t = targets[i % targets.size()];
      ASSERT_FALSE(wrong(costs[i], s, t))
          << plain.name << ", " << s << " → " << t << ": " << costs[i] << " not " << truth[s][t];
    }
    std::vector<float> floats(costs.size());
    std::vector<std::uint32_t> wholes(costs.size());
    const auto fits = [&](auto cells) {
      try {
        router.matrix(sources, targets, std::span(cells), {.threads = threads});
      } catch (const Error&) {
        return false;
      }
      for (std::size_t i = 0; i < costs.size(); ++i) {
        const bool none = costs[i] == kInfinity && static_cast<double>(cells[i]) >= kNoCell;
        EXPECT_TRUE(none || static_cast<double>(cells[i]) == costs[i]) << plain.name;
      }
      return true;
    };
    const auto all = [&](const auto& test) {
      return std::all_of(costs.begin(), costs.end(), test);
    };
    EXPECT_EQ(fits(floats), all([](Cost c) { return static_cast<float>(c) == c; }));
    EXPECT_EQ(fits(wholes),
              all([](Cost c) { return c == kInfinity || (c == std::floor(c) && c < kNoCell); }));
    // Pairs of a list with repeated nodes are computed as a matrix.
    std::vector<Query> pairs;
    for (const NodeId s : sources) {
      for (const NodeId t : targets) pairs.push_back({s, t});
    }
    const auto by_pair = router.costs(pairs);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      EXPECT_FALSE(wrong(by_pair[i], pairs[i].source, pairs[i].target)) << plain.name;
    }
    for (const MatrixBy by : {MatrixBy::kSource, MatrixBy::kTarget}) {
      std::size_t lines = 0;
      router.matrix(sources, targets,
                    [&](std::size_t index, std::span<const Cost> line) {
                      ASSERT_EQ(index, lines++);
                      for (std::size_t k = 0; k < line.size(); ++k) {
                        const std::size_t row = by == MatrixBy::kSource ? index : k;
                        const std::size_t column = by == MatrixBy::kSource ? k : index;
                        ASSERT_FALSE(wrong(line[k], sources[row], targets[column])) << plain.name;
                      }
                    },
                    by, {.threads = threads});
      ASSERT_EQ(lines, (by == MatrixBy::kSource ? sources : targets).size());
    }
  }
}

// All pairs by the product alone, which a router does not use for small matrices.
void judge_product(const PlainGraph& plain, const index::ManyToMany& many, double tolerance,
                   Count& count) {
  const auto truth = all_distances(plain);
  const NodeId n = plain.nodes;
  std::vector<NodeId> nodes(n);
  for (NodeId v = 0; v < n; ++v) nodes[v] = n - 1 - v;
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const auto others = std::span(nodes).subspan(n / 3);  // lanes of either end
    for (const bool all : {true, false}) {
      const auto lines = all ? std::span<const NodeId>(nodes) : std::span<const NodeId>(others);
      const auto columns = all ? std::span<const NodeId>(others) : std::span<const NodeId>(nodes);
      std::vector<Cost> costs(lines.size() * columns.size());
      many.job(lines, columns, direction, 1)->lines(0, lines.size(), index::Cells(costs.data()), 2);
      for (std::size_t i = 0; i < costs.size(); ++i) {
        NodeId s = lines[i / columns.size()], t = columns[i % columns.size()];
        if (direction == Direction::kBackward) std::swap(s, t);
        ASSERT_TRUE(costs[i] == truth[s][t] ||
                    std::abs(costs[i] - truth[s][t]) <= tolerance * truth[s][t])
            << plain.name << ", " << s << " → " << t;
        ++count.cells;
      }
    }
  }
  ++count.products;
}

void judge_index(const PlainGraph& plain, const Graph& graph, const IndexOptions& options,
                 double tolerance, Rng& rng, Count& count) {
  RouterOptions with;
  with.index = std::make_shared<const Index>(Index::build(graph, options));
  if (const auto many = index::ManyToMany::make(*with.index)) {
    judge_product(plain, *many, tolerance, count);
  }
  judge_matrix(plain, Router(graph, with), tolerance, rng, count);
}

TEST(ManyToMany, AgreesWithBellmanFordOnNastyGraphs) {
  Count count;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    PlainGraph plain = testing::nasty_graph(seed);
    Rng rng = Rng(seed).fork(3);
    double tolerance = 0;
    if (const auto kind = rng.below(7); kind < 3) {
      tolerance = kind == 0 ? testing::kRounded : testing::kDecimals;
      for (PlainArc& arc : plain.arcs) {
        arc.weight =
            kind == 2 ? std::round(arc.weight * 1e6 / 7) / 1e9 : arc.weight / (kind == 0 ? 7 : 100);
      }
    }
    const Graph graph = plain.graph();
    for (const NodeId core : {NodeId{0}, plain.nodes, rng.below(plain.nodes)}) {
      IndexOptions options;
      options.core = core;
      options.rounds = 1;
      options.seed = seed;
      options.guide = CorePotentials::kNone;
      options.crossing = static_cast<Crossing>(rng.below(3));
      ASSERT_NO_FATAL_FAILURE(judge_index(plain, graph, options, tolerance, rng, count));
      options.labels = true;
      ASSERT_NO_FATAL_FAILURE(judge_index(plain, graph, options, tolerance, rng, count));
    }
  }
  EXPECT_GT(count.cells, 700'000u);
  EXPECT_GT(count.products, 300u);
}

// Distances just below and just above the largest that 32-bit units hold.
TEST(ManyToMany, HoldsAtTheLimitOfThirtyTwoBits) {
  for (const double longest : {0x1p29, 0x1p29 - 1, 0x1p29 + 1, 0x1p30, 0x1p52}) {
    for (const bool directed : {false, true}) {
      PlainGraph plain{.name = "limit", .nodes = 12, .arcs = {}};
      const double step = std::floor(longest / 11);
      for (NodeId v = 0; v + 1 < plain.nodes; ++v) {
        const double weight = v + 2 < plain.nodes ? step : longest - 10 * step;
        plain.arcs.push_back({v, v + 1, weight});
        if (!directed) plain.arcs.push_back({v + 1, v, weight});
      }
      const Graph graph = plain.graph();
      Rng rng(11);
      Count count;
      for (const NodeId core : {0u, 4u, 12u}) {
        for (const Crossing crossing : {Crossing::kSearch, Crossing::kStoredDistances}) {
          IndexOptions options;
          options.core = core;
          options.rounds = 1;
          options.crossing = crossing;
          ASSERT_NO_FATAL_FAILURE(judge_index(plain, graph, options, 0, rng, count));
          options.labels = true;
          ASSERT_NO_FATAL_FAILURE(judge_index(plain, graph, options, 0, rng, count));
        }
      }
      EXPECT_GT(count.products, 5u);
    }
  }
}

// Blocks of many lanes, hubs with rows and with lists, lanes of either end.
TEST(ManyToMany, AgreesWithDijkstraOnARoadGraph) {
  const Graph graph = road(6000);
  const NodeId n = graph.node_count();
  const Router dijkstra(graph);
  Rng rng(5);
  for (const bool labels : {true, false}) {
    for (const NodeId core : {0u, 70u, 900u}) {
      IndexOptions options;
      options.core = core;
      options.labels = labels;
      options.rounds = 1;
      RouterOptions with;
      with.index = std::make_shared<const Index>(Index::build(graph, options));
      const Router router(graph, with);
      for (const auto& [rows, columns] :
           {std::pair{3, 1500}, {1500, 3}, {700, 600}, {1, 1}, {40, 9000}, {20, 150}, {90, 200}}) {
        std::vector<NodeId> sources(static_cast<std::size_t>(rows)),
            targets(static_cast<std::size_t>(columns));
        const NodeId corner = rng.below(n);  // half of them are close together
        for (auto* nodes : {&sources, &targets}) {
          for (NodeId& v : *nodes)
            v = rng.chance(0.5) ? rng.below(n) : (corner + rng.below(200)) % n;
        }
        for (const unsigned threads : {1u, 3u}) {
          ASSERT_EQ(router.matrix(sources, targets, BatchOptions{.threads = threads}),
                    dijkstra.matrix(sources, targets));
        }
      }
    }
  }
}

// A matrix larger than the caches is written past them.
TEST(ManyToMany, LargeMatricesAreThoseOfSmallOnes) {
  const Graph graph = road(2500);
  RouterOptions with;
  with.index = std::make_shared<const Index>(Index::build(graph, {.rounds = 1, .labels = true}));
  const Router router(graph, with);
  std::vector<NodeId> nodes(2101);
  Rng rng(6);
  for (NodeId& v : nodes) v = rng.below(graph.node_count());
  std::vector<Cost> large(nodes.size() * nodes.size());
  std::vector<std::uint32_t> small(large.size());
  router.matrix(nodes, nodes, std::span(large), {.threads = 2});
  router.matrix(nodes, nodes, std::span(small));
  EXPECT_TRUE(std::equal(large.begin(), large.end(), small.begin()));
  for (const std::size_t row : {0, 1000, 2100}) {
    const std::vector<Cost> truth = Router(graph).distances(nodes[row]).costs;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      ASSERT_EQ(large[row * nodes.size() + k], truth[nodes[k]]);
    }
  }
}

TEST(ManyToMany, ReportsProgressAndStops) {
  const Graph graph = road(2000);
  RouterOptions with;
  with.index = std::make_shared<const Index>(Index::build(graph, {.labels = true}));
  const Router router(graph, with);
  std::vector<NodeId> nodes(1500);
  for (NodeId v = 0; v < nodes.size(); ++v) nodes[v] = v;
  for (const std::uint32_t threads : {1, 2}) {
    std::size_t last = 0, calls = 0;
    router.matrix(nodes, nodes, {.threads = threads, .progress = [&](std::size_t done) {
                                   EXPECT_GE(done, last);
                                   last = done;
                                   ++calls;
                                 }});
    EXPECT_EQ(last, nodes.size());
    // Only the caller's thread reports; on a busy machine the other one may do all of the work.
    EXPECT_GT(calls, threads == 1 ? 1u : 0u);
  }
  struct Oops {};
  EXPECT_THROW(
      router.matrix(nodes, nodes, {.threads = 2, .progress = [](std::size_t) { throw Oops{}; }}),
      Oops);
  std::vector<Cost> costs(5);
  EXPECT_THROW(router.matrix(nodes, nodes, std::span<Cost>(costs)), Error);
}

}  // namespace
}  // namespace lodestar::many_to_many_test
