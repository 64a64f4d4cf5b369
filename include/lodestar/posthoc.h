// A search as a trace that Posthoc (posthoc-app.pathfinding.ai) plays back.
//
//   write(posthoc_trace(router.trace(query), query, layout));
//
// Version 1.4.0 of its format: events "source", "destination", "expanding" and "end". Its y points
// down. It becomes slow beyond some 50,000 events; more are left out evenly.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "lodestar/graph.h"
#include "lodestar/router.h"

namespace lodestar {

// `layout` has a place for every node, y upwards; empty: nodes are drawn on a spiral by number.
std::string posthoc_trace(const SearchTrace& trace, Query query, std::span<const Point> layout,
                          std::size_t most_events = 50'000);

}  // namespace lodestar
