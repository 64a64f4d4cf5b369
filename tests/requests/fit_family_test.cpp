// Training of potentials for all blends of two metrics: where knots are added and what they start
// from.
#include "lodestar/fit_family.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "error_of.h"
#include "fingerprint.h"
#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"
#include "lodestar/generate.h"
#include "lodestar/rng.h"
#include "potentials/mixed_bounds.h"
#include "request_family.h"
#include "requests/knots.h"
#include "requests/request_weights.h"

namespace lodestar::fit_family_test {
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

// A small graph with three metrics.
const testing::RequestCase& three_metrics() {
  static const testing::RequestCase made = [] {
    Rng rng(31);
    return testing::random_case(rng, 80, 3, true);
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
    options.fit.clock = process_seconds;
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

// Rounds instead of time make the same family on every machine. Who changes how families are made
// changes the numbers here in the same commit.
TEST(FitFamily, TheFingerprintIsTheRecordedOne) {
  const auto fingerprint = [](const FamilyResult& made) {
    testing::Fingerprint print;
    for (const KnotReport& knot : made.knots) print.add_all(knot.parts).add(knot.rounds);
    for (const Knot& knot : made.family.knots()) {
      print.add_all(knot.blend).add(knot.potentials->unit());
      for (std::uint32_t i = 0; i < knot.potentials->count(); ++i) {
        print.add_all(knot.potentials->column(i));
      }
    }
    return print.add(made.family.from_source() ? 1 : 0).value();
  };
  FamilyOptions options = in_rounds(4);
  options.fit.seconds = 1e6;  // never reached
  EXPECT_EQ(fingerprint(fit_family(roads().graph, roads().metrics, options)), 9492414101914735598u);
  const testing::RequestCase& small = three_metrics();
  options = testing::quick_family(5);
  options.fit.seconds = 1e6;
  EXPECT_EQ(fingerprint(fit_family(small.graph, small.metrics, options)), 13789754896100431380u);
  options.log = {{1, 0.5, 2}, {3, 0.1, 0.4}};
  options.bits = 16;
  EXPECT_EQ(fingerprint(fit_family(small.graph, small.metrics, options)), 5567288603472545857u);
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

// Each metric has its share of the time.
TEST(FitFamily, EveryMetricIsTrained) {
  FamilyOptions options = testing::quick_family(0);
  options.fit.rounds = 0;
  options.fit.seconds = 0.5;
  options.fit.clock = process_seconds;
  const FamilyResult made = fit_family(three_metrics().graph, three_metrics().metrics, options);
  ASSERT_GE(made.knots.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_GT(made.knots[k].rounds, 0u) << k;
}

// Weights of a knot are no larger than exact sums; those of the graph alone are exact.
TEST(FitFamily, WeightsOfKnotsAreNotRoundedUp) {
  const testing::RequestCase& small = three_metrics();
  const std::string names[] = {"time", "length"};
  const std::vector<Weight> time = small.graph.weights(),
                            length = small.metrics.weights(small.graph, 1);
  const auto of = [&](double a, double b) {
    return requests::knot_weights(small.graph, small.metrics, names, std::array{a, b});
  };
  EXPECT_EQ(of(1, 0), time);
  const auto thrice = of(3, 0), one = of(0, 1), sum = of(1, 1);
  for (std::size_t i = 0; i < time.size(); ++i) {
    EXPECT_EQ(thrice[i]<3 * time[i], time[i]> 0);
    EXPECT_EQ(one[i]<length[i], length[i]> 0);
    EXPECT_EQ(sum[i]<time[i] + length[i], time[i] + length[i]> 0);
    EXPECT_NEAR(sum[i], time[i] + length[i], 1e-12 * sum[i]);
  }
}

TEST(FitFamily, TheTimeLimitHolds) {
  FamilyOptions options;
  options.fit.seconds = 0.6;
  options.fit.clock = process_seconds;
  const double begin = process_seconds();
  const FamilyResult fitted = fit_family(roads().graph, roads().metrics, options);
  EXPECT_LT(process_seconds() - begin, 0.9);
  EXPECT_GE(fitted.family.knots().size(), 2u);
}

std::string refusal(const FamilyOptions& options) {
  return testing::error_of(
      [&] { fit_family(three_metrics().graph, three_metrics().metrics, options); });
}

TEST(FitFamily, RefusesOptionsThatDoNotFit) {
  const auto with = [](auto change) {
    FamilyOptions options = testing::quick_family(3);
    change(options);
    return refusal(options);
  };
  EXPECT_EQ(with([](FamilyOptions& o) {
              o.metrics = {"time", "length", "third", "time", "time"};
            }),
            "a family can have at most four metrics; name those that requests blend");
  EXPECT_EQ(with([](FamilyOptions& o) { o.bits = 8; }), "bits must be 32 or 16");
  EXPECT_EQ(with([](FamilyOptions& o) { o.knots = 2; }),
            "there must be at least one knot for each metric: 3");
  EXPECT_EQ(with([](FamilyOptions& o) { o.knots = 33; }), "there can be at most 32 knots, not 33");
  EXPECT_EQ(with([](FamilyOptions& o) {
              o.metrics = {"time", "beauty"};
            }),
            "the graph has no metric 'beauty'; it has time, length, third");
  EXPECT_EQ(with([](FamilyOptions& o) {
              o.metrics = {"time", "length", "time"};
            }),
            "the metric time is given twice");
  EXPECT_EQ(with([](FamilyOptions& o) {
              o.metrics = {"length", "third"};
            }),
            "the metrics must include the graph's own weights, time");
  EXPECT_EQ(with([](FamilyOptions& o) {
              o.log = {{1, 2}};
            }),
            "a blend of the log has 2 shares for 3 metrics");
  for (const double share : {-1.0, kInfinity, std::nan("")}) {
    EXPECT_EQ(with([&](FamilyOptions& o) {
                o.log = {{1, share, 0}};
              }),
              "the shares of a blend must be finite and not negative");
  }
  EXPECT_EQ(with([](FamilyOptions& o) {
              o.log = {{1, 0, 0}, {0, 0, 0}};
            }),
            "a blend of the log has no share above 0");
}

// Further knots are blends of the log, if there is one, otherwise of a grid.
TEST(FitFamily, PlacesKnotsWhereRequestsAre) {
  FamilyOptions options = testing::quick_family(5);
  for (const bool logged : {true, false}) {
    // The part of a metric in the mean weight: its share times its mean, in units.
    if (logged) options.log = {{1, 0.5, 2}, {1, 0.5, 2}, {3, 0.1, 0.4}};
    const FamilyResult made = fit_family(three_metrics().graph, three_metrics().metrics, options);
    ASSERT_EQ(made.knots.size(), 5u);
    std::vector<std::vector<double>> expected;
    const requests::RequestData data(three_metrics().graph, three_metrics().metrics, {});
    for (const std::vector<double>& blend : options.log) {
      std::vector<double> parts;
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        parts.push_back(blend[i] * data.metrics().metrics[i].scale * data.mean(i));
        sum += parts.back();
      }
      for (double& part : parts) part /= sum;
      expected.push_back(parts);
    }
    for (std::size_t k = 0; k < 5; ++k) {
      const std::vector<double>& parts = made.knots[k].parts;
      EXPECT_NEAR(parts[0] + parts[1] + parts[2], 1, 1e-12);
      if (k < 3) {
        EXPECT_EQ(parts[k], 1);
      } else if (logged) {
        EXPECT_TRUE(parts == expected[0] || parts == expected[2]) << k;
      } else {
        for (const double part : parts) EXPECT_NEAR(6 * part, std::round(6 * part), 1e-12) << k;
      }
    }
    options.log.clear();
    options.fit.log = {{0, 1}, {5, 9}, {70, 3}};  // queries, too, may come from a log
  }
}

TEST(FitFamily, SaysWhatItIsDoing) {
  std::vector<std::string> said;
  FamilyHooks hooks;
  hooks.progress = [&](double, const std::string& doing) {
    if (said.empty() || said.back() != doing) said.push_back(doing);
  };
  FamilyOptions options = testing::quick_family(4);
  options.fit.seconds = 1e6;
  fit_family(three_metrics().graph, three_metrics().metrics, options, hooks);
  const std::string around = "blends around knot ";
  EXPECT_EQ(said,
            (std::vector<std::string>{"knot 1", "knot 2", "knot 3", "placing knots", "knot 4",
                                      around + "1", around + "2", around + "3", around + "4"}));
  said.clear();
  options.metrics = {"time"};
  fit_family(three_metrics().graph, three_metrics().metrics, options, hooks);
  EXPECT_EQ(said, (std::vector<std::string>{"knot 1"}));
}

// Wherever it is stopped: before the first knot nothing, afterwards feasible potentials.
TEST(FitFamily, StoppedAnywhereReturnsTheKnotsSoFar) {
  const testing::RequestCase& graph = three_metrics();
  std::size_t asked = 0, last = 1'000'000'000;
  FamilyHooks hooks;
  hooks.stop = [&] { return ++asked > last; };
  double shown = -1;
  hooks.progress = [&](double share, const std::string& doing) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    EXPECT_FALSE(doing.empty());
    shown = share;
  };
  const FamilyOptions options = testing::quick_family(5);
  EXPECT_FALSE(fit_family(graph.graph, graph.metrics, options, hooks).stopped);
  EXPECT_GE(shown, 0);
  const std::size_t all = asked;
  std::size_t none = 0, some = 0;
  for (std::size_t step = 0; step < 10; ++step) {
    last = all * step / 10;
    asked = 0;
    try {
      const FamilyResult made = fit_family(graph.graph, graph.metrics, options, hooks);
      EXPECT_TRUE(made.stopped) << step;
      EXPECT_EQ(made.knots.size(), made.family.knots().size());
      const std::vector<std::string> names(made.family.metrics().begin(),
                                           made.family.metrics().end());
      for (const Knot& knot : made.family.knots()) {
        const Graph weighted = graph.graph.with_weights(
            requests::knot_weights(graph.graph, graph.metrics, names, knot.blend));
        EXPECT_TRUE(knot.potentials->verify(weighted).feasible()) << step;
      }
      ++some;
    } catch (const Stopped&) {
      ++none;
    }
  }
  EXPECT_EQ(none + some, 10u);
  EXPECT_GT(some, 2u);
}

// The function is called at most every 10 ms, so the first knot has to take longer.
TEST(FitFamily, StoppedBeforeTheFirstKnotThrows) {
  Rng rng(32);
  const testing::RequestCase large = testing::random_case(rng, 20'000, 3, true);
  FamilyHooks hooks;
  hooks.stop = [] { return true; };
  EXPECT_THROW(fit_family(large.graph, large.metrics, testing::quick_family(5), hooks), Stopped);
}

}  // namespace
}  // namespace lodestar::fit_family_test
