// Compares two graphs: what they hold, and how they store it.
#pragma once

#include <gtest/gtest.h>

#include "lodestar/graph_io.h"

namespace lodestar {

inline void expect_same_arcs(const Graph& a, const Graph& b) {
  ASSERT_EQ(a.node_count(), b.node_count());
  ASSERT_EQ(a.arc_count(), b.arc_count());
  EXPECT_EQ(a.symmetric(), b.symmetric());
  EXPECT_EQ(a.arc_order(), b.arc_order());
  EXPECT_EQ(a.coordinate_kind(), b.coordinate_kind());
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    for (NodeId u = 0; u < a.node_count(); ++u) {
      const ArcRange have = a.arcs(u, direction);
      const ArcRange want = b.arcs(u, direction);
      ASSERT_EQ(have.size(), want.size()) << "node " << u;
      for (std::size_t i = 0; i < have.size(); ++i) ASSERT_EQ(have[i], want[i]) << "node " << u;
    }
  }
  ASSERT_EQ(a.points().size(), b.points().size());
  for (std::size_t v = 0; v < a.points().size(); ++v) ASSERT_EQ(a.points()[v], b.points()[v]);
}

inline void expect_same(const Graph& a, const Graph& b) {
  EXPECT_EQ(a.narrow(), b.narrow());
  expect_same_arcs(a, b);
}

inline void expect_same_names(const GraphFile& a, const GraphFile& b) {
  EXPECT_EQ(a.names.kind(), b.names.kind());
  for (NodeId v = 0; v < a.graph.node_count(); ++v) {
    ASSERT_EQ(a.names.name(v), b.names.name(v));
    ASSERT_EQ(b.names.find(a.names.name(v)), v);
  }
}

}  // namespace lodestar
