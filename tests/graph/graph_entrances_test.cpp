// Graphs from arrays: right ones become the graph a builder makes, wrong ones are refused.
#include <gtest/gtest.h>

#include <cmath>

#include "error_of.h"
#include "graph_equality.h"
#include "lodestar/generate.h"
#include "lodestar/graph.h"
#include "oracle.h"

namespace lodestar::graph_entrances_test {
namespace {

using testing::nasty_graph;
using testing::PlainArc;
using testing::PlainGraph;

template <class Offset, class Node>
struct Csr {
  std::vector<Offset> first;
  std::vector<Node> heads;
  std::vector<double> weights;
  Graph graph() const {
    return Graph::from_csr(std::span<const Offset>(first), std::span<const Node>(heads),
                           std::span<const double>(weights));
  }
};

template <class Offset, class Node>
Csr<Offset, Node> csr_of(const PlainGraph& plain) {
  Csr<Offset, Node> csr;
  csr.first.push_back(0);
  for (std::uint32_t u = 0; u < plain.nodes; ++u) {
    for (const PlainArc& arc : plain.arcs) {
      if (arc.tail != u) continue;
      csr.heads.push_back(static_cast<Node>(arc.head));
      csr.weights.push_back(arc.weight);
    }
    csr.first.push_back(static_cast<Offset>(csr.heads.size()));
  }
  return csr;
}

template <class Node>
Graph from_arcs(const PlainGraph& plain, bool undirected = false) {
  std::vector<Node> tails, heads;
  std::vector<double> weights;
  for (const PlainArc& arc : plain.arcs) {
    tails.push_back(static_cast<Node>(arc.tail));
    heads.push_back(static_cast<Node>(arc.head));
    weights.push_back(arc.weight);
  }
  return Graph::from_arcs(plain.nodes, std::span<const Node>(tails), std::span<const Node>(heads),
                          std::span<const double>(weights), undirected);
}

TEST(GraphEntrances, SameGraphAsBuilt) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    const Graph built = plain.graph();
    expect_same((csr_of<std::uint32_t, std::uint32_t>(plain).graph()), built);
    expect_same((csr_of<std::int64_t, std::int32_t>(plain).graph()), built);
    expect_same((csr_of<std::uint64_t, std::int64_t>(plain).graph()), built);
    expect_same(from_arcs<std::int32_t>(plain), built);
    expect_same(from_arcs<std::uint64_t>(plain), built);
    GraphBuilder both(plain.nodes);
    for (const PlainArc& arc : plain.arcs) both.add_edge(arc.tail, arc.head, arc.weight);
    expect_same(from_arcs<std::int32_t>(plain, true), both.build());
    EXPECT_EQ(from_arcs<std::int32_t>(plain).narrow(), built.narrow());
    EXPECT_EQ(from_arcs<std::int32_t>(plain).symmetric(), built.symmetric());
  }
}

