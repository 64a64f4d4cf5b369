// Every row of the potentials of algorithms, every heuristic, from many threads; Bellman-Ford
// judges.
#include "lodestar/router.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "lodestar/fit.h"
#include "lodestar/generate.h"
#include "lodestar/landmarks.h"
#include "lodestar/model.h"
#include "oracle.h"
#include "road.h"

namespace lodestar::router_test {
namespace {

using testing::bellman_ford;
using testing::nasty_graph;
using testing::PlainGraph;

using testing::road;

RouterOptions with_algorithm(std::string_view name) {
  RouterOptions options;
  options.algorithm = name;
  return options;
}

// Every way of asking a router of one algorithm, with the heuristics it takes.
std::vector<RouterOptions> every_way(const AlgorithmRow& row, const Graph& graph) {
  std::vector<RouterOptions> ways{with_algorithm(row.name)};
  if (row.heuristic == HeuristicUse::kNone) return ways;
  LandmarkOptions landmarks;
  landmarks.potential_count = 3;
  ways.push_back(with_algorithm(row.name));
  ways.back().potentials =
      std::make_shared<const Potentials>(landmark_potentials(graph, landmarks));
  ways.push_back(with_algorithm(row.name));  // feasible: all the same
  ways.back().potential = PotentialArray(std::vector<double>(graph.node_count(), 7));
  if (row.heuristic == HeuristicUse::kConsistent) return ways;
  std::vector<double> nonsense(graph.node_count());
  for (NodeId v = 0; v < graph.node_count(); ++v) nonsense[v] = (v * 37) % 101;
  ways.push_back(with_algorithm(row.name));
  ways.back().potential = PotentialArray(nonsense);
  ways.push_back(with_algorithm(row.name));
  ways.back().function = [](NodeId v, Query query) {
    return static_cast<Cost>((v * 13 + query.target) % 29);
  };
  ways.push_back(with_algorithm(row.name));
  ways.back().heuristic = "random";
  ways.push_back(with_algorithm(row.name));
  ways.back().heuristic = "constant";
  ways.back().constant = 5;
  if (!row.takes_model) return ways;
  ways.push_back(with_algorithm(row.name));
  ways.back().heuristic = "learned";
  ways.back().model = "swift";
  if (row.name == "astar") {
    ways.push_back(ways.back());
    ways.back().exact = true;
  }
  return ways;
}

void expect_path(const Graph& graph, const Route& route, Query query) {
  if (!route.result.reached()) {
    EXPECT_TRUE(route.nodes.empty());
    return;
  }
  ASSERT_FALSE(route.nodes.empty());
  EXPECT_EQ(route.nodes.front(), query.source);
  EXPECT_EQ(route.nodes.back(), query.target);
  EXPECT_EQ(path_cost(graph, route.nodes), route.result.cost);
}

TEST(Router, EveryAlgorithmAndHeuristicKeepsItsWord) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    const Graph graph = plain.graph();
    for (const AlgorithmRow& row : algorithms()) {
      for (const RouterOptions& options : every_way(row, graph)) {
        SCOPED_TRACE(plain.name + ", " + std::string(row.name) + ", " + options.heuristic);
        const Router router(graph, options);
        EXPECT_EQ(&router.algorithm(), &row);
        for (NodeId s = 0; s < graph.node_count(); s += 7) {
          const auto truth = bellman_ford(plain, s);
          for (NodeId t = 0; t < graph.node_count(); t += 3) {
            const Route route = router.path({s, t});
            const SearchResult& found = route.result;
            ASSERT_NO_FATAL_FAILURE(expect_path(graph, route, {s, t}));
            ASSERT_EQ(found.reached(), truth[t] < kInfinity);
            ASSERT_GE(found.cost, truth[t]);
            ASSERT_LE(found.lower_bound, truth[t]);
            const bool optimal =
                row.proof == Proof::kOptimal || row.proof == Proof::kWithinBound ||
                (row.proof == Proof::kOptimalIfPromised && router.guarantee() != Guarantee::kNone);
            if (optimal) {
              ASSERT_EQ(found.cost, truth[t]);
              ASSERT_TRUE(found.optimal());
            }
          }
        }
      }
    }
  }
}

