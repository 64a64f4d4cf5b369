// Changes of weights, and how methods become exact again.
//
//   const Graph after = with_traffic(before, {TrafficKind::kClustered, 0.1, 3, seed});
//   for (const TrafficMethod& method : traffic_methods()) {
//     const auto react = method.prepare(before, options);        // while nothing has changed yet
//     for (Reaction& reaction : react(after)) …                  // ways to be exact again
//   }
//
// traffic_methods() is the one list of `bench traffic`; a new method is one entry of traffic.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/harness/method.h"
#include "lodestar/graph.h"

namespace lodestar::bench {

enum class TrafficKind : std::uint8_t {
  kRandom,     // arcs anywhere
  kClustered,  // all arcs of balls around a few nodes
  kRushHour,   // the busiest arcs: those on most shortest paths of a sample
};
// "random", "clustered", "rush-hour".
std::string to_string(TrafficKind kind);
TrafficKind parse_traffic_kind(const std::string& text);

struct Traffic {
  TrafficKind kind = TrafficKind::kRandom;
  double share = 0.1;  // of the arcs
  double factor = 3;   // what their weights are multiplied with; whole numbers stay whole
  std::uint64_t seed = 1;
};

// The same arcs with other weights. Both arcs of an edge change alike, so that an undirected graph
// stays undirected.
Graph with_traffic(const Graph& graph, const Traffic& traffic);

// One way to answer after a change. It is exact once `seconds` have passed.
struct Reaction {
  std::string name;    // "stale", "customised", "refit 2 s"
  double seconds = 0;  // processor time until it is ready
  ReadyMethod ready;
};

struct TrafficOptions {
  std::uint32_t potential_count = 16;
  std::uint64_t seed = 1;
  double training = 10;  // processor seconds of the potentials before the change
  double refit = 2;      // … and after it
};

using React = std::function<std::vector<Reaction>(const Graph& after)>;

struct TrafficMethod {
  std::string id;
  std::string name;
  // Prepares for the current weights. Returns nothing if the method does not apply to the graph.
  std::function<React(const Graph& before, const TrafficOptions& options)> prepare;
};

const std::vector<TrafficMethod>& traffic_methods();

}  // namespace lodestar::bench
