// Requests with preferences against an oracle that shares no code with the library.
#include <gtest/gtest.h>

#include <algorithm>

#include "lodestar/fit_family.h"
#include "lodestar/generate.h"
#include "lodestar/router.h"
#include "request_family.h"
#include "scratch_folder.h"

namespace lodestar::requests_test {
namespace {

using namespace lodestar::testing;

// Sums of weights that are rounded up differ from the oracle's by less than this.
double tolerance(const RequestCase& graph, double cost) {
  return 1e-3 * static_cast<double>(graph.nodes) + 1e-9 * cost;
}

TEST(RequestsTest, AgreesWithOracleOnNastyGraphs) {
  std::size_t answers = 0, reached = 0, guided = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Rng rng(seed);
    const std::size_t metric_count = 1 + seed % 3;
    const auto nodes = static_cast<NodeId>(2 + rng.below(40));
    const RequestCase graph = random_case(rng, nodes, metric_count, seed % 2 == 0);
    if (graph.arcs.empty()) continue;
    std::vector<Router> routers;
    RouterOptions options{.metrics = graph.metrics};
    routers.emplace_back(graph.graph, options);
    for (const int bits : {32, 16}) {
      options.family = family_of(graph, metric_count + seed % 3, bits);
      if (options.family) routers.emplace_back(graph.graph, options);
    }
    for (int i = 0; i < 12; ++i) {
      const Preferences wish = random_preferences(rng, graph);
      std::vector<double> weights;
      for (ArcIndex a = 0; a < graph.arcs.size(); ++a) {
        weights.push_back(plain_weight(graph, wish, a));
      }
      double mean = 0;
      for (const MetricArc& arc : graph.arcs) mean += arc.weights[0];
      if (mean == 0) continue;
      const auto source = static_cast<NodeId>(rng.below(nodes));
      const std::vector<double> truth = plain_dijkstra(nodes, graph.arcs, weights, source);
      for (int j = 0; j < 4; ++j) {
        const Query query{source, static_cast<NodeId>(rng.below(nodes))};
        const double want = truth[query.target];
        double first = -1;
        for (const Router& router : routers) {
          RequestRoute route;
          try {
            route = router.request(query, wish);
          } catch (const Error& error) {
            // A blend without any weight above 0.
            EXPECT_NE(std::string(error.what()).find("share above 0"), std::string::npos)
                << error.what();
            continue;
          }
          ++answers;
          guided += route.potentials;
          ASSERT_TRUE(route.result.optimal());
          if (want == kInfinity) {
            ASSERT_EQ(route.result.cost, kInfinity) << "seed " << seed;
            continue;
          }
          ++reached;
          ASSERT_NEAR(route.result.cost, want, tolerance(graph, want)) << "seed " << seed;
          // All methods agree, up to the rounding of sums.
          if (first < 0) first = route.result.cost;
          ASSERT_NEAR(route.result.cost, first, 1e-12 * first) << "seed " << seed;
          double sum = 0;
          NodeId at = query.source;
          for (const ArcIndex arc : route.arcs) {
            ASSERT_EQ(graph.arcs[arc].tail, at);
            at = graph.arcs[arc].head;
            sum += weights[arc];
          }
          ASSERT_EQ(at, query.target);
          ASSERT_NEAR(sum, want, tolerance(graph, want));
        }
      }
    }
  }
  EXPECT_GT(answers, 12000u);
  EXPECT_GT(reached, 3000u);
  EXPECT_GT(guided, 5000u);
}

// A road-like graph with a second metric, and potentials for both.
struct Town {
  Graph graph;
  Metrics metrics;
  std::shared_ptr<const PotentialFamily> family;

