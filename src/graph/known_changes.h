// What with_weights has changed, so that a customization need not compare all weights.
#pragma once

#include <optional>
#include <span>

#include "lodestar/graph.h"

namespace lodestar {

// If with_weights made `after` from `before`: all positions of arcs whose weights may differ,
// ascending. Otherwise nothing is known.
std::optional<std::span<const ArcIndex>> known_changes(const Graph& before, const Graph& after);

}  // namespace lodestar
