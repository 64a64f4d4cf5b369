// The answer to a request with preferences, and what alternatives to it must keep.
#pragma once

#include <cstddef>
#include <vector>

#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

// The route of a request with preferences.
struct RequestRoute {
  SearchResult result;  // costs are in units of the graph's own weights
  std::vector<NodeId> nodes;
  std::vector<ArcIndex> arcs;  // in the order of Graph::weights()
  // By metric, in its unit: seconds, metres. With a time of departure the first is the travel time.
  std::vector<double> totals;
  bool potentials = false;  // whether potentials guided the search; it is exact without them, too
};

struct AlternativeOptions {
  std::size_t count = 3;  // routes at most, with the best one
  double stretch = 0.25;  // a route costs at most (1 + stretch) times the best one
  double sharing = 0.7;   // and shares at most this part of its cost with each better route
  // Every part of a route that costs at most this share of the best route is a shortest path.
  double local = 0.1;
};

}  // namespace lodestar
