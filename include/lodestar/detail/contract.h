// What searches ask of those who call them, checked once per query or per node: bad input is an
// Error and never undefined. The messages are made elsewhere, so that a check costs a comparison.
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

// Throws Error when an end of the query is not a node of the graph.
inline void check_query(Query query, NodeId nodes) {
  check_node(query.source, nodes);
  check_node(query.target, nodes);
}

// Throws Error unless value is finite and at least 0; `what` names it.
void check_factor(double value, const char* what);

// An estimate as the heuristic gave it; throws Error when it is not finite.
inline Cost checked(Cost estimate, NodeId v) {
  if (!(std::abs(estimate) <= std::numeric_limits<Cost>::max())) [[unlikely]]
    refuse_estimate(v, estimate);
  return estimate;
}

// The same for two at once: what is not finite is not 0 less itself.
inline void check_both(Cost a, Cost b, NodeId v) {
  if (!((a - a) + (b - b) == 0)) [[unlikely]]
    refuse_estimate(v, a - a == 0 ? b : a);
}

// A heuristic that says for how many nodes it was made must be asked about that many.
template <class H>
void check_fit(const H& h, NodeId nodes) {
  if constexpr (requires {
                  { h.node_count() } -> std::convertible_to<NodeId>;
                }) {
    if (h.node_count() != nodes) [[unlikely]]
      refuse_misfit(h.node_count(), nodes);
  }
}

// Re-openings per node after which a search stops trusting its order. A consistent heuristic causes
// none, a good one few; a bad one could cause 2^n (Martelli 1977). From then on nodes are taken by
// their cost alone, and none is expanded twice again.
inline constexpr std::uint64_t kPatience = 8;

// Expansions between two looks at the StopScope (stop.h).
inline constexpr std::uint64_t kStopEvery = 1024;

}  // namespace lodestar::detail

namespace lodestar {

// No search expands more nodes than this, whatever the graph, the weights and the heuristic.
inline constexpr std::uint64_t most_expansions(NodeId nodes) {
  return (detail::kPatience + 2) * std::uint64_t{nodes} + 2;
}

}  // namespace lodestar
