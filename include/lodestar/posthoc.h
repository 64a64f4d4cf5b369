// Writes a search as a trace for Posthoc (posthoc-app.pathfinding.ai).
//
//   write(posthoc_trace(router.trace(query), query, layout));
//
// Uses version 1.4.0 of the format with the events "source", "destination", "expanding" and "end".
// The y axis points down. Posthoc is slow with more than about 50,000 events, so longer traces are
// thinned evenly.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "lodestar/graph.h"
#include "lodestar/router.h"

namespace lodestar {

// `layout` has a point for every node, y upwards. Default: nodes are placed on a spiral by number.
std::string posthoc_trace(const SearchTrace& trace, Query query, std::span<const Point> layout,
                          std::size_t most_events = 50'000);

}  // namespace lodestar
