// The family "city" of lodestar/generate.h: what the map promises, and the same bytes everywhere.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "fingerprint.h"
#include "lodestar/generate.h"

namespace lodestar::city_test {
namespace {

using testing::fingerprint;

Graph city(NodeId nodes, std::uint64_t seed) {
  GraphSpec spec;
  spec.family = parse_family("city");
  spec.nodes = nodes;
  spec.seed = seed;
  return generate(spec);
}

struct Street {
  NodeId u, v;
  double metres, kmh;
};

std::vector<Street> streets(const Graph& graph) {
  std::vector<Street> all;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      const Point &a = graph.points()[u], &b = graph.points()[arc.head];
      const double metres = std::hypot(a.x - b.x, a.y - b.y);
      if (u < arc.head) all.push_back({u, arc.head, metres, 3600 * metres / arc.weight});
    }
  }
  return all;
}

// Sizes of the connected parts, by root, of the streets that are kept.
template <class Keep>
std::map<NodeId, NodeId> parts(const Graph& graph, Keep&& keep) {
  std::vector<NodeId> root(graph.node_count());
  std::iota(root.begin(), root.end(), NodeId{0});
  const auto find = [&](NodeId v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const Street& street : streets(graph)) {
    if (keep(street)) root[find(street.u)] = find(street.v);
  }
  std::map<NodeId, NodeId> sizes;
  for (NodeId v = 0; v < graph.node_count(); ++v) ++sizes[find(v)];
  return sizes;
}

TEST(City, TheSameSeedGivesTheSameBytesWithEveryCompiler) {
  EXPECT_EQ(fingerprint(city(3000, 1)), 8156059755889588797u);
  EXPECT_EQ(fingerprint(city(20'000, 2)), 10112879908259280320u);
  EXPECT_NE(fingerprint(city(3000, 1)), fingerprint(city(3000, 2)));
}

TEST(City, IsConnectedUndirectedAndOfTheSizeAskedFor) {
  for (const NodeId nodes : {1u, 2u, 3u, 7u, 50u, 255u, 256u, 257u, 300u, 1000u, 20'000u}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Graph graph = city(nodes, seed);
      EXPECT_TRUE(graph.symmetric());
      EXPECT_EQ(parts(graph, [](const Street&) { return true; }).size(), 1u);
      EXPECT_NEAR(graph.node_count(), nodes, nodes < 256 ? 0.3 * nodes + 2 : 0.1 * nodes)
          << nodes << " nodes, seed " << seed;
    }
  }
}

TEST(City, StreetsMainStreetsAndMotorwaysHaveTheirSpeeds) {
  std::map<int, int> count;
  const Graph graph = city(20'000, 5);
  for (const Street& street : streets(graph)) {
    // Times are rounded up to milliseconds: a speed is met from below.
    const int kmh = street.kmh > 55 ? 110 : street.kmh > 31 ? 50 : 30;
    EXPECT_LE(street.kmh, kmh * (1 + 1e-12));
    EXPECT_GE(street.kmh, kmh * 0.99);
    ++count[kmh];
  }
  EXPECT_GT(count[110], 60);
  EXPECT_GT(count[50], 2000);
  EXPECT_GT(count[30], 20'000);
}

TEST(City, OnlyMotorwaysAndAFewBridgesCrossTheRiver) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Graph graph = city(20'000, seed);
    const auto bridge = [](const Street& street) { return street.kmh > 31 && street.metres > 200; };
    int bridges = 0;
    for (const Street& street : streets(graph)) bridges += bridge(street) && street.kmh < 55;
    EXPECT_GE(bridges, 3);
    EXPECT_LE(bridges, 60);
    int banks = 0;
    for (const auto& [root, size] : parts(graph, [&](const Street& s) { return !bridge(s); })) {
      banks += size > graph.node_count() / 4 ? 1 : 0;
    }
    EXPECT_EQ(banks, 2) << "seed " << seed;
  }
}

}  // namespace
}  // namespace lodestar::city_test
