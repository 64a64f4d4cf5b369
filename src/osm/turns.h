// Turn restrictions: which road arc may follow which.
#pragma once

#include <cstdint>
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
  bool restricted;         // not for through traffic
};

// A turn between road arcs, or between states.
struct Turn {
  std::uint32_t from;
  std::uint32_t to;
};

// State a is road arc a, for a vehicle of which nothing else need be known. Further states are road
// arcs reached along the beginning of a restriction via ways.
struct Turns {
  std::vector<Turn> turns;                 // between states, by `from`
  std::vector<std::uint32_t> further_arc;  // of the states behind the road arcs
};

struct TurnCounts {
  std::size_t no = 0;
  std::size_t only = 0;
  std::size_t via_ways = 0;      // of both, those via ways
  std::size_t without_road = 0;  // name ways or nodes that are no roads of the profile
  std::size_t ambiguous = 0;     // name a way that leaves or reaches the node twice
};

// arcs: by tail. A turn back is allowed only where no other turn leads to a road from which there
// is a way back, or no other turn leads into the road back.
Turns allowed_turns(const RawRoads& raw, const Roads& roads, const std::vector<RoadArc>& arcs,
                    TurnCounts* counts);

// Turn restrictions via ways: what may follow depends on more than the road before.

// Adds a state for every beginning of such a restriction, and the turns between states.
void add_chains(const RawRoads& raw, const Roads& roads, const std::vector<RoadArc>& arcs,
                Turns& turns, TurnCounts* counts);

}  // namespace lodestar::osm
