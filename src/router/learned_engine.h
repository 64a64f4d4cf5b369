// Searches with a model's potentials, computed for each query (learned.h).
#pragma once

#include <algorithm>
#include <memory>

#include "lodestar/learned.h"
#include "router/engine.h"
#include "router/plan.h"

namespace lodestar::detail {

std::unique_ptr<Engine> make_learned(const RouterPlan& plan, const SearchOptions& search,
                                     Promise promise);

// heuristic_seconds is an estimate; it is limited to the total time.
inline void split_seconds(SearchResult& found, double heuristic, double total) {
  found.heuristic_seconds = std::min(heuristic, total);
  found.search_seconds = total - found.heuristic_seconds;
}

}  // namespace lodestar::detail
