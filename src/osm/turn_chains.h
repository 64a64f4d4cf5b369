// Turn restrictions via ways: what may follow depends on more than the road before.
#pragma once

#include "turns.h"

namespace lodestar::osm {

// Adds a state for every beginning of such a restriction, and the turns between states.
void add_chains(const RawRoads& raw, const Roads& roads, const std::vector<RoadArc>& arcs,
                Turns& turns, TurnCounts* counts);

}  // namespace lodestar::osm
