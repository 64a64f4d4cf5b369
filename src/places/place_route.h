// Pieces of route_between() that a search by the time of day uses, too.
#pragma once

#include <vector>

#include "lodestar/places.h"

namespace lodestar {

Leg part_of(const PlaceSide& side, double begin, double end);

// In an arc-based graph: the place on each turn into the road arc of `side`, parallel ones
// included.
std::vector<PlaceSide> turns_into(const Places& places, const PlaceSide& side);

// Drops legs at the ends on which nothing is travelled: a place at the end of a road lies on it,
// but its street is none of the route's. A route from a junction to itself gets a leg of no length,
// so that it has a line.
void finish(PlaceRoute& route, const Places& places, const Place& from);

}  // namespace lodestar
