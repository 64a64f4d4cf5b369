// The order of nodes in memory.
#include "graph/locality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "lodestar/rng.h"

namespace lodestar::locality_test {
namespace {

std::vector<NodeId> positions(const std::vector<NodeId>& order) {
  std::vector<NodeId> at(order.size(), kNoNode);
  for (NodeId i = 0; i < order.size(); ++i) at[order[i]] = i;
  return at;
}

TEST(LocalityOrder, KeepsAPathTogether) {
  // A path whose nodes are numbered at random, and back.
  constexpr NodeId kNodes = 1000;
  Rng rng(3);
  std::vector<NodeId> name(kNodes);
  std::iota(name.begin(), name.end(), NodeId{0});
  for (NodeId i = kNodes; i > 1; --i) std::swap(name[i - 1], name[rng.below(i)]);
  GraphBuilder one_way(kNodes), both(kNodes);
  for (NodeId v = 0; v + 1 < kNodes; ++v) {
    one_way.add_arc(name[v], name[v + 1], 1);
    both.add_edge(name[v], name[v + 1], 1);
  }
  for (const Graph& graph : {one_way.build(), both.build()}) {
    const std::vector<NodeId> order = locality_order(graph), at = positions(order);
    ASSERT_EQ(order.size(), kNodes);
    ASSERT_EQ(std::count(at.begin(), at.end(), kNoNode), 0);  // each node once
    std::size_t near = 0;
    for (NodeId v = 0; v + 1 < kNodes; ++v) {
      const NodeId a = at[name[v]], b = at[name[v + 1]];
      near += std::max(a, b) - std::min(a, b) < 32 ? 1 : 0;  // the size of a cluster
    }
    EXPECT_GE(near, kNodes * 9 / 10);
  }
}

TEST(LocalityOrder, GroupsWhatIsConnected) {
  // Three rings, their nodes numbered in turns; and a node alone.
  constexpr NodeId kRings = 3, kSize = 50;
  GraphBuilder builder(kRings * kSize + 1);
  for (NodeId ring = 0; ring < kRings; ++ring) {
    for (NodeId i = 0; i < kSize; ++i) {
      builder.add_arc(kRings * i + ring, kRings * ((i + 1) % kSize) + ring, 1);
    }
  }
  const std::vector<NodeId> order = locality_order(builder.build());
  ASSERT_EQ(order.size(), kRings * kSize + 1);
  for (NodeId i = 0; i + 1 < kRings * kSize; ++i) {
    if ((i + 1) % kSize == 0) continue;
    EXPECT_EQ(order[i] % kRings, order[i + 1] % kRings) << i;
  }
  EXPECT_EQ(order.back(), kRings * kSize);
  EXPECT_TRUE(locality_order(Graph()).empty());
}

}  // namespace
}  // namespace lodestar::locality_test
