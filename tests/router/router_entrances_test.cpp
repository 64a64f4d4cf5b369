// What a router refuses and why, and the second ways in: batches, progress, sums, times.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "error_of.h"
#include "lodestar/index.h"
#include "lodestar/landmarks.h"
#include "lodestar/router.h"
#include "oracle.h"
#include "road.h"
#include "scratch_folder.h"

namespace lodestar::router_entrances_test {
namespace {

using testing::error_of;
using testing::road;

std::string refusal(const Graph& graph, const RouterOptions& options) {
  return error_of([&] { Router(graph, options); });
}

std::shared_ptr<const Index> index_of(const Graph& graph) {
  return std::make_shared<const Index>(Index::build(graph));
}

TEST(RouterEntrances, IndexesMustFit) {
  const Graph graph = road(300), other = road(300, 2);
  const auto index = index_of(graph);
  RouterOptions both;
  both.index = index;
  both.index_file = "x.lsi";
  EXPECT_EQ(refusal(graph, both), "give either an index or its file, not both");
  EXPECT_NE(refusal(other, {.index = index}), "");
  const ScratchFolder folder;
  index->save(folder / "x.lsi");
  const Router router(graph, {.index_file = folder / "x.lsi"});
  EXPECT_EQ(router.algorithm().name, "core");
  EXPECT_EQ(router.note(), "");
  EXPECT_EQ(router.path({0, 200}).result.cost, Router(graph).path({0, 200}).result.cost);
  std::vector<Weight> weights = graph.weights();
  for (Weight& weight : weights) weight *= 2;
  const Graph doubled = graph.with_weights(weights);
  const Router customized(doubled, {.index_file = folder / "x.lsi"});
  EXPECT_NE(customized.note().find("customized"), std::string::npos);
  EXPECT_EQ(customized.path({0, 200}).result.cost, 2 * router.path({0, 200}).result.cost);
}

TEST(RouterEntrances, PotentialsNeedAKnotOfTheOwnWeights) {
  const Graph graph = road(300);
  const auto one = std::make_shared<const Potentials>(landmark_potentials(graph, {}));
  const auto family = std::make_shared<const PotentialFamily>(
      std::vector<std::string>{"time", "length"}, std::vector<Knot>{{{0, 1}, one}});
  RouterOptions options;
  options.algorithm = "astar";
  options.family = family;
  EXPECT_EQ(refusal(graph, options),
            "the potentials have no knot for the weights of the graph; fit them again");
  options.family = nullptr;
  options.potentials = std::make_shared<const Potentials>(one->in_16_bits(graph));
  options.heuristic = "learned";
  options.exact = true;
  EXPECT_EQ(refusal(graph, options),
            "potentials with 16 bits cannot be combined with a model; use 32 bits");
}

// Any two heuristics together, and their times, change no cost.
TEST(RouterEntrances, EveryHeuristicFindsTheSameCosts) {
  const Graph graph = road(400);
  const auto potentials = std::make_shared<const Potentials>(landmark_potentials(graph, {}));
  const Router truth(graph);
  for (const char* algorithm : {"astar", "bidirectional-astar"}) {
    for (const char* heuristic : {"zero", "geometric", "constant"}) {
      for (const bool both : {false, true}) {
        if (both && heuristic == std::string("constant")) continue;
        for (const bool times : {false, true}) {
          RouterOptions options{.algorithm = algorithm, .heuristic = heuristic, .times = times};
          if (both) options.potentials = potentials;
          if (heuristic == std::string("constant")) options.constant = -3;
          const Router router(graph, options);
          double seconds = 0;
          for (NodeId t = 1; t < graph.node_count(); t += 37) {
            const SearchResult found = router.path({0, t}).result;
            ASSERT_EQ(found.cost, truth.path({0, t}).result.cost) << algorithm << ' ' << heuristic;
            seconds += found.heuristic_seconds;
          }
          const bool measured = times && algorithm == std::string("astar") &&
                                (both || heuristic != std::string("zero"));
          EXPECT_EQ(seconds > 0, measured) << algorithm << ' ' << heuristic;
        }
      }
    }
  }
}

TEST(RouterEntrances, BatchesAreTheSingleAnswers) {
  const Graph graph = road(500);
  const NodeId n = graph.node_count();
  Rng rng(4);
  for (const bool indexed : {false, true}) {
    RouterOptions options;
    if (indexed) options.index = index_of(graph);
    const Router router(graph, options);
    // Lists with few sources, with all different ones, and with so many targets that a matrix
    // would be mostly unused.
    for (const std::uint32_t sources : {2u, n}) {
      std::vector<Query> queries(1200);
      for (std::size_t i = 0; i < queries.size(); ++i) {
        const auto next = static_cast<NodeId>(i * 7 % n);
        queries[i] = {sources == n ? next : rng.below(sources), rng.below(n)};
      }
      std::size_t last = 0, calls = 0;
      BatchOptions batch;
      batch.progress = [&](std::size_t done) {
        EXPECT_GE(done, last);
        last = done;
        ++calls;
      };
      const std::vector<Cost> costs = router.costs(queries, batch);
      EXPECT_EQ(last, queries.size());
      EXPECT_GE(calls, 1u);
      const std::vector<Route> routes = router.paths(std::span(queries).first(100));
      for (std::size_t i = 0; i < 100; ++i) {
        const Route alone = router.path(queries[i]);
        EXPECT_EQ(costs[i], alone.result.cost);
        EXPECT_EQ(routes[i].result.cost, alone.result.cost);
        EXPECT_EQ(routes[i].nodes, alone.nodes);
      }
    }
    // The cells of a matrix, in order, with progress.
    std::vector<Query> all;
    for (NodeId s = 0; s < 10; ++s) {
      for (NodeId t = 0; t < 12; ++t) all.push_back({s, 40 + t});
    }
    std::size_t last = 0;
    const auto progress = [&](std::size_t done) { last = done; };
    const std::vector<Cost> costs = router.costs(all, {.progress = progress});
    EXPECT_EQ(last, all.size());
    EXPECT_EQ(costs[37], router.path(all[37]).result.cost);
  }
  GraphBuilder builder(3);
  builder.add_arc(0, 1, 2);
  const std::vector<Query> pairs = {{0, 1}, {1, 0}, {2, 2}};
  const std::vector<Route> routes = Router(builder.build()).paths(pairs);
  EXPECT_EQ(routes[0].nodes, (std::vector<NodeId>{0, 1}));
  EXPECT_TRUE(routes[1].nodes.empty());
  EXPECT_EQ(routes[2].nodes, (std::vector<NodeId>{2}));
}

TEST(RouterEntrances, SumsAlongPathsAreThoseOfThePaths) {
  const Graph graph = road(2000);
  std::vector<double> along(graph.arc_count());
  for (std::size_t arc = 0; arc < along.size(); ++arc) {
    along[arc] = std::sqrt(static_cast<double>(arc));
  }
  const std::vector<NodeId> sources = {3, 1999, 700}, targets = {3, 50, 1200, 1998};
  std::vector<Cost> costs(12);
  std::vector<double> sums(12);
  for (const bool indexed : {false, true}) {
    RouterOptions options;
    if (indexed) options.index = index_of(graph);
    const Router router(graph, options);
    router.matrix(sources, targets, along, costs, sums);
    const auto first = graph.arrays().first[0];
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        const Route route = router.path({sources[i], targets[k]});
        EXPECT_EQ(costs[4 * i + k], route.result.cost);
        // Of several cheapest paths any; on this graph with weights as they are drawn, one.
        double sum = 0;
        for (std::size_t at = 1; at < route.nodes.size(); ++at) {
          const NodeId u = route.nodes[at - 1];
          ArcIndex best = first[u];
          for (ArcIndex arc = first[u]; arc < first[u + 1]; ++arc) {
            if (graph.arcs(u)[arc - first[u]].head == route.nodes[at]) {
              best = arc;
              break;
            }
          }
          sum += along[best];
        }
        EXPECT_NEAR(sums[4 * i + k], sum, 1e-9 * sum) << indexed << ' ' << i << ' ' << k;
      }
    }
    const auto with = [&](std::span<const double> numbers, std::span<Cost> c, std::span<double> s) {
      return error_of([&] { router.matrix(sources, targets, numbers, c, s); });
    };
    EXPECT_EQ(with(std::span(along).first(5), costs, sums),
              "there must be one number per arc to add up along paths");
    EXPECT_EQ(with(along, costs, std::span(sums).first(11)),
              "a matrix needs memory for as many sums as costs");
    for (const double wrong : {-1.0, kInfinity, std::nan("")}) {
      std::vector<double> numbers = along;
      numbers[7] = wrong;
      EXPECT_EQ(with(numbers, costs, sums),
                "numbers to add up along paths must be at least 0 and finite");
    }
    router.matrix({}, targets, along, {}, {});
    // Whole numbers, which an index adds up as a product.
    const std::vector<double> ones(graph.arc_count(), 1);
    std::size_t last = 0;
    router.matrix(sources, targets, ones, costs, sums,
                  {.progress = [&](std::size_t done) { last = done; }});
    EXPECT_GT(last, 0u);
    EXPECT_NE(with(ones, std::span(costs).first(3), sums), "");
    for (std::size_t cell = 0; cell < 12; ++cell) EXPECT_EQ(sums[cell], std::round(sums[cell]));
    EXPECT_EQ(sums[0], 0) << "from a node to itself";
  }
}

