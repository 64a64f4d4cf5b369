// Options of a router that go together, leases, and matrices in memory of the caller.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hand_drawn.h"
#include "lodestar/index.h"
#include "lodestar/landmarks.h"
#include "lodestar/router.h"
#include "road.h"

namespace lodestar::router_options_test {
namespace {

using testing::road;

// Pairs of options that exclude each other, and their neighbours that do not.
TEST(Router, OptionsThatGoTogether) {
  const Graph graph = road(300);
  const NodeId n = graph.node_count();
  using O = RouterOptions;
  const auto accepted = [&](auto&& change) {
    RouterOptions options;
    change(options);
    const Router router(graph, options);
    EXPECT_TRUE(router.path({0, n - 1}).result.reached());
    return router;
  };
  const auto reason = [&](auto&& change) -> std::string {
    RouterOptions options;
    change(options);
    try {
      const Router router(graph, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto y = [&] { return PotentialArray(std::vector<double>(n)); };
  const auto zero = [](NodeId, Query) { return 0.0; };
  EXPECT_EQ(accepted([&](O& o) { o.potential = y(); }).guarantee(), Guarantee::kConsistent);
  EXPECT_EQ(
      accepted([&](O& o) { o.potential = y(), o.heuristic = "potential"; }).options().heuristic,
      "potential");
  EXPECT_EQ(
      accepted([&](O& o) { o.potential = y(), o.guarantee = Guarantee::kAdmissible; }).guarantee(),
      Guarantee::kAdmissible);
  EXPECT_EQ(accepted([&](O& o) {
              std::vector<double> steep(n);
              steep[7] = 1e9;
              o.potential = PotentialArray(steep);
            }).guarantee(),
            Guarantee::kNone);
  EXPECT_EQ(accepted([&](O& o) { o.function = zero; }).guarantee(), Guarantee::kNone);
  EXPECT_EQ(
      accepted([&](O& o) { o.function = zero, o.guarantee = Guarantee::kConsistent; }).guarantee(),
      Guarantee::kConsistent);
  EXPECT_EQ(accepted([&](O& o) { o.heuristic = "constant"; }).guarantee(), Guarantee::kConsistent);
  EXPECT_NE(accepted([&](O& o) { o.heuristic = "constant", o.constant = 3; }).guarantee(),
            Guarantee::kConsistent);
  EXPECT_EQ(accepted([&](O& o) { o.heuristic = "random"; }).guarantee(), Guarantee::kNone);
  accepted([&](O& o) { o.potential = o.prover = y(), o.algorithm = "focal"; });
  accepted([&](O& o) {
    std::vector<double> steep(n);
    steep[7] = 1e-9;
    o.potential = y(), o.prover = PotentialArray(steep), o.algorithm = "focal", o.trust = true;
  });
  accepted([&](O& o) { o.max_expansions = 10'000, o.algorithm = "dijkstra"; });
  accepted([&](O& o) { o.bound = 0.5; });

  EXPECT_NE(reason([&](O& o) { o.max_expansions = 10'000, o.algorithm = "core"; }).find("max_exp"),
            std::string::npos);
  EXPECT_NE(reason([&](O& o) { o.bound = 0.5, o.algorithm = "astar"; }).find("support a bound"),
            std::string::npos);
  EXPECT_NE(reason([&](O& o) { o.weight = kInfinity; }).find("weight"), std::string::npos);
  EXPECT_NE(reason([&](O& o) { o.weight = std::nan(""); }).find("weight"), std::string::npos);
  EXPECT_NE(reason([&](O& o) { o.function = zero, o.heuristic = "geometric"; }).find("conflicts"),
            std::string::npos);
  EXPECT_NE(reason([&](O& o) { o.potential = y(), o.heuristic = "function"; }).find("conflicts"),
            std::string::npos);
  EXPECT_NE(reason([&](O& o) {
              o.function = zero, o.guarantee = Guarantee::kConsistent;
              o.algorithm = "bidirectional-astar";
            }).find("forward and backward"),
            std::string::npos);
  EXPECT_NE(reason([&](O& o) {
              o.prover = PotentialArray(std::vector<double>(3)), o.algorithm = "focal";
            }).find("prover has 3 values"),
            std::string::npos);
  LandmarkOptions landmarks;
  landmarks.potential_count = 2;
  const auto potentials = std::make_shared<const Potentials>(landmark_potentials(graph, landmarks));
  accepted([&](O& o) { o.potentials = potentials; });
  accepted([&](O& o) { o.potentials = potentials, o.heuristic = "geometric"; });
  accepted([&](O& o) { o.potentials = potentials, o.trust = true; });
  EXPECT_NE(reason([&](O& o) {
              o.potentials = potentials, o.algorithm = "dijkstra";
            }).find("does not use a heuristic"),
            std::string::npos);
  const auto index = std::make_shared<const Index>(Index::build(graph));
  EXPECT_EQ(accepted([&](O& o) { o.index = index; }).algorithm().name, "core");
  accepted([&](O& o) { o.index = index, o.potentials = potentials; });
  EXPECT_NE(reason([&](O& o) {
              o.index = index, o.algorithm = "astar";
            }).find("requires the algorithm core"),
            std::string::npos);
}

// Leases are moved, and give their engine back once.
TEST(Router, LeasesMove) {
  const Router router(road(100));
  Router::Lease one = router.lease();
  const Cost cost = one.run({0, 50}).cost;
  Router::Lease other = std::move(one);
  EXPECT_EQ(other.run({0, 50}).cost, cost);
  Router::Lease third = router.lease();
  third = std::move(other);
  EXPECT_EQ(third.path(), router.path({0, 50}).nodes);
  Router::Lease& same = third;
  third = std::move(same);
  EXPECT_EQ(third.run({0, 50}).cost, cost);
  EXPECT_GE(router.preparation_seconds(), 0);
}

// A matrix into memory of the caller: its size counts, and costs that the type does not hold.
TEST(Router, MatricesInOtherTypes) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 0.1}, {1, 2, 4e9}, {0, 2, 7}});
  for (const bool indexed : {false, true}) {
    RouterOptions options;
    if (indexed) options.index = std::make_shared<const Index>(Index::build(graph));
    const Router router(graph, options);
    const std::vector<NodeId> zero{0}, one{1}, two{2}, all{0, 1, 2};
    std::vector<float> floats(1);
    std::vector<std::uint32_t> wholes(1);
    router.matrix(zero, two, std::span<float>(floats));
    router.matrix(zero, two, std::span<std::uint32_t>(wholes));
    EXPECT_EQ(floats[0], 7);
    EXPECT_EQ(wholes[0], 7u);
    EXPECT_THROW(router.matrix(zero, one, std::span<float>(floats)), Error);
    EXPECT_THROW(router.matrix(zero, one, std::span<std::uint32_t>(wholes)), Error);
    router.matrix(two, zero, std::span<std::uint32_t>(wholes));
    EXPECT_EQ(wholes[0], kNoCell);
    router.matrix(two, zero, std::span<float>(floats));
    EXPECT_EQ(floats[0], std::numeric_limits<float>::infinity());
    std::vector<Cost> costs(4);
    EXPECT_THROW(router.matrix(zero, one, std::span<Cost>(costs)), Error);
    EXPECT_THROW(router.matrix(all, all, std::span<Cost>(costs)), Error);
    router.matrix(zero, {}, std::span<Cost>());
    std::vector<std::size_t> lines;
    const auto note = [&](std::size_t index, std::span<const Cost> line) {
      lines.push_back(index * 10 + line.size());
    };
    EXPECT_EQ(router.matrix(all, two, note), MatrixBy::kTarget);
    EXPECT_EQ(router.matrix(two, all, note), MatrixBy::kSource);
    EXPECT_EQ(router.matrix(all, two, note, MatrixBy::kSource), MatrixBy::kSource);
    EXPECT_EQ(lines, (std::vector<std::size_t>{3, 3, 1, 11, 21}));
  }
}

}  // namespace
}  // namespace lodestar::router_options_test
