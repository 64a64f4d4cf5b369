// The line of an arc: its tail, what lies between, its head.
#pragma once

#include <vector>

#include "lodestar/graph.h"
#include "lodestar/shape.h"

namespace lodestar {

// Fills `line`, which is reused from arc to arc.
inline void arc_line(const Graph& graph, const Shape& shape, NodeId tail, NodeId head, ArcIndex arc,
                     std::vector<Point>& line) {
  line.clear();
  line.push_back(graph.points()[tail]);
  if (!shape.empty()) {
    const auto between = shape.between(shape.segment(arc));
    if (shape.against(arc)) {
      for (std::size_t i = between.size(); i > 0; --i) line.push_back(between[i - 1].degrees());
    } else {
      for (const FixedPoint& p : between) line.push_back(p.degrees());
    }
  }
  line.push_back(graph.points()[head]);
}

}  // namespace lodestar
