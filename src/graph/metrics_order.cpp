// Metrics of the same arcs in another order.
#include <algorithm>
#include <tuple>

#include "lodestar/metrics.h"

namespace lodestar {

std::vector<std::size_t> places_by_arc(std::vector<ListedArc> arcs) {
  std::sort(arcs.begin(), arcs.end(), [](const ListedArc& a, const ListedArc& b) {
    return std::tie(a.tail, a.head, a.weight, a.place) <
           std::tie(b.tail, b.head, b.weight, b.place);
  });
  std::vector<std::size_t> places;
  places.reserve(arcs.size());
  for (const ListedArc& arc : arcs) places.push_back(arc.place);
  return places;
}

Metrics rearranged(const Metrics& metrics, std::span<const std::size_t> from) {
  struct Owned {
    std::vector<std::vector<float>> narrow;
    std::vector<std::vector<double>> wide;
    std::vector<std::uint16_t> arc_kind;
  };
  auto owned = std::make_shared<Owned>();
  const auto gathered = [&](auto values, auto& out) {
    out.reserve(from.size());
    for (const std::size_t i : from) out.push_back(values[i]);
    return std::span(out);
  };
  Metrics made = metrics;
  for (MetricColumn& column : made.columns) {
    if (!column.narrow.empty()) {
      column.narrow = gathered(column.narrow, owned->narrow.emplace_back());
    } else if (!column.wide.empty()) {
      column.wide = gathered(column.wide, owned->wide.emplace_back());
    }
  }
  if (!made.arc_kind.empty()) made.arc_kind = gathered(made.arc_kind, owned->arc_kind);
  made.keeper = std::move(owned);
  return made;
}

Metrics with_weights(const Metrics& metrics, const Graph& graph, std::span<const Weight> weights) {
  std::vector<ListedArc> arcs;
  arcs.reserve(weights.size());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      arcs.push_back({u, arc.head, weights[arcs.size()], arcs.size()});
    }
  }
  return rearranged(metrics, places_by_arc(std::move(arcs)));
}

}  // namespace lodestar