  explicit Town(NodeId nodes) {
    GraphSpec spec;
    spec.family = Family::kRoad;
    spec.nodes = nodes;
    spec.seed = 3;
    graph = generate(spec);
    MetricsBuilder builder({"time", "s", 0.1});
    std::vector<Weight> length;
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const Arc arc : graph.arcs(u)) {
        length.push_back(std::ceil(
            distance_between(CoordinateKind::kPlane, graph.points()[u], graph.points()[arc.head])));
        const bool toll = (u * 7919 + arc.head * 104729) % 11 == 0;
        const std::string_view names[] = {"toll"};
        builder.add_arc(std::span(names, toll ? 1u : 0u));
      }
    }
    builder.add({"length", "m", 1}, std::move(length));
    metrics = std::move(builder).build(graph);
    FamilyOptions options = quick_family(4);
    options.fit.potential_count = 8;
    options.fit.pairs = 4000;
    options.fit.queries = 40;
    options.fit.held_back = 20;
    family = std::make_shared<const PotentialFamily>(fit_family(graph, metrics, options).family);
  }
  Router router() const { return Router(graph, {.family = family, .metrics = metrics}); }
};

const Town& town() {
  static const Town the_town(2000);
  return the_town;
}

Preferences blended(double time, double length) {
  Preferences wish;
  wish.blend = {{"time", time}, {"length", length}};
  return wish;
}

Query random_query(Rng& rng) {
  const NodeId source = rng.below(town().graph.node_count());
  return {source, static_cast<NodeId>(rng.below(town().graph.node_count()))};
}

TEST(RequestsTest, PotentialsSaveWork) {
  const Router guided = town().router();
  const Router plain(town().graph, {.metrics = town().metrics});
  Rng rng(9);
  double with = 0, without = 0;
  for (int i = 0; i < 40; ++i) {
    const Query query = random_query(rng);
    Preferences wish = blended(1, rng.uniform() * 0.3);
    wish.classes = {{"toll", 3}};
    const RequestRoute a = guided.request(query, wish), b = plain.request(query, wish);
    ASSERT_EQ(a.result.cost, b.result.cost);
    EXPECT_TRUE(a.potentials);
    EXPECT_FALSE(b.potentials);
    with += static_cast<double>(a.result.expansions);
    without += static_cast<double>(b.result.expansions);
  }
  EXPECT_LT(with, 0.6 * without);
}

TEST(RequestsTest, ClosingArcsOffThePathChangesNothing) {
  const Router router = town().router();
  Rng rng(2);
  for (int i = 0; i < 60; ++i) {
    const Query query = random_query(rng);
    Preferences wish = blended(1, 0.05);
    const RequestRoute before = router.request(query, wish);
    for (int j = 0; j < 30; ++j) {
      const auto arc = static_cast<ArcIndex>(rng.below(town().graph.arc_count()));
      if (std::find(before.arcs.begin(), before.arcs.end(), arc) != before.arcs.end()) continue;
      wish.arcs.push_back({arc, random_factor(rng), 0});
    }
    EXPECT_EQ(router.request(query, wish).result.cost, before.result.cost);
  }
}

TEST(RequestsTest, RaisingWeightsNeverLowersACost) {
  const Router router = town().router();
  Rng rng(4);
  for (int i = 0; i < 40; ++i) {
    const Query query = random_query(rng);
    Preferences wish;
    Cost last = 0;
    for (int j = 0; j < 6; ++j) {
      const RequestRoute route = router.request(query, wish);
      EXPECT_GE(route.result.cost, last);
      last = route.result.cost;
      if (route.arcs.empty()) break;
      const ArcIndex arc = route.arcs[rng.below(route.arcs.size())];
      wish.arcs.push_back({arc, random_factor(rng), 0});
    }
  }
}

TEST(RequestsTest, CostIsConcaveInTheBlend) {
  const Router router = town().router();
  Rng rng(6);
  for (int i = 0; i < 30; ++i) {
    const Query query = random_query(rng);
    const auto cost = [&](double alpha) {
      return router.request(query, blended(1 - alpha, 0.1 * alpha)).result.cost;
    };
    const double a = rng.uniform(), b = rng.uniform();
    // Up to the rounding of weights.
    EXPECT_GE(cost((a + b) / 2) * (1 + 1e-5), (cost(a) + cost(b)) / 2);
  }
}