TEST(Router, BoundsAreKept) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    const Graph graph = plain.graph();
    const auto truth = bellman_ford(plain, 0);
    for (const AlgorithmRow& row : algorithms()) {
      for (RouterOptions options : every_way(row, graph)) {
        options.bound = 0.3;
        if (!row.takes_bound) {
          EXPECT_THROW(Router(graph, options), Error);
          continue;
        }
        const Router router(graph, options);
        for (NodeId t = 0; t < graph.node_count(); ++t) {
          const SearchResult found = router.path({0, t}).result;
          ASSERT_LE(found.cost, 1.3 * truth[t]) << plain.name << ' ' << row.name;
          ASSERT_LE(found.lower_bound, truth[t]);
        }
      }
    }
  }
}

// A limit of expansions is kept or refused, never forgotten.
TEST(Router, LimitOfExpansions) {
  const Graph graph = road(2000);
  for (const AlgorithmRow& row : algorithms()) {
    for (RouterOptions options : every_way(row, graph)) {
      SCOPED_TRACE(std::string(row.name) + ", " + options.heuristic);
      options.max_expansions = 5;
      if (!row.takes_max_expansions) {
        EXPECT_THROW(Router(graph, options), Error);
        continue;
      }
      const SearchResult found = Router(graph, options).path({0, graph.node_count() - 1}).result;
      EXPECT_TRUE(found.capped);
      EXPECT_LE(found.expansions, 6u);
    }
  }
}

TEST(Router, TraceIsTheSearchItself) {
  const PlainGraph plain = nasty_graph(21);
  for (const Graph& graph : {road(1500), plain.graph()}) {
    const Query query{0, graph.node_count() - 1};
    for (const AlgorithmRow& row : algorithms()) {
      for (const RouterOptions& options : every_way(row, graph)) {
        SCOPED_TRACE(std::string(row.name) + ", " + options.heuristic);
        const Router router(graph, options);
        const Route route = router.path(query);
        const SearchTrace trace = router.trace(query);
        EXPECT_EQ(trace.route.nodes, route.nodes);
        EXPECT_EQ(trace.route.result.cost, route.result.cost);
        // An index may answer without a search; watched it shows the one that this stands for.
        if (row.name != "core") {
          EXPECT_EQ(trace.route.result.expansions, route.result.expansions);
        }
        EXPECT_EQ(trace.settled.size(), trace.route.result.expansions);
        std::vector<char> seen[2];
        for (auto& side : seen) side.resize(graph.node_count());
        for (const Settled& settled : trace.settled) {
          auto& side = seen[static_cast<int>(settled.side)];
          const NodeId root = settled.side == Direction::kForward ? query.source : query.target;
          if (settled.parent == kNoNode) {
            EXPECT_EQ(settled.node, root);
          } else {
            EXPECT_TRUE(side[settled.parent]);
          }
          side[settled.node] = true;
        }
      }
    }
  }
}

TEST(Router, DistancesAndMatrix) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    const Graph graph = plain.graph();
    const NodeId n = graph.node_count();
    const Router router(graph);
    std::vector<std::vector<double>> truth;
    for (NodeId s = 0; s < n; ++s) truth.push_back(bellman_ford(plain, s));
    const Distances from = router.distances(0, {.parents = true});
    const Distances to = router.distances(n - 1, {.direction = Direction::kBackward});
    EXPECT_EQ(from.costs, truth[0]);
    EXPECT_TRUE(to.parents.empty());
    for (NodeId v = 0; v < n; ++v) {
      ASSERT_EQ(to.costs[v], truth[v][n - 1]);
      // The way of parents leads back to the root, at the very cost.
      std::vector<NodeId> way;
      for (NodeId u = v; u != kNoNode && way.size() <= n; u = from.parents[u]) way.push_back(u);
      std::reverse(way.begin(), way.end());
      if (truth[0][v] < kInfinity) {
        ASSERT_EQ(way.front(), 0u);
        ASSERT_EQ(path_cost(graph, way), truth[0][v]);
      } else {
        ASSERT_EQ(from.parents[v], kNoNode);
      }
    }
    Rng rng(seed);
    std::vector<NodeId> sources(rng.below(9)), targets(rng.below(9));  // repeated or none at all
    for (NodeId& v : sources) v = rng.below(n);
    for (NodeId& v : targets) v = rng.below(n);
    const auto costs = router.matrix(sources, targets, {.threads = 1 + rng.below(3)});
    ASSERT_EQ(costs.size(), sources.size() * targets.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (std::size_t k = 0; k < targets.size(); ++k) {
        ASSERT_EQ(costs[i * targets.size() + k], truth[sources[i]][targets[k]]) << plain.name;
      }
    }
    for (const MatrixBy by : {MatrixBy::kSource, MatrixBy::kTarget, MatrixBy::kFewer}) {
      std::vector<std::vector<Cost>> lines;
      const MatrixBy was = router.matrix(sources, targets,
                                         [&](std::size_t index, std::span<const Cost> line) {
                                           ASSERT_EQ(index, lines.size());
                                           lines.emplace_back(line.begin(), line.end());
                                         },
                                         by, {.threads = 2});
      const bool rows = was == MatrixBy::kSource;
      ASSERT_EQ(rows, by == MatrixBy::kFewer ? sources.size() <= targets.size()
                                             : by == MatrixBy::kSource);
      ASSERT_EQ(lines.size(), rows ? sources.size() : targets.size());
      for (std::size_t i = 0; i < lines.size(); ++i) {
        for (std::size_t k = 0; k < lines[i].size(); ++k) {
          ASSERT_EQ(lines[i][k],
                    rows ? truth[sources[i]][targets[k]] : truth[sources[k]][targets[i]]);
        }
      }
    }
  }
}