TEST(RouterEntrances, ProgressOfMatricesAndFacilities) {
  const Graph graph = road(400);
  for (const bool indexed : {false, true}) {
    RouterOptions options;
    if (indexed) options.index = index_of(graph);
    const Router router(graph, options);
    const std::vector<NodeId> sources = {1, 2, 3, 4, 5}, targets = {10, 20, 30};
    for (const unsigned threads : {1u, 3u}) {
      std::size_t last = 0;
      const BatchOptions batch{threads, [&](std::size_t done) {
                                 EXPECT_GE(done, last);
                                 last = done;
                               }};
      // One search per source, or per target where these are fewer.
      const std::vector<Cost> costs = router.matrix(sources, targets, batch);
      EXPECT_TRUE(last == sources.size() || last == targets.size()) << last;
      last = 0;
      const NearestFacilities near = router.nearest(sources, targets, 3, batch);
      EXPECT_TRUE(last == sources.size() || last == targets.size()) << last;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        std::multiset<Cost> row(costs.begin() + 3 * static_cast<std::ptrdiff_t>(i),
                                costs.begin() + 3 * static_cast<std::ptrdiff_t>(i + 1));
        EXPECT_TRUE(std::equal(row.begin(), row.end(),
                               near.costs.begin() + 3 * static_cast<std::ptrdiff_t>(i)));
      }
      last = 0;
      std::size_t lines = 0;
      const MatrixBy by = router.matrix(
          sources, targets,
          [&](std::size_t index, std::span<const Cost> line) {
            EXPECT_EQ(index, lines++);
            EXPECT_EQ(line[0], costs[3 * index]);
          },
          MatrixBy::kSource, batch);
      EXPECT_EQ(by, MatrixBy::kSource);
      EXPECT_EQ(lines, sources.size());
      EXPECT_EQ(last, sources.size());
    }
  }
}

TEST(RouterEntrances, CostsBeforeRootsAreChecked) {
  const Graph graph = road(100);
  const Router router(graph);
  const std::vector<NodeId> roots = {1, 2};
  const auto with = [&](std::vector<Cost> spent) {
    return error_of([&] { router.within(roots, 10, {.spent = spent}); });
  };
  EXPECT_EQ(with({0, 0}), "");
  EXPECT_EQ(with({0}), "there must be as many costs spent as roots");
  for (const double wrong : {-1.0, std::nan("")}) {
    EXPECT_EQ(with({0, wrong}), "a cost spent before a root must be a number of at least 0");
  }
}

TEST(RouterEntrances, PlansOfMatricesThatAreNotWorthAnIndex) {
  EXPECT_FALSE(plan_matrix(Graph(), 5).build);
  EXPECT_FALSE(plan_matrix(road(100), 0).build);
  EXPECT_EQ(plan_matrix(road(100), 10).search_seconds, 0) << "not even timed";
}

}  // namespace
}  // namespace lodestar::router_entrances_test
