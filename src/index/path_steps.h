// From arcs of an index to nodes of the graph.
#pragma once

#include <cstdint>
#include <vector>

#include "index/data.h"

namespace lodestar::index {

// An arc on a path. On side 1 it goes head → tail; `reversed`: walked from its end to its
// beginning. What is reversed comes last: the way down of a symmetric graph.
struct PathStep {
  NodeId tail, head;
  std::uint32_t arc;
  std::uint8_t side;
  bool reversed;
};

// Writes the nodes of paths as ids of the graph; reused, so that nothing is allocated after a
// while.
class PathWriter {
 public:
  // The path that begins at `source`, a number of the index. The steps are used up.
  void write(const Data& data, NodeId source, std::vector<PathStep>& steps,
             std::vector<NodeId>& nodes);

 private:
  void fetch(const Data& data, std::vector<PathStep>& steps) const;
  void put(NodeId node);
  void append(const Data& data, const PathStep& step);
  template <int kWay>
  void copy_run(const Data& data, std::uint32_t at, NodeId end);
  void make_room(std::size_t count);

  std::vector<NodeId> room_;  // longer than what has been written
  std::size_t size_ = 0;
};

}  // namespace lodestar::index