std::vector<Query> queries_on(const Graph& graph, std::size_t count) {
  Rng rng(5);
  std::vector<Query> queries(count);
  for (Query& query : queries) {
    query = {rng.below(graph.node_count()), rng.below(graph.node_count())};
  }
  return queries;
}

// One router, eight threads, every algorithm: the same answers as one thread gives.
TEST(Router, SharedByEightThreads) {
  const Graph graph = road(600);
  const auto queries = queries_on(graph, 24);
  for (const AlgorithmRow& row : algorithms()) {
    for (const RouterOptions& options : every_way(row, graph)) {
      SCOPED_TRACE(std::string(row.name) + ", " + options.heuristic);
      const Router router(graph, options);
      const auto alone = router.results(queries);
      std::atomic<int> wrong{0};
      {
        std::vector<std::jthread> threads;
        for (int k = 0; k < 8; ++k) {
          threads.emplace_back([&, k] {
            const Router mine = router;
            for (std::size_t i = 0; i < queries.size(); ++i) {
              const std::size_t at = (i + static_cast<std::size_t>(k) * 5) % queries.size();
              const SearchResult found = mine.path(queries[at]).result;
              wrong += found.cost != alone[at].cost || found.expansions != alone[at].expansions ||
                       found.lower_bound != alone[at].lower_bound;
            }
          });
        }
      }
      EXPECT_EQ(wrong, 0);
      const auto batch = router.costs(queries, {.threads = 8});
      for (std::size_t i = 0; i < queries.size(); ++i) EXPECT_EQ(batch[i], alone[i].cost);
    }
  }
}

