// From arcs of an index to nodes of the graph.
#pragma once

#include <cstdint>
#include <vector>

#include "index/data.h"

namespace lodestar::index {

// An arc on a path. On side 1 it goes head → tail; `reversed`: walked from its end to its
// beginning.
struct PathStep {
  NodeId tail, head;
  std::uint32_t arc;
  std::uint8_t side;
  bool reversed;
};

// The nodes of the path that begins at `source`, a number of the index, as ids of the graph. All
// memory that the steps need is called for before any of it is read.
void append_steps(const Data& data, NodeId source, const std::vector<PathStep>& steps,
                  std::vector<NodeId>& nodes);

}  // namespace lodestar::index
