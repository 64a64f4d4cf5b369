#include "lodestar/cch.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "graph/known_changes.h"
#include "index/hierarchy/cch_weights.h"
#include "index/hierarchy/nested_dissection.h"
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

template <class W>
void add_rows(const Cch::Topology& topology, ShortcutCosts<W>& costs) {
  costs.rows = std::make_unique<index::AncestorRows<W>>(topology.elimination, topology.upper,
                                                        costs.symmetric ? 1 : 2);
}

template <class W>
ShortcutCosts<W> customised(const Cch::Topology& topology, const Graph& graph,
                            const index::Units& units, const CchCustomizing& options) {
  ShortcutCosts<W> costs;
  costs.symmetric = graph.symmetric();
  const std::size_t arcs = topology.elimination.arc_count();
  for (auto& side : costs.sides) {
    side.cost = {arcs, kNoWay<W>};
    side.middle = {arcs, kNoNode};
    if (costs.symmetric) break;
  }
  const double per_unit = 1 / units.unit;
  graph.visit(Direction::kForward, [&](auto adjacency) {
    for (std::size_t at = 0; at < topology.place.size(); ++at) {
      const ArcIndex place = topology.place[at];
      const Weight weight = adjacency.arcs[at].weight;
      if (place == kNoNode || weight > units.longest) continue;
      if (costs.symmetric && place % 2 == 1) continue;  // its twin leads up
      W& cost = costs.sides[place % 2].cost.data()[place / 2];
      cost = std::min(cost, static_cast<W>(weight * per_unit));
    }
  });
  index::add_triangles(topology, costs, options.threads);
  add_rows(topology, costs);
  costs.rows->fill_all(costs, topology.work, options.threads);
  return costs;
}

}  // namespace

Cch::Cch(const Graph& graph, std::size_t most_arcs)
    : Cch(graph, index::nested_dissection_order(graph), most_arcs) {}

Cch::Cch(const Graph& graph, std::span<const NodeId> order, std::size_t most_arcs) {
  std::vector<bool> seen(graph.node_count(), false);
  for (const NodeId v : order) {
    if (v >= seen.size() || seen[v])
      throw Error("an order must contain every node of the graph exactly once");
    seen[v] = true;
  }
  if (order.size() != seen.size())
    throw Error("an order must contain every node of the graph exactly once");
  auto made = std::make_shared<Topology>();
  const index::PlainTopology plain = index::plain_topology(graph);
  made->elimination = index::eliminate(plain, order, most_arcs);
  // The same shortcuts in an order in which subtrees stand together: kinder to caches, and threads
  // can have them for themselves.
  made->elimination = index::eliminate(plain, index::postorder(made->elimination), most_arcs);
  made->upper = index::UpperNodes(made->elimination);
  made->hash = topology_hash(graph);
  made->place = places(graph, made->elimination);
  made->work = index::share_tree(made->elimination);
  made->bound = index::DistanceBound(graph);
  topology_ = std::move(made);
}

std::size_t Cch::arc_count() const {
  return topology_->elimination.arc_count();
}

std::size_t Cch::bytes() const {
  return topology_->elimination.bytes() + 4 * topology_->place.size() + topology_->work.bytes() +
         topology_->upper.bytes() + topology_->bound.bytes();
}

namespace {

void require_fit(const Cch::Topology& topology, const Graph& graph) {
  if (graph.arc_order() != ArcOrder::kByHead || topology.place.size() != graph.arc_count() ||
      topology.hash != topology_hash(graph)) {
    throw Error("the graph has other nodes or arcs than the hierarchy; build a new hierarchy");
  }
}

bool any_longer(const Graph& graph, Cost longest) {
  return graph.visit(Direction::kForward, [&](auto adjacency) {
    const std::span arcs(adjacency.arcs, graph.arc_count());
    return std::any_of(arcs.begin(), arcs.end(), [&](auto& arc) { return arc.weight > longest; });
  });
}

std::shared_ptr<CchMetric::Weights> customised(std::shared_ptr<const Cch::Topology> topology,
                                               const Graph& graph, const index::Units& units,
                                               const CchCustomizing& options) {
  auto made = std::make_shared<CchMetric::Weights>();
  made->topology = std::move(topology);
  made->units = units;
  made->skipped = any_longer(graph, units.longest);
  if (units.wide) {
    made->costs = customised<double>(*made->topology, graph, units, options);
  } else {
    made->costs = customised<std::uint32_t>(*made->topology, graph, units, options);
  }
  return made;
}

index::Units units_of(const Cch::Topology& topology, const Graph& graph) {
  return index::choose_units(graph, index::Decimals::kNo, topology.bound.of(graph));
}

}  // namespace

CchMetric::CchMetric(const Cch& cch, const Graph& graph, const CchCustomizing& options) {
  require_fit(*cch.topology(), graph);
  weights_ = customised(cch.topology(), graph, units_of(*cch.topology(), graph), options);
}