TEST(Router, SharedByEightThreadsForDistances) {
  const Graph graph = road(1500);
  const Router router(graph);
  std::vector<NodeId> nodes;
  for (NodeId v = 0; v < 24; ++v) nodes.push_back(v * 31);
  const auto costs = router.matrix(nodes, nodes);
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < 8; ++k) {
      threads.emplace_back([&, k] {
        const auto direction = k % 2 == 0 ? Direction::kForward : Direction::kBackward;
        const auto found = router.distances(nodes[k], {.direction = direction}).costs;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          wrong += found[nodes[i]] !=
                   (k % 2 == 0 ? costs[k * nodes.size() + i] : costs[i * nodes.size() + k]);
        }
        wrong += router.matrix(nodes, nodes, {.threads = 2}) != costs;
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

// Whatever a router was made from may go; so may the router, while a lease is out.
TEST(Router, NothingDangles) {
  const auto make = [](const RouterOptions& options) { return Router(road(800), options); };
  const Graph graph = road(800);
  const auto queries = queries_on(graph, 10);
  for (const AlgorithmRow& row : algorithms()) {
    for (const RouterOptions& options : every_way(row, graph)) {
      const auto expected = Router(graph, options).costs(queries);
      auto first = std::make_unique<Router>(make(RouterOptions(options)));
      Router copy = *first;
      Router moved = std::move(*first);
      EXPECT_EQ(first->costs(queries), expected);  // also what was moved from
      first.reset();
      EXPECT_EQ(copy.costs(queries), expected);
      EXPECT_EQ(moved.costs(queries), expected);
      Router other(graph);
      other = std::move(moved);
      moved = copy;
      copy = Router(graph);
      EXPECT_EQ(other.costs(queries), expected);
      EXPECT_EQ(moved.costs(queries), expected);
      Router::Lease lease = Router(other).lease();
      other = moved = copy;
      Router::Lease taken = std::move(lease);
      lease = copy.lease();
      for (std::size_t i = 0; i < queries.size(); ++i) {
        EXPECT_EQ(taken.run(queries[i]).cost, expected[i]);
      }
    }
  }
}

TEST(Router, ThrowingCallbacksReachTheCaller) {
  const Graph graph = road(800);
  const auto queries = queries_on(graph, 200);
  struct Oops {};
  RouterOptions options;
  std::atomic<int> calls{0};
  std::atomic<bool> angry{true};
  options.function = [&](NodeId, Query) -> Cost {
    if (angry && ++calls % 50 == 0) throw Oops{};
    return 0;
  };
  const Router router(graph, options);
  for (const unsigned threads : {1u, 2u, 8u}) {
    angry = true;
    EXPECT_THROW(router.costs(queries, {.threads = threads}), Oops);
    angry = false;  // the searchers it broke off with are as good as new
    EXPECT_EQ(router.costs(queries, {.threads = threads}), Router(graph).costs(queries));
  }
  const auto caller = std::this_thread::get_id();
  BatchOptions batch{4, [&](std::size_t done) {
                       EXPECT_EQ(std::this_thread::get_id(), caller);
                       if (done > 20) throw Oops{};
                     }};
  EXPECT_THROW(router.results(queries, batch), Oops);
  EXPECT_THROW(router.trace({0, 700}, [](const Settled&) { throw Oops{}; }), Oops);
  const std::vector<NodeId> nodes{1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_THROW(router.matrix(nodes, nodes, [](std::size_t, std::span<const Cost>) { throw Oops{}; },
                             MatrixBy::kFewer, {.threads = 3}),
               Oops);
  options.function = [](NodeId, Query) { return std::nan(""); };
  EXPECT_THROW(Router(graph, options).path({0, 5}), Error);
  options.function = [](NodeId, Query) { return kInfinity; };
  EXPECT_THROW(Router(graph, options).path({0, 5}), Error);
}

// The other thread keeps one query until the caller has run out of work, then ends at once.
TEST(Router, ProgressIsReportedOnceAtTheEnd) {
  const Graph graph = road(800);
  const auto queries = queries_on(graph, 12);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> taken{false}, released{false};
  RouterOptions options;
  options.function = [&](NodeId, Query) -> Cost {
    if (std::this_thread::get_id() != caller) {
      taken = true;
      while (!released) std::this_thread::yield();
    } else {
      while (!taken) std::this_thread::yield();
    }
    return 0;
  };
  const Router router(graph, options);
  for (int attempt = 0; attempt < 20; ++attempt) {
    taken = released = false;
    std::size_t last = 0, at_the_end = 0;
    const auto progress = [&](std::size_t done) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_GE(done, last);
      last = done;
      at_the_end += done == queries.size();
      if (done + 1 >= queries.size()) released = true;
    };
    router.costs(queries, {2, progress});
    EXPECT_EQ(last, queries.size());
    EXPECT_EQ(at_the_end, 1u);
  }
  taken = released = true;
  for (const unsigned threads : {1u, 8u}) {
    std::size_t at_the_end = 0;
    const auto count = [&](std::size_t done) { at_the_end += done == queries.size(); };
    router.costs(queries, {threads, count});
    EXPECT_EQ(at_the_end, 1u);
  }
  std::size_t calls = 0;
  router.costs({}, {2, [&](std::size_t) { ++calls; }});
  EXPECT_EQ(calls, 0u);
}

TEST(Router, NodesOutOfRange) {
  const Router router(road(100));
  const NodeId n = router.graph().node_count();
  EXPECT_THROW(router.path({0, n}), Error);
  EXPECT_THROW(router.path({kNoNode, 0}), Error);
  EXPECT_THROW(router.trace({n, 0}), Error);
  EXPECT_THROW(router.lease().run({0, kNoNode}), Error);
  EXPECT_THROW(router.distances(n), Error);
  EXPECT_THROW(router.costs(std::vector<Query>{{0, 1}, {0, n}}, {.threads = 2}), Error);
  const std::vector<NodeId> good{0}, bad{n};
  EXPECT_THROW(router.matrix(good, bad), Error);
  EXPECT_THROW(router.matrix(bad, good), Error);
  const Router empty{Graph()};
  EXPECT_THROW(empty.path({0, 0}), Error);
  EXPECT_TRUE(empty.matrix({}, {}).empty());
}

TEST(Router, ContradictionsAreRefused) {
  const Graph graph = road(300);
  const auto refused = [&](auto&& change) {
    RouterOptions options;
    change(options);
    EXPECT_THROW(Router(graph, options), Error);
  };
  using O = RouterOptions;
  refused([](O& o) { o.algorithm = "fastest"; });
  refused([](O& o) { o.heuristic = "best"; });
  refused([](O& o) { o.heuristic = "potential"; });
  refused([](O& o) { o.heuristic = "function"; });
  refused([](O& o) { o.bound = -1; });
  refused([](O& o) { o.bound = std::nan(""); });
  refused([](O& o) { o.bound = kInfinity; });
  refused([](O& o) { o.weight = -1; });
  refused([](O& o) { o.constant = kInfinity, o.heuristic = "constant"; });
  refused([](O& o) { o.exact = true; });
  refused([](O& o) { o.heuristic = "learned", o.exact = true, o.algorithm = "greedy"; });
  refused([](O& o) { o.heuristic = "learned", o.algorithm = "bidirectional-astar"; });
  refused([](O& o) { o.heuristic = "random", o.algorithm = "bidirectional-astar"; });
  refused([](O& o) { o.heuristic = "geometric", o.algorithm = "dijkstra"; });
  refused([](O& o) { o.potentials_file = "no such file.lsp"; });
  refused([](O& o) { o.heuristic = "learned", o.model = "no such model"; });
  const auto y = [&](std::size_t n) { return PotentialArray(std::vector<double>(n)); };
  const NodeId n = graph.node_count();
  refused([&](O& o) { o.potential = y(n - 1); });
  refused([&](O& o) { o.potential = y(n + 1); });
  refused([&](O& o) { o.potential = y(n), o.heuristic = "geometric"; });
  refused([&](O& o) { o.potential = y(n), o.function = [](NodeId, Query) { return 0.0; }; });
  refused([&](O& o) {
    std::vector<double> bad(n);
    bad[7] = std::nan("");
    o.potential = PotentialArray(bad);
  });
  refused([&](O& o) { o.potential = o.prover = y(n), o.algorithm = "astar"; });
  refused([&](O& o) {  // what proves must be feasible
    std::vector<double> steep(n);
    steep[7] = 1e9;
    o.potential = y(n), o.prover = PotentialArray(steep), o.algorithm = "focal";
  });
  LandmarkOptions landmarks;
  landmarks.potential_count = 2;
  const auto potentials = std::make_shared<const Potentials>(landmark_potentials(graph, landmarks));
  refused([&](O& o) { o.potentials = potentials, o.potentials_file = "x.lsp"; });
  refused([&](O& o) { o.potentials = potentials, o.heuristic = "random"; });
  refused([&](O& o) { o.potentials = potentials, o.heuristic = "learned"; });
  refused([&](O& o) { o.potentials = potentials, o.potential = y(n); });
  EXPECT_THROW(Router(road(301, 9), {.potentials = potentials}), Error);
  EXPECT_THROW(Router(nasty_graph(3).graph(), {.heuristic = "geometric"}), Error);
}

TEST(Router, Auto) {
  const Graph graph = road(300);
  EXPECT_EQ(Router(graph).algorithm().name, "bidirectional");
  EXPECT_EQ(Router(graph, {.heuristic = "geometric"}).algorithm().name, "astar");
  EXPECT_EQ(Router(graph, {.heuristic = "geometric", .bound = 0.1}).algorithm().name, "focal");
  EXPECT_EQ(find_algorithm("auto"), nullptr);
}

// Weights fell after the potentials were made: a copy is repaired, the original stays unchanged.
TEST(Router, RepairsPotentialsThatNoLongerFit) {
  const Graph graph = road(600);
  LandmarkOptions landmarks;
  landmarks.potential_count = 4;
  const auto potentials = std::make_shared<const Potentials>(landmark_potentials(graph, landmarks));
  const auto before = potentials->column(0);
  PlainGraph plain;
  plain.nodes = graph.node_count();
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      plain.arcs.push_back({u, arc.head, u % 5 == 0 ? std::floor(arc.weight / 4) : arc.weight});
    }
  }
  const Graph now = plain.graph();
  const Router router(now, {.potentials = potentials});
  EXPECT_FALSE(router.note().empty());
  EXPECT_TRUE(Router(graph, {.potentials = potentials}).note().empty());
  EXPECT_EQ(potentials->column(0), before);
  for (NodeId s = 0; s < graph.node_count(); s += 97) {
    const auto truth = bellman_ford(plain, s);
    for (NodeId t = 0; t < graph.node_count(); t += 11) {
      EXPECT_EQ(router.path({s, t}).result.cost, truth[t]);
    }
  }
}

}  // namespace
}  // namespace lodestar::router_test
