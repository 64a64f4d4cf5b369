// Converts arcs of an index to nodes of the graph.
#pragma once

#include <cstdint>
#include <vector>

#include "index/data.h"

namespace lodestar::index {

// An arc of a path. On side 1 it goes from head to tail. `reversed` says that it is traversed from
// its end to its beginning; on symmetric graphs this is the way down.
struct PathStep {
  NodeId tail, head;
  std::uint32_t arc;
  std::uint8_t side;
  bool reversed;
};

// `count` ids, the first at `from`.
struct PathPiece {
  const NodeId* from = nullptr;
  std::uint32_t count = 0;
  bool backward = false;
  bool roomy = false;  // whole runs may be read
};

// Writes the nodes of paths as ids of the graph. Does not allocate after the first paths.
class PathWriter {
 public:
  // Writes the path that begins at `source`, a number of the index. Modifies `steps`.
  void write(const Data& data, NodeId source, std::vector<PathStep>& steps,
             std::vector<NodeId>& nodes);

 private:
  static void fetch(const Data& data, std::vector<PathStep>& steps);
  static void set(const Data& data, const PathStep& step, PathPiece& piece);

  std::vector<PathPiece> pieces_;
};

}  // namespace lodestar::index
