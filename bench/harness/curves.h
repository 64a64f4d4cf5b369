// Curves of expansions: by memory of the methods, and by Dijkstra rank of the queries.
#pragma once

#include <string>
#include <vector>

#include "bench/harness/method.h"

namespace lodestar::bench {

struct Curve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
};

// Mean expansions of the methods that are `by_memory`, at these bytes a node (x).
std::vector<Curve> curves_against_memory(const Graph& graph, const WorkshopOptions& options,
                                         const std::vector<Query>& queries,
                                         const std::vector<std::uint32_t>& bytes,
                                         const Workshop::Progress& progress);

// Mean expansions of the methods that are `by_rank`, for queries of Dijkstra rank 2^8, 2^9, …, and
// the nodes on their paths. Throws Error when the graph is too small.
std::vector<Curve> curves_against_rank(Workshop& workshop);

}  // namespace lodestar::bench