namespace {

// Calls changed(place) where weights differ. Returns false if the arcs differ.
template <class Was, class Is, class Changed>
bool compare_weights(const Was* was, const Is* is, std::size_t count, Changed&& changed) {
  constexpr std::size_t kTogether = 256;  // compared without a branch
  for (std::size_t begin = 0; begin < count; begin += kTogether) {
    const std::size_t end = std::min(count, begin + kTogether);
    bool heads = true, weights = true;
    for (std::size_t at = begin; at < end; ++at) {
      heads &= was[at].head == is[at].head;
      weights &= was[at].weight == is[at].weight;
    }
    if (!heads) return false;
    for (std::size_t at = begin; !weights && at < end; ++at) {
      if (was[at].weight != is[at].weight) changed(at);
    }
  }
  return true;
}

// The places of arcs that have changed, and the units as they are now; nothing when there are many,
// or when they cannot be counted in the units there were.
struct FewChanges {
  std::vector<ArcIndex> places;
  index::Units units;
};

std::optional<FewChanges> few_changes(const CchMetric::Weights& old, const Graph& before,
                                      const Graph& after) {
  const std::vector<ArcIndex>& place = old.topology->place;
  if (before.arc_count() != place.size() || after.arc_count() != place.size() || old.skipped ||
      after.arc_order() != ArcOrder::kByHead) {
    return std::nullopt;
  }
  const std::size_t most = place.size() / 128 + 8;
  FewChanges changes{{}, old.units};
  index::Units& units = changes.units;
  bool alike = true;
  before.visit(Direction::kForward, [&](auto was) {
    after.visit(Direction::kForward, [&](auto is) {
      const auto changed = [&](std::size_t at) {
        if (place[at] == kNoNode || changes.places.size() > most) return;
        const Weight one = was.arcs[at].weight, other = is.arcs[at].weight;
        changes.places.push_back(place[at]);
        // No distance rises by more than all arcs together.
        if (other > one) units.longest += other - one;
        alike = alike && (units.wide || std::floor(other / units.unit) == other / units.unit);
      };
      if (const auto known = known_changes(before, after)) {
        std::ranges::for_each(*known, changed);
        return;
      }
      alike = std::ranges::equal(before.arrays().first[0], after.arrays().first[0]) &&
              compare_weights(was.arcs, is.arcs, place.size(), changed) && alike;
    });
  });
  // Doubles that are exact may be so no longer; those that are not are added up anew anyway.
  alike = alike && (units.wide ? !units.exact : units.longest <= index::kLongest32 * units.unit);
  if (!alike || changes.places.size() > most) return std::nullopt;
  return changes;
}

}  // namespace

CchMetric CchMetric::changed(const Graph& before, const Graph& after,
                             const CchCustomizing& otherwise) const {
  const std::shared_ptr<const Cch::Topology>& topology = weights_->topology;
  CchMetric result = *this;
  if (const auto few = few_changes(*weights_, before, after)) {
    auto made = std::make_shared<Weights>();
    made->topology = topology;
    made->units = few->units;
    made->partial_steps = std::visit(
        [&](const auto& costs) {
          auto copy = index::shared_costs(costs, costs.symmetric && after.symmetric());
          const auto steps =
              index::renew_shortcuts(*topology, after, few->units, few->places, costs, copy);
          if (steps) add_rows(*topology, copy);
          made->costs = std::move(copy);
          return steps;
        },
        weights_->costs);
    if (made->partial_steps) {
      result.weights_ = std::move(made);
      return result;
    }
  }
  require_fit(*topology, after);
  result.weights_ = customised(topology, after, units_of(*topology, after), otherwise);
  return result;
}

std::size_t CchMetric::count_wrong(const Graph& graph) const {
  require_fit(*weights_->topology, graph);
  // With its own bound on distances: arcs beyond it are left out, and any bound will do.
  const auto anew = customised(weights_->topology, graph, weights_->units, {});
  return std::visit(
      [&](const auto& mine) {
        const auto& truth = std::get<std::decay_t<decltype(mine)>>(anew->costs);
        std::size_t wrong = 0;
        for (int side = 0; side < 2; ++side) {
          // Costs of both directions may be stored although they are the same.
          const auto& is = mine.sides[mine.symmetric ? 0 : side].cost;
          const auto& must = truth.sides[truth.symmetric ? 0 : side].cost;
          if (is.size() != must.size()) return weights_->topology->elimination.arc_count();
          for (std::size_t a = 0; a < is.size(); ++a) wrong += is[a] != must[a];
        }
        return wrong;
      },
      weights_->costs);
}

bool CchMetric::exact() const {
  return weights_->units.exact;
}

std::size_t CchMetric::bytes() const {
  return std::visit(
      [](const auto& costs) {
        std::size_t sum = costs.rows->bytes();
        for (const auto& side : costs.sides) sum += side.bytes();
        return sum;
      },
      weights_->costs);
}

}  // namespace lodestar
