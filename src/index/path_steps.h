// Converts arcs of an index to nodes of the graph.
#pragma once

#include <cstdint>
#include <vector>

#include "index/data.h"

namespace lodestar::index {

// An arc of a path. On side 1 it goes from head to tail. `reversed` says that it is traversed from
// its end to its beginning; on symmetric graphs this is the way down, which comes last.
struct PathStep {
  NodeId tail, head;
  std::uint32_t arc;
  std::uint8_t side;
  bool reversed;
};

// Writes the nodes of paths as ids of the graph. Does not allocate after the first paths.
class PathWriter {
 public:
  // Writes the path that begins at `source`, a number of the index. Modifies `steps`.
  void write(const Data& data, NodeId source, std::vector<PathStep>& steps,
             std::vector<NodeId>& nodes);

 private:
  void fetch(const Data& data, std::vector<PathStep>& steps) const;
  void put(NodeId node);
  void append(const Data& data, const PathStep& step);
  template <int kWay>
  void copy_run(const Data& data, std::uint32_t at, NodeId end);
  void make_room(std::size_t count);

  std::vector<NodeId> room_;  // buffer, longer than the path
  std::size_t size_ = 0;
};

}  // namespace lodestar::index
