// Generated graphs: names of their options, and what is rejected.
#include "lodestar/generate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "fingerprint.h"

namespace lodestar::generate_test {
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

GraphSpec spec_of(Family family, NodeId nodes) {
  GraphSpec spec;
  spec.family = family;
  spec.nodes = nodes;
  spec.seed = 11;
  return spec;
}

TEST(Generate, TheSameSeedGivesTheSameGraph) {
  using testing::fingerprint;
  GraphSpec er = spec_of(Family::kErdosRenyi, 60);
  EXPECT_EQ(fingerprint(generate(er)), 6753622028990854769u);
  er.draw = Draw::kExact;
  EXPECT_EQ(fingerprint(generate(er)), 8527530377822516079u);
  er.draw = Draw::kDirected;
  er.density = Density::kSparse;
  EXPECT_EQ(fingerprint(generate(er)), 4071178164178188602u);
  EXPECT_EQ(fingerprint(generate(spec_of(Family::kGrid, 400))), 14621272920845593268u);
  EXPECT_EQ(fingerprint(generate(spec_of(Family::kGeometric, 400))), 13991926662404853739u);
  EXPECT_EQ(fingerprint(generate(spec_of(Family::kRoad, 6000))), 10954270521420497083u);
}

TEST(Generate, GridsJoinNeighboursAndCutNoCorners) {
  const Graph graph = generate(spec_of(Family::kGrid, 300));
  std::map<std::pair<int, int>, NodeId> cell;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const Point p = graph.points()[v];
    cell[{static_cast<int>(p.x), static_cast<int>(p.y)}] = v;
  }
  ASSERT_EQ(cell.size(), graph.node_count());
  const auto [last_x, last_y] = cell.rbegin()->first;
  ASSERT_LT(graph.node_count(), (last_x + 1) * (last_y + 1)) << "some cells are blocked";
  const auto free = [&](int x, int y) { return cell.count({x, y}) != 0; };
  for (const auto& [place, v] : cell) {
    const auto [x, y] = place;
    std::map<NodeId, double> expected;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const bool diagonal = dx != 0 && dy != 0;
        if ((dx == 0 && dy == 0) || !free(x + dx, y + dy)) continue;
        if (diagonal && (!free(x + dx, y) || !free(x, y + dy))) continue;
        expected[cell.at({x + dx, y + dy})] = diagonal ? std::numbers::sqrt2 : 1;
      }
    }
    std::map<NodeId, double> arcs;
    for (const Arc arc : graph.arcs(v)) arcs[arc.head] = arc.weight;
    ASSERT_EQ(arcs, expected) << x << " " << y;
    ASSERT_EQ(graph.degree(v), expected.size());
  }
}

TEST(Generate, GeometricGraphsJoinAllPairsWithinTheRadius) {
  for (const NodeId nodes : {9u, 300u}) {  // one cell, and many
    const GraphSpec spec = spec_of(Family::kGeometric, nodes);
    const Graph graph = generate(spec);
    ASSERT_EQ(graph.node_count(), nodes);
    const double radius = std::sqrt(spec.degree / (std::numbers::pi * nodes));
    for (NodeId u = 0; u < nodes; ++u) {
      std::map<NodeId, double> expected, arcs;
      for (NodeId v = 0; v < nodes; ++v) {
        const Point p = graph.points()[u], q = graph.points()[v];
        const double away = std::hypot(p.x - q.x, p.y - q.y);
        if (u != v && away <= radius) expected[v] = away;
      }
      for (const Arc arc : graph.arcs(u)) arcs[arc.head] = arc.weight;
      ASSERT_EQ(arcs.size(), expected.size()) << u;
      for (const auto& [v, away] : expected) ASSERT_NEAR(arcs[v], away, 1e-7);
    }
  }
}

}  // namespace
}  // namespace lodestar::generate_test
