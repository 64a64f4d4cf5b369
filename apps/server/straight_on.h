// Waypoints that a route passes without turning back.
#pragma once

#include "request_context.h"

namespace lodestar::server {

struct Onward {
  Section section;
  Stop from;  // the waypoint, as the section leaves it
};

// The section after a waypoint such that the route does not turn back there, and obeys the turn
// restrictions of its junction. `before` is replaced where another one makes both cheaper. Where
// turning back cannot be avoided, the route does.
Onward straight_on(RequestContext& context, Section& before, const Stop& from, const Stop& via,
                   const Stop& to);

}  // namespace lodestar::server
