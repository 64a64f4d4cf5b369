// Alternative routes by the penalty method: the arcs of found routes become more expensive, and the
// next search finds another way. Weights only rise, so the potentials stay feasible.
//
// A candidate is kept if it is not much longer than the best route, shares little with the routes
// kept before, and has no detour: windows that cover it, each overlapping the next by a half, are
// all shortest paths. Every part that is at most half a window is within one of them, and so is a
// shortest path itself.
#pragma once

#include <vector>

#include "lodestar/request_route.h"
#include "requests/engine.h"

namespace lodestar::requests {

// By metric, in its unit.
std::vector<double> totals(const RequestEngine& engine, std::span<const ArcIndex> arcs);

// Throws Error if an option is out of range.
std::vector<RequestRoute> alternatives(RequestEngine& engine, Query query,
                                       const AlternativeOptions& options);

}  // namespace lodestar::requests