TEST(GraphEntrances, EveryWrongShapeIsRefused) {
  using C = Csr<std::int64_t, std::int64_t>;
  const C good{{0, 2, 3, 3}, {1, 2, 0}, {1, 2.5, 0}};
  EXPECT_EQ(good.graph().arc_count(), 3u);
  const auto refused = [&](auto&& change) {
    C bad = good;
    change(bad);
    EXPECT_THROW(bad.graph(), Error);
  };
  refused([](C& c) { c.first.clear(); });
  refused([](C& c) { c.first[0] = 1; });
  refused([](C& c) { c.first[0] = -1; });
  refused([](C& c) { c.first[1] = 4; });
  refused([](C& c) { c.first[1] = std::numeric_limits<std::int64_t>::max(); });
  refused([](C& c) { c.first[2] = 1; });
  refused([](C& c) { c.first[3] = 2, c.first[2] = 2; });
  refused([](C& c) { c.first.push_back(4); });
  refused([](C& c) { c.first.push_back(2); });
  refused([](C& c) { c.first.pop_back(), c.first.back() = 2; });
  refused([](C& c) { c.heads[0] = 3; });
  refused([](C& c) { c.heads[2] = -1; });
  refused([](C& c) { c.heads[1] = std::int64_t{1} << 32; });
  refused([](C& c) { c.heads.pop_back(); });
  refused([](C& c) { c.heads.push_back(0); });
  refused([](C& c) { c.weights.pop_back(); });
  refused([](C& c) { c.weights.push_back(0); });
  refused([](C& c) { c.heads.push_back(0), c.weights.push_back(0); });
  refused([](C& c) { c.weights[0] = -1e-300; });
  refused([](C& c) { c.weights[1] = std::nan(""); });
  refused([](C& c) { c.weights[2] = kInfinity; });
  // Too large for 64 bits signed.
  Csr<std::uint64_t, std::uint64_t> huge{{0, ~std::uint64_t{0}}, {0}, {1}};
  EXPECT_THROW(huge.graph(), Error);
  huge = {{0, 1}, {~std::uint64_t{0}}, {1}};
  EXPECT_THROW(huge.graph(), Error);

  const std::vector<int> three{0, 1, 2}, two{1, 2}, outside{0, 1, 3}, negative{0, -1, 2};
  const std::vector<double> weights{1, 2, 3}, few{1, 2}, wrong{1, -2, 3};
  const auto make = [](const std::vector<int>& tails, const std::vector<int>& heads,
                       const std::vector<double>& w) {
    return Graph::from_arcs(3, std::span<const int>(tails), std::span<const int>(heads),
                            std::span<const double>(w));
  };
  EXPECT_EQ(make(three, three, weights).arc_count(), 3u);
  EXPECT_THROW(make(two, three, weights), Error);
  EXPECT_THROW(make(three, two, weights), Error);
  EXPECT_THROW(make(three, three, few), Error);
  EXPECT_THROW(make(outside, three, weights), Error);
  EXPECT_THROW(make(three, outside, weights), Error);
  EXPECT_THROW(make(negative, three, weights), Error);
  EXPECT_THROW(make(three, negative, weights), Error);
  EXPECT_EQ(testing::error_of([&] { make(three, three, wrong); }).find("arc 1 has weight -2; "), 0u)
      << "the number of the row";
}

TEST(GraphEntrances, ZeroHasNoSign) {
  const Csr<std::uint32_t, std::uint32_t> csr{{0, 1, 1}, {1}, {-0.0}};
  EXPECT_FALSE(std::signbit(csr.graph().arcs(0)[0].weight));
  const PlainGraph plain{"zero", 2, {{0, 1, -0.0}}};
  EXPECT_FALSE(std::signbit(from_arcs<std::uint32_t>(plain).arcs(0)[0].weight));
}

TEST(GraphEntrances, OtherWeights) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    for (const ArcOrder order : {ArcOrder::kByHead, ArcOrder::kByWeight}) {
      const Graph graph = plain.graph().ordered(order);
      const std::vector<Weight> old = graph.weights();
      ASSERT_EQ(old.size(), graph.arc_count());
      expect_same(graph.with_weights(old), graph);
      std::vector<Weight> other = old;
      PlainGraph changed;
      changed.nodes = plain.nodes;
      Rng rng(seed);
      std::size_t at = 0;
      for (NodeId u = 0; u < graph.node_count(); ++u) {
        for (const Arc arc : graph.arcs(u)) {
          ASSERT_EQ(arc.weight, old[at]);
          other[at] = rng.below(50) + (seed % 2 == 0 ? 0.1 : 0);  // not narrow every other time
          changed.arcs.push_back({u, arc.head, other[at]});
          ++at;
        }
      }
      const Graph now = graph.with_weights(other);
      EXPECT_EQ(now.arc_order(), order);
      expect_same(now, changed.graph().ordered(order));
    }
    const Graph graph = plain.graph();
    std::vector<Weight> wrong = graph.weights();
    wrong.push_back(1);
    EXPECT_THROW(graph.with_weights(wrong), Error);
    wrong.back() = -1;
    std::swap(wrong.front(), wrong.back());
    wrong.pop_back();
    if (wrong.empty()) continue;
    EXPECT_THROW(graph.with_weights(wrong), Error);
  }
}

