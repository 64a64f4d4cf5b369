// Training of potentials for all blends of two metrics: where knots are added and what they start
// from.
#include "lodestar/fit_family.h"

#include <gtest/gtest.h>

#include "lodestar/detail/clock.h"
#include "lodestar/generate.h"
#include "lodestar/rng.h"
#include "potentials/mixed_bounds.h"
#include "requests/knots.h"

namespace lodestar {
namespace {

const GeneratedGraph& roads() {
  static const GeneratedGraph made = [] {
    GraphSpec spec;
    spec.family = Family::kRoad;
    spec.nodes = 3000;
    spec.seed = 5;
    return generate_with_metrics(spec);
  }();
  return made;
}

FamilyOptions in_rounds(std::size_t knots) {
  FamilyOptions options;
  options.knots = knots;
  options.fit.rounds = 3;
  options.fit.potential_count = 8;
  options.fit.pairs = 20'000;
  options.fit.queries = 100;
  options.fit.start = FitStart::kFarthest;
  return options;
}

TEST(FitFamily, AddsKnotsUntilSearchesBetweenThemLoseLittle) {
  const FamilyResult two = fit_family(roads().graph, roads().metrics, in_rounds(2));
  EXPECT_EQ(two.family.knots().size(), 2u);
  EXPECT_GT(two.loss, 0.3);
  ASSERT_EQ(two.worst.size(), 2u);
  const FamilyResult chosen = fit_family(roads().graph, roads().metrics, in_rounds(0));
  EXPECT_GT(chosen.family.knots().size(), 2u);
  EXPECT_LE(chosen.family.knots().size(), FamilyOptions::kMostChosen);
  EXPECT_LT(chosen.loss, 0.5 * two.loss);
  // The first one is added where two knots lost most, and every one for a reason.
  for (std::size_t k = 2; k < chosen.knots.size(); ++k) {
    EXPECT_GT(chosen.knots[k].loss, FamilyOptions{}.tolerance);
    EXPECT_LE(chosen.knots[k].expansions, chosen.knots[k].expansions_before);
  }
}

// Whatever the limit, training has improved every knot that was added.
TEST(FitFamily, LeavesOutKnotsWithoutTimeForARound) {
  for (const double seconds : {0.05, 0.15, 0.4, 0.8}) {
    FamilyOptions options = in_rounds(0);
    options.fit.rounds = 0;
    options.fit.seconds = seconds;
    options.fit.processor_time = true;
    const FamilyResult made = fit_family(roads().graph, roads().metrics, options);
    ASSERT_EQ(made.knots.size(), made.family.knots().size());
    for (std::size_t k = 2; k < made.knots.size(); ++k) {
      EXPECT_LT(made.knots[k].expansions, roads().graph.node_count() / 3.0) << seconds;
      EXPECT_TRUE(made.knots[k].rounds > 0 ||
                  made.knots[k].expansions <= 2 * made.knots[1].expansions)
          << seconds << ": knot " << k;
    }
  }
}

TEST(FitFamily, TheSameRunTwiceIsTheSame) {
  const FamilyResult a = fit_family(roads().graph, roads().metrics, in_rounds(4));
  const FamilyResult b = fit_family(roads().graph, roads().metrics, in_rounds(4));
  ASSERT_EQ(a.family.knots().size(), b.family.knots().size());
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(a.knots[k].parts, b.knots[k].parts);
    EXPECT_EQ(a.family.knots()[k].potentials->column(3), b.family.knots()[k].potentials->column(3));
  }
}

TEST(FitFamily, ANewKnotStartsWithFeasiblePotentialsThatBoundWell) {
  const Graph& graph = roads().graph;
  const FamilyResult two = fit_family(graph, roads().metrics, in_rounds(2));
  const PotentialFamily& family = two.family;
  std::vector<double> blend = family.knots()[0].blend;
  for (std::size_t i = 0; i < 2; ++i) {
    blend[i] = 0.3 * family.knots()[0].blend[i] + 0.7 * family.knots()[1].blend[i];
  }
  const std::vector<std::string> names(family.metrics().begin(), family.metrics().end());
  const auto mixes = family.mixes(names, blend);
  ASSERT_EQ(mixes.size(), 1u);
  Rng rng(3);
  const auto draw = [&] {
    std::vector<Query> pairs(300);
    for (Query& pair : pairs) {
      pair = {static_cast<NodeId>(rng.below(graph.node_count())),
              static_cast<NodeId>(rng.below(graph.node_count()))};
    }
    return pairs;
  };
  const Graph weighted =
      graph.with_weights(requests::knot_weights(graph, roads().metrics, names, blend));
  const Potentials start = requests::blended_potentials(weighted, family.knots(), mixes[0], draw());
  EXPECT_TRUE(start.verify(weighted).feasible());
  double bound = 0, sum_of_bounds = 0;
  for (const Query& query : draw()) {
    bound += start.to(query.target)(query.source);
    sum_of_bounds += MixedBounds(family, mixes[0], query)(query.source).to_target;
  }
  EXPECT_LE(bound, sum_of_bounds);
  EXPECT_GT(bound, 0.9 * sum_of_bounds);
}

TEST(FitFamily, TheTimeLimitHolds) {
  FamilyOptions options;
  options.fit.seconds = 0.6;
  options.fit.processor_time = true;
  const double begin = process_seconds();
  const FamilyResult fitted = fit_family(roads().graph, roads().metrics, options);
  EXPECT_LT(process_seconds() - begin, 0.9);
  EXPECT_GE(fitted.family.knots().size(), 2u);
}

}  // namespace
}  // namespace lodestar
