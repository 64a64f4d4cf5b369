// Converts arcs of an index to nodes of the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/data.h"

namespace lodestar::index {

// An arc of a path, between numbers of the index.
struct PathStep {
  NodeId from, to;
  std::uint32_t arc;
};

// The arcs of a path from `source`, a number of the index.
struct PathSteps {
  NodeId source = 0;
  std::vector<PathStep> up;    // to the core or to the highest node; the last one first
  std::vector<PathStep> core;  // across the core; empty if `crossing` has them
  std::vector<PathStep> down;  // on a symmetric graph up-arcs, traversed backwards
  // Pieces of arcs across the core, of which only the first `crossed` count; `crossed_ids` ids.
  std::vector<PathPiece> crossing;
  std::size_t crossed = 0, crossed_ids = 0;
  void clear() {
    up.clear();
    core.clear();
    down.clear();
    crossed = crossed_ids = 0;
  }
};

// Sets data.core_pieces: the pieces of all arcs of a core with data.next.
void add_core_pieces(Data& data);

// Writes the ids of pieces, each in `width` bytes, one after the other. Reads up to kSlack bytes
// around a piece, and overwrites as many behind the last id.
void copy_pieces(unsigned width, const PathPiece* piece, const PathPiece* end, NodeId* to);
// The same without vectors.
void copy_pieces_one_by_one(unsigned width, const PathPiece* piece, const PathPiece* end,
                            NodeId* to);

// Writes the nodes of paths as ids of the graph. Does not allocate after the first paths.
class PathWriter {
 public:
  void write(const Data& data, const PathSteps& steps, std::vector<NodeId>& nodes);

 private:
  std::vector<PathPiece> pieces_;
};

}  // namespace lodestar::index
