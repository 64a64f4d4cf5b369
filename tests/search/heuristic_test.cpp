#include "lodestar/heuristic.h"

#include <gtest/gtest.h>

#include "lodestar/generate.h"

namespace lodestar::heuristic_test {
namespace {

// h(u) <= w(u,v) + h(v) on every arc, and 0 at the target: on the very graph, in whatever units.
void expect_consistent(const Graph& graph, NodeId target) {
  const Geometry geometry(graph);
  auto h = geometry.to(target);
  EXPECT_EQ(h(target), 0);
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      ASSERT_LE(h(u), arc.weight + h(arc.head) + 1e-9 * arc.weight) << u << " -> " << arc.head;
    }
  }
}

TEST(Heuristic, GeometryIsConsistentOnEveryFamily) {
  for (const Family family : {Family::kGrid, Family::kGeometric, Family::kRoad, Family::kCity}) {
    GraphSpec spec;
    spec.family = family;
    spec.nodes = 2000;
    spec.seed = 3;
    const Graph graph = generate(spec);
    for (const NodeId target : {0u, 700u, graph.node_count() - 1}) {
      expect_consistent(graph, target);
    }
  }
}

TEST(Heuristic, GreatCirclesKnowThatTheEarthIsRound) {
  // A quarter of the equator, then up to the pole; weights in kilometres.
  GraphBuilder builder(3);
  builder.add_edge(0, 1, 10'007.6);
  builder.add_edge(1, 2, 10'001.0);
  builder.set_points(CoordinateKind::kDegrees, {{0, 0}, {90, 0}, {90, 90}});
  const Graph graph = builder.build();
  const Geometry geometry(graph);
  EXPECT_EQ(geometry.metric(), Geometry::Metric::kGreatCircle);
  EXPECT_NEAR(geometry.between(0, 2), 10'001.0, 1e-6);  // a quarter as well, at the lower price
  expect_consistent(graph, 2);
}

TEST(Heuristic, AFreeArcBetweenDistantPlacesMakesCoordinatesUseless) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 0);
  builder.set_points(CoordinateKind::kPlane, {{0, 0}, {5, 5}});
  const Geometry geometry(builder.build());
  EXPECT_EQ(geometry.scale(), 0);
  EXPECT_EQ(geometry.to(1)(0), 0);
}

TEST(Heuristic, NoCoordinatesIsAnError) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1, 1);
  EXPECT_THROW(Geometry(builder.build()), Error);
}

TEST(Heuristic, TheLargerOfTwoPromisesWhatBothPromise) {
  struct Admissible {
    Cost operator()(NodeId) const { return 2; }
    static Guarantee guarantee() { return Guarantee::kAdmissible; }
  };
  MaxOf both(Zero{}, Admissible{});
  EXPECT_EQ(both(0), 2);
  EXPECT_EQ(both.guarantee(), Guarantee::kAdmissible);
  const auto plain = [](NodeId) { return 1.0; };
  EXPECT_EQ(MaxOf(Zero{}, plain).guarantee(), Guarantee::kNone);
}

TEST(Heuristic, RandomValuesDependOnTheSeedAlone) {
  const Random a{3, 1}, b{3, 1}, c{3, 2};
  EXPECT_EQ(a(0), b(0));
  EXPECT_NE(a(0), c(0));
  EXPECT_EQ(a(3), 0);
}

}  // namespace
}  // namespace lodestar::heuristic_test
