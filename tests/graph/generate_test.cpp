// Generated graphs: names of their options, and what is rejected.
#include "lodestar/generate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lodestar {
namespace {

TEST(Generate, NamesGoBothWays) {
  for (const Family family :
       {Family::kErdosRenyi, Family::kGrid, Family::kGeometric, Family::kRoad, Family::kCity}) {
    EXPECT_EQ(parse_family(to_string(family)), family);
  }
  for (const Draw draw : {Draw::kOr, Draw::kExact, Draw::kDirected}) {
    EXPECT_EQ(parse_draw(to_string(draw)), draw);
  }
  GraphSpec spec;
  for (const Density density : {Density::kSparse, Density::kDense, Density::kVeryDense}) {
    parse_density(to_string(density), spec);
    EXPECT_EQ(spec.density, density);
  }
  for (const char* number : {"0", "0.25", "1"}) {
    parse_density(number, spec);
    EXPECT_EQ(spec.density, Density::kGiven);
    EXPECT_EQ(spec.p, std::stod(number));
    EXPECT_EQ(edge_probability(spec), spec.p);
  }
  EXPECT_EQ(to_string(Density::kGiven), "given");
  for (const char* bad : {"", "thick", "-0.1", "1.1", "0.5x", "given"}) {
    EXPECT_THROW(parse_density(bad, spec), Error) << bad;
    EXPECT_THROW(parse_family(bad), Error);
    EXPECT_THROW(parse_draw(bad), Error);
  }
}

TEST(Generate, RejectsWhatNoGraphCanBe) {
  const auto accepted = [](auto&& change) {
    GraphSpec spec;
    spec.nodes = 20;
    change(spec);
    try {
      generate(spec);
      generate_with_metrics(spec);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  using S = GraphSpec;
  EXPECT_FALSE(accepted([](S& s) { s.nodes = 0; }));
  EXPECT_FALSE(accepted([](S& s) { s.nodes = (1u << 28) + 1; }));
  EXPECT_TRUE(accepted([](S& s) { s.nodes = 1; }));
  for (const double p : {-0.1, 1.1, std::nan("")}) {
    EXPECT_FALSE(accepted([&](S& s) { s.density = Density::kGiven, s.p = p; })) << p;
  }
  for (const double p : {0.0, 1.0}) {
    EXPECT_TRUE(accepted([&](S& s) { s.density = Density::kGiven, s.p = p; })) << p;
  }
  for (const double share : {-0.1, 1.0, std::nan("")}) {
    EXPECT_FALSE(accepted([&](S& s) { s.family = Family::kGrid, s.obstacles = share; })) << share;
  }
  EXPECT_TRUE(accepted([](S& s) { s.family = Family::kGrid, s.obstacles = 0; }));
  for (const double degree : {-1.0, 0.0, 20.0, std::nan("")}) {
    EXPECT_FALSE(accepted([&](S& s) { s.family = Family::kGeometric, s.degree = degree; }));
  }
  EXPECT_TRUE(accepted([](S& s) { s.family = Family::kGeometric, s.degree = 19.5; }));
}

// Densities and draws as they are defined, counted.
TEST(Generate, ArcsFollowTheProbability) {
  const auto arcs = [](Draw draw, Density density) {
    GraphSpec spec;
    spec.nodes = 200;
    spec.draw = draw;
    spec.density = density;
    spec.p = 0.1;
    const Graph graph = generate(spec);
    EXPECT_EQ(graph.node_count(), 200u);
    EXPECT_EQ(graph.symmetric(), draw != Draw::kDirected);
    return static_cast<double>(graph.arc_count()) / (200 * 199);
  };
  const double sparse = std::log(200.0) / 200;
  const std::pair<Density, double> rows[] = {{Density::kSparse, sparse},
                                             {Density::kDense, 0.35},
                                             {Density::kVeryDense, 0.5},
                                             {Density::kGiven, 0.1}};
  for (const auto& [density, p] : rows) {
    const double wide = 4 * std::sqrt(p / 19900);
    EXPECT_NEAR(arcs(Draw::kExact, density), p, wide);
    EXPECT_NEAR(arcs(Draw::kDirected, density), p, wide);
    EXPECT_NEAR(arcs(Draw::kOr, density), 1 - (1 - p) * (1 - p), wide + 0.01);
  }
}

TEST(Generate, MetricsOfTheOtherFamiliesAreEmpty) {
  GraphSpec spec;
  spec.nodes = 30;
  EXPECT_TRUE(generate_with_metrics(spec).metrics.empty());
  spec.family = Family::kRoad;
  EXPECT_EQ(generate_with_metrics(spec).metrics.names(), "time, length");
}

}  // namespace
}  // namespace lodestar