TEST(GraphEntrances, Coordinates) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 50;
  const Graph road = generate(spec);
  ASSERT_TRUE(road.has_coordinates());
  std::vector<double> weights = road.weights();
  for (double& w : weights) w += 1;
  EXPECT_EQ(road.with_weights(weights).points().size(), road.node_count());
  const std::vector<Point> points(road.points().begin(), road.points().end());
  const Graph bare = road.with_points(CoordinateKind::kNone, {});
  EXPECT_FALSE(bare.has_coordinates());
  const Graph again = bare.with_points(road.coordinate_kind(), points);
  EXPECT_EQ(again.points()[7], points[7]);
  expect_same(again, road);
  EXPECT_THROW(bare.with_points(CoordinateKind::kPlane, {points[0]}), Error);
  std::vector<Point> bad = points;
  bad[3].y = std::nan("");
  EXPECT_THROW(bare.with_points(CoordinateKind::kPlane, bad), Error);
}

// Arrays of a graph, given back through the checked door, without a copy.
TEST(GraphEntrances, AdoptedAsTheyAre) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const PlainGraph plain = nasty_graph(seed);
    for (const ArcOrder order : {ArcOrder::kByHead, ArcOrder::kByWeight}) {
      const Graph graph = plain.graph().ordered(order);
      const Graph adopted = Graph::adopt_checked(graph.arrays());
      expect_same(adopted, graph);
      EXPECT_EQ(adopted.arrays().arcs[0].data(), graph.arrays().arcs[0].data());
    }
  }
}

TEST(GraphEntrances, WrongArraysAreNotAdopted) {
  // 0 -> 1 (2), 1 -> 2 (3); backward 1: 0, 2: 1.
  using Stored = StoredArc<float>;
  struct Parts {
    std::vector<ArcIndex> first[2] = {{0, 1, 2, 2}, {0, 0, 1, 2}};
    std::vector<Stored> arcs[2] = {{{1, 2}, {2, 3}}, {{0, 2}, {1, 3}}};
    NodeId nodes = 3;
    bool symmetric = false;
    bool narrow = true;
    std::vector<Point> points;
    Graph adopt() const {
      GraphArrays arrays;
      arrays.nodes = nodes;
      arrays.symmetric = symmetric;
      arrays.narrow = narrow;
      for (int d = 0; d < 2; ++d) {
        arrays.first[d] = first[d];
        arrays.arcs[d] = std::as_bytes(std::span(arcs[d]));
      }
      arrays.points = points;
      return Graph::adopt_checked(arrays);
    }
  };
  EXPECT_NO_THROW(Parts().adopt());
  const auto refused = [](auto&& change) {
    Parts parts;
    change(parts);
    EXPECT_THROW(parts.adopt(), Error);
  };
  refused([](Parts& p) { p.nodes = 2; });
  refused([](Parts& p) { p.nodes = 4; });
  refused([](Parts& p) { p.nodes = kNoNode; });
  refused([](Parts& p) { p.first[0].clear(); });
  refused([](Parts& p) { p.first[0][0] = 1; });
  refused([](Parts& p) { p.first[0][1] = 9; });
  refused([](Parts& p) { p.first[1][3] = 1; });
  refused([](Parts& p) { p.first[1][3] = 3; });
  refused([](Parts& p) { p.arcs[0].pop_back(); });
  refused([](Parts& p) { p.arcs[0][1].head = 3; });
  refused([](Parts& p) { p.arcs[1][1].head = 7; });
  refused([](Parts& p) { p.arcs[0][1].weight = -1; });
  refused([](Parts& p) { p.arcs[0][1].weight = std::nanf(""); });
  refused([](Parts& p) { p.arcs[1][0].weight = 5; });  // another arc than forward
  refused([](Parts& p) { p.arcs[1][0].head = 2; });
  refused([](Parts& p) { p.symmetric = true; });
  refused([](Parts& p) { p.narrow = false; });
  refused([](Parts& p) { p.points.resize(2); });
  refused([](Parts& p) {  // not in order
    p.first[0] = {0, 2, 2, 2}, p.arcs[0] = {{2, 3}, {1, 2}};
    p.first[1] = {0, 0, 1, 2}, p.arcs[1] = {{0, 2}, {0, 3}};
  });
}

}  // namespace
}  // namespace lodestar::graph_entrances_test
