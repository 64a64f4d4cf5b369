// Checks of arguments, once per query or per node. Invalid input throws Error. The messages are
// made out of line, so that a check costs one comparison.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

#include "lodestar/types.h"

namespace lodestar::detail {

[[noreturn]] void refuse_node(NodeId v, NodeId nodes);
[[noreturn]] void refuse_estimate(NodeId v, double value);
[[noreturn]] void refuse_misfit(NodeId heuristic_nodes, NodeId graph_nodes);

inline void check_node(NodeId v, NodeId nodes) {
  if (v >= nodes) [[unlikely]]
    refuse_node(v, nodes);
}

// Throws Error if source or target is not a node of the graph.
inline void check_query(Query query, NodeId nodes) {
  check_node(query.source, nodes);
  check_node(query.target, nodes);
}

// Throws Error unless there is one potential per node.
void check_potentials(std::size_t potentials, NodeId nodes);
// Throws Error unless value is finite and at least 0; `what` names it.
void check_factor(double value, const char* what);

// Returns the estimate; throws Error if it is not finite.
inline Cost checked(Cost estimate, NodeId v) {
  if (!(std::abs(estimate) <= std::numeric_limits<Cost>::max())) [[unlikely]]
    refuse_estimate(v, estimate);
  return estimate;
}

// The same for two estimates: x - x is 0 only if x is finite.
inline void check_both(Cost a, Cost b, NodeId v) {
  if (!((a - a) + (b - b) == 0)) [[unlikely]]
    refuse_estimate(v, a - a == 0 ? b : a);
}

// Throws Error if the heuristic has a node_count() that differs from `nodes`.
template <class H>
void check_fit(const H& h, NodeId nodes) {
  if constexpr (requires {
                  { h.node_count() } -> std::convertible_to<NodeId>;
                }) {
    if (h.node_count() != nodes) [[unlikely]]
      refuse_misfit(h.node_count(), nodes);
  }
}

// Reopenings per node after which a search orders nodes by cost alone. A consistent heuristic
// causes no reopenings and a good one few; a bad one could cause 2^n (Martelli 1977).
inline constexpr std::uint64_t kPatience = 8;

// Expansions between two looks at the StopScope (stop.h).
inline constexpr std::uint64_t kStopEvery = 1024;

}  // namespace lodestar::detail

namespace lodestar {

// An upper bound on the expansions of any search, for any weights and heuristic.
inline constexpr std::uint64_t most_expansions(NodeId nodes) {
  return (detail::kPatience + 2) * std::uint64_t{nodes} + 2;
}

}  // namespace lodestar