TEST(RequestsTest, AlternativesKeepTheirPromises) {
  const Router router = town().router();
  Rng rng(8);
  std::size_t found = 0;
  for (int i = 0; i < 25; ++i) {
    const Query query = random_query(rng);
    Preferences wish;
    if (i % 2 == 0) wish.classes = {{"toll", kInfinity}};
    const AlternativeOptions options{.count = 3, .stretch = 0.3, .sharing = 0.7, .local = 0.1};
    const auto routes = router.alternatives(query, wish, options);
    ASSERT_FALSE(routes.empty());
    ASSERT_LE(routes.size(), 3u);
    EXPECT_TRUE(routes[0].result.optimal());
    if (!routes[0].result.reached()) continue;
    const Cost best = routes[0].result.cost;
    EXPECT_EQ(best, router.request(query, wish).result.cost);
    found += routes.size() - 1;
    Router::Requests requests = router.requests(wish);
    for (std::size_t r = 0; r < routes.size(); ++r) {
      const RequestRoute& route = routes[r];
      EXPECT_EQ(route.nodes.size(), route.arcs.size() + 1);
      EXPECT_EQ(route.result.lower_bound, best);
      std::vector<Cost> at = {0};
      for (const ArcIndex arc : route.arcs) at.push_back(at.back() + requests.weight(arc));
      EXPECT_EQ(route.result.cost, at.back());
      EXPECT_LE(route.result.cost, 1.3 * best);
      for (std::size_t other = 0; other < r; ++other) {
        Cost common = 0;
        for (const ArcIndex arc : route.arcs) {
          const auto& theirs = routes[other].arcs;
          if (std::find(theirs.begin(), theirs.end(), arc) != theirs.end()) {
            common += requests.weight(arc);
          }
        }
        EXPECT_LE(common, 0.7 * best);
      }
      // Local optimality: parts of at most a tenth of the best cost are shortest paths.
      for (std::size_t b = 0; b < at.size(); ++b) {
        std::size_t e = b;
        while (e + 1 < at.size() && at[e + 1] - at[b] <= 0.1 * best) ++e;
        EXPECT_EQ(requests.run({route.nodes[b], route.nodes[e]}).cost, at[e] - at[b]);
      }
    }
  }
  EXPECT_GT(found, 10u);
}

TEST(RequestsTest, FilesKeepFamilies) {
  const ScratchFolder folder;
  const std::string path = folder / "town.lsp";
  town().family->save(path);
  const PotentialFamily loaded = PotentialFamily::load(path);
  ASSERT_EQ(loaded.knots().size(), town().family->knots().size());
  for (std::size_t k = 0; k < loaded.knots().size(); ++k) {
    EXPECT_EQ(loaded.knots()[k].blend, town().family->knots()[k].blend);
    EXPECT_EQ(loaded.knots()[k].potentials->column(3),
              town().family->knots()[k].potentials->column(3));
  }
  const Router router(town().graph, {.potentials_file = path, .metrics = town().metrics});
  Preferences wish;
  wish.blend = {{"length", 1}};
  EXPECT_EQ(router.request({1, 900}, wish).result.cost,
            town().router().request({1, 900}, wish).result.cost);
  EXPECT_TRUE(router.path({1, 900}).result.optimal());
}

TEST(RequestsTest, WeightsBelowTheKnotsAreRepaired) {
  // Half of the times fall after the family was fitted.
  std::vector<Weight> weights = town().graph.weights();
  for (std::size_t i = 0; i < weights.size(); i += 2) weights[i] = std::floor(weights[i] / 3);
  const Graph changed = town().graph.with_weights(weights);
  const Router guided(changed, {.family = town().family, .metrics = town().metrics});
  const Router plain(changed, {.metrics = town().metrics});
  Rng rng(12);
  for (int i = 0; i < 40; ++i) {
    const Query query{static_cast<NodeId>(rng.below(changed.node_count())),
                      static_cast<NodeId>(rng.below(changed.node_count()))};
    Preferences wish;
    wish.blend = {{"time", 1}, {"length", rng.uniform() * 0.1}};
    EXPECT_EQ(guided.request(query, wish).result.cost, plain.request(query, wish).result.cost);
  }
}

