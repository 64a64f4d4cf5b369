// Small directed graphs, written down in a test.
//
//   const Graph graph = hand_drawn(3, {{0, 1, 1}, {1, 2, 2.5}});
#pragma once

#include <initializer_list>

#include "lodestar/graph.h"

namespace lodestar::testing {

struct DrawnArc {
  NodeId tail;
  NodeId head;
  double weight;
};

inline Graph hand_drawn(NodeId nodes, std::initializer_list<DrawnArc> arcs) {
  GraphBuilder builder(nodes);
  for (const DrawnArc& arc : arcs) builder.add_arc(arc.tail, arc.head, arc.weight);
  return builder.build();
}

}  // namespace lodestar::testing
