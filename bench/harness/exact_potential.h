// Exact distances to a target as a potential: the perfect heuristic that others are compared with.
#pragma once

#include <algorithm>
#include <span>

#include "lodestar/search.h"

namespace lodestar::bench {

// Nodes without a path to the target lie beyond all others. Returns the result of the search.
inline SearchResult exact_potential(Searcher& searcher, NodeId target, std::span<double> y) {
  searcher.set_direction(Direction::kBackward);
  const SearchResult found = searcher.run_all(target);
  double farthest = 0;
  for (NodeId v = 0; v < y.size(); ++v) {
    y[v] = -searcher.distance(v);
    if (y[v] > -kInfinity) farthest = std::max(farthest, -y[v]);
  }
  for (double& value : y) value = std::max(value, -2 * farthest);
  searcher.set_direction(Direction::kForward);
  return found;
}

}  // namespace lodestar::bench
