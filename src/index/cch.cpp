#include "lodestar/cch.h"

#include <algorithm>

#include "index/cch_weights.h"
#include "index/nested_dissection.h"
#include "lodestar/potentials.h"

namespace lodestar {
namespace {

using index::Elimination;
using index::kNoWay;
using index::ShortcutCosts;

std::vector<ArcIndex> places(const Graph& graph, const Elimination& elimination) {
  std::vector<ArcIndex> place;
  place.reserve(graph.arc_count());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    const NodeId from = elimination.rank[u];
    for (const Arc arc : graph.arcs(u)) {
      const NodeId to = elimination.rank[arc.head];
      place.push_back(from == to  ? kNoNode
                      : from < to ? 2 * elimination.find(from, to)
                                  : 2 * elimination.find(to, from) + 1);
    }
  }
  return place;
}

// The cost of each shortcut: that of its arc, or of the cheapest way over a node below both ends.
// Shortcuts of x are complete once all triangles (u, x, y) with u < x < y are done, which need the
// shortcuts of u alone; so x goes upward.
template <class W>
void add_triangles(const Elimination& e, ShortcutCosts<W>& costs) {
  auto& up = costs.sides[0];
  auto& down = costs.sides[1];
  std::vector<ArcIndex> to(e.size());  // by rank y: the arc from x to y
  for (NodeId x = 0; x < e.size(); ++x) {
    for (ArcIndex a = e.first[x]; a < e.first[x + 1]; ++a) to[e.head[a]] = a;
    for (ArcIndex l = e.first_low[x]; l < e.first_low[x + 1]; ++l) {
      const ArcIndex low = e.low[l];
      const NodeId u = e.tail[low];
      const ArcIndex end = e.first[u + 1];
      const W to_x = up.cost[low], from_x = costs.symmetric ? to_x : down.cost[low];
      for (ArcIndex a = low + 1; a < end; ++a) {
        const ArcIndex over = to[e.head[a]];
        const W there = from_x + up.cost[a];
        if (there < up.cost[over]) {
          up.cost[over] = there;
          up.middle[over] = u;
        }
        if (costs.symmetric) continue;
        const W back = down.cost[a] + to_x;
        if (back < down.cost[over]) {
          down.cost[over] = back;
          down.middle[over] = u;
        }
      }
    }
  }
}

template <class W>
ShortcutCosts<W> customised(const Cch::Topology& topology, const Graph& graph,
                            const index::Units& units) {
  ShortcutCosts<W> costs;
  costs.symmetric = graph.symmetric();
  const std::size_t arcs = topology.elimination.arc_count();
  for (auto& side : costs.sides) {
    side.cost.assign(arcs, kNoWay<W>);
    side.middle.assign(arcs, kNoNode);
    if (costs.symmetric) break;
  }
  const double per_unit = 1 / units.unit;
  std::size_t at = 0;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      const ArcIndex place = topology.place[at++];
      if (place == kNoNode || arc.weight > units.longest) continue;
      if (costs.symmetric && place % 2 == 1) continue;  // its twin leads up
      W& cost = costs.sides[place % 2].cost[place / 2];
      cost = std::min(cost, static_cast<W>(arc.weight * per_unit));
    }
  }
  add_triangles(topology.elimination, costs);
  return costs;
}

}  // namespace

Cch::Cch(const Graph& graph, std::size_t most_arcs)
    : Cch(graph, index::nested_dissection_order(graph), most_arcs) {}

Cch::Cch(const Graph& graph, std::span<const NodeId> order, std::size_t most_arcs) {
  std::vector<bool> seen(graph.node_count(), false);
  for (const NodeId v : order) {
    if (v >= seen.size() || seen[v]) throw Error("an order must name every node of the graph once");
    seen[v] = true;
  }
  if (order.size() != seen.size()) throw Error("an order must name every node of the graph once");
  auto made = std::make_shared<Topology>();
  made->elimination = index::eliminate(index::plain_topology(graph), order, most_arcs);
  made->symmetric = graph.symmetric();
  made->hash = topology_hash(graph);
  made->place = places(graph, made->elimination);
  topology_ = std::move(made);
}

std::size_t Cch::arc_count() const {
  return topology_->elimination.arc_count();
}

std::size_t Cch::bytes() const {
  return topology_->elimination.bytes() + 4 * topology_->place.size();
}

CchMetric::CchMetric(const Cch& cch, const Graph& graph) {
  auto made = std::make_shared<Weights>();
  made->topology = cch.topology();
  if (graph.arc_order() != ArcOrder::kByHead || made->topology->place.size() != graph.arc_count() ||
      made->topology->hash != topology_hash(graph)) {
    throw Error("these weights belong to a graph of other nodes or arcs; build the hierarchy anew");
  }
  const index::Units units = index::choose_units(graph, index::Decimals::kNo);
  made->unit = units.unit;
  if (units.wide) {
    made->costs = customised<double>(*made->topology, graph, units);
  } else {
    made->costs = customised<std::uint32_t>(*made->topology, graph, units);
  }
  weights_ = std::move(made);
}

std::size_t CchMetric::bytes() const {
  return std::visit(
      [](const auto& costs) {
        std::size_t sum = 0;
        for (const auto& side : costs.sides) {
          sum += side.cost.size() * (sizeof(side.cost[0]) + sizeof(NodeId));
        }
        return sum;
      },
      weights_->costs);
}

}  // namespace lodestar
