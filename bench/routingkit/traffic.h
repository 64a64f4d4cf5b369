// Weights change: when each method is exact again, and how fast it then is, RoutingKit's among
// them.
#pragma once

#include <string>
#include <vector>

#include "bench/harness/traffic.h"
#include "lodestar/graph.h"

namespace lodestar::bench {

struct TrafficRun {
  bench::TrafficKind kind = bench::TrafficKind::kRandom;
  std::vector<std::string> methods;  // of bench::traffic_methods(), beside RoutingKit's
  std::size_t count = 1000;
  int passes = 5;
};

// Prints a Markdown table; the number of wrong answers. Weights must be whole numbers.
std::size_t show_traffic(const Graph& before, const TrafficRun& run);

}  // namespace lodestar::bench
