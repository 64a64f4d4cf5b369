// The roads that meet where one leg of a route ends and the next begins.
#pragma once

#include <cstdint>
#include <vector>

#include "request_context.h"

namespace lodestar::server {

// A road seen from the junction.
struct Branch {
  int bearing = 0;     // clockwise from north, in whole degrees
  bool entry = false;  // may be entered by a vehicle that comes along the route
  bool in = false;     // the route comes from here
  bool out = false;    // and leaves there
};

// Clockwise from north, in whole degrees.
int bearing_of(Point from, Point to, CoordinateKind kind);

// Ordered by bearing. Needs coordinates, and in.head == out.tail.
std::vector<Branch> branches_between(const GraphFile& file, const Leg& in, const Leg& out);

}  // namespace lodestar::server