TEST(RequestsTest, BlendsWithoutPotentialsAreExact) {
  // The family knows the time alone, the request the length alone.
  FamilyOptions options = quick_family(1);
  options.metrics = {"time"};
  const auto family = std::make_shared<const PotentialFamily>(
      fit_family(town().graph, town().metrics, options).family);
  const Router router(town().graph, {.family = family, .metrics = town().metrics});
  Preferences wish;
  wish.blend = {{"length", 1}};
  const RequestRoute route = router.request({5, 1200}, wish);
  EXPECT_FALSE(route.potentials);
  EXPECT_TRUE(route.result.optimal());
  EXPECT_EQ(route.result.cost, town().router().request({5, 1200}, wish).result.cost);
  wish.blend.push_back({"time", 0.5});
  EXPECT_TRUE(router.request({5, 1200}, wish).potentials);
}

TEST(RequestsTest, TotalsAreInTheUnitsOfTheMetrics) {
  const Router router = town().router();
  const RequestRoute route = router.request({5, 1200}, {});
  ASSERT_EQ(route.totals.size(), 2u);
  EXPECT_NEAR(route.totals[0], route.result.cost * 0.1, 1e-6);
  double length = 0;
  for (const ArcIndex arc : route.arcs) length += town().metrics.columns[0][arc];
  EXPECT_NEAR(route.totals[1], length, 1e-6);
}

TEST(RequestsTest, RefusesWhatItCannotDo) {
  const Router router = town().router();
  const auto message = [&](const Preferences& wish) -> std::string {
    try {
      router.request({0, 1}, wish);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const double kNaN = std::nan("");
  Preferences wish;
  wish.blend = {{"speed", 1}};
  EXPECT_NE(message(wish).find("no metric 'speed'; it has time, length"), std::string::npos);
  wish.blend = {{"time", -1}};
  EXPECT_NE(message(wish).find("share of time"), std::string::npos);
  wish.blend = {{"time", 0}};
  EXPECT_NE(message(wish).find("share above 0"), std::string::npos);
  wish = {};
  wish.classes = {{"tool", 2}};
  EXPECT_NE(message(wish).find("no class 'tool'"), std::string::npos);
  for (const double factor : {0.5, -1.0, kNaN, 1e12}) {
    wish.classes = {{"toll", factor}};
    EXPECT_NE(message(wish).find("at least 1 and at most 1e9"), std::string::npos) << factor;
  }
  wish = {};
  wish.circles = {{{kNaN, 0}, 1, 2}};
  EXPECT_NE(message(wish).find("finite"), std::string::npos);
  wish.circles = {{{0, 0}, -1, 2}};
  EXPECT_NE(message(wish).find("radius"), std::string::npos);
  wish = {};
  wish.polygons = {{{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}, 2}};
  EXPECT_NE(message(wish).find("crosses"), std::string::npos);
  wish.polygons = {{{{{0, 0}, {1, 1}}}, 2}};
  EXPECT_NE(message(wish).find("corners"), std::string::npos);
  wish.polygons = {{{}, 2}};
  EXPECT_NE(message(wish).find("no points"), std::string::npos);
  wish = {};
  wish.arcs = {{4'000'000, 2, 0}};
  EXPECT_NE(message(wish).find("out of range"), std::string::npos);
  for (const double extra : {-1.0, kNaN, kInfinity}) {
    wish.arcs = {{0, 2, extra}};
    EXPECT_NE(message(wish).find("extra cost"), std::string::npos) << extra;
  }
  wish = {};
  wish.ways = {{17, 2}};
  EXPECT_NE(message(wish).find("OpenStreetMap"), std::string::npos);
  wish = {};
  wish.depart = 3600;
  EXPECT_NE(message(wish).find("travel times"), std::string::npos);
  wish = {};
  EXPECT_EQ(message(wish), "");
  EXPECT_THROW(router.request({0, town().graph.node_count()}, {}), Error);
}

}  // namespace
}  // namespace lodestar::requests_test
