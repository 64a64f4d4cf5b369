// Turn restrictions: which road arc may follow which.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lodestar/graph.h"
#include "roads.h"

namespace lodestar::osm {

// One direction of a segment.
struct RoadArc {
  NodeId tail;
  NodeId head;
  std::uint32_t weight;
  std::uint32_t duration;  // tenths of a second
  std::uint32_t segment;   // 2 × segment, + 1 against its direction
};

// A turn from road arc to road arc.
struct Turn {
  std::uint32_t from;
  std::uint32_t to;
};

struct TurnCounts {
  std::size_t no = 0;
  std::size_t only = 0;
  std::size_t without_road = 0;  // name ways or nodes that are no roads of the profile
  std::size_t ambiguous = 0;     // name a way that leaves or reaches the node twice
};

// arcs: by tail. A turn back is allowed only where no other turn leads to a road from which there
// is a way back, or no other turn leads into the road back. Turns are ordered by `from`.
std::vector<Turn> allowed_turns(const RawRoads& raw, const Roads& roads,
                                const std::vector<RoadArc>& arcs, TurnCounts* counts);

}  // namespace lodestar::osm
