#include "peer.h"

#include <routingkit/contraction_hierarchy.h>
#include <routingkit/customizable_contraction_hierarchy.h>
#include <routingkit/inverse_vector.h>
#include <routingkit/nested_dissection.h>

#include <memory>

#include "bench/harness/stopwatch.h"

namespace lodestar::bench {
namespace {

struct Arcs {
  std::vector<unsigned> tail, head, weight;

  explicit Arcs(const Graph& graph) {
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const Arc arc : graph.arcs(u)) {
        if (arc.head == u) continue;  // never on a shortest path
        tail.push_back(u);
        head.push_back(arc.head);
        weight.push_back(static_cast<unsigned>(arc.weight));
      }
    }
  }
};

// Both query types have the same members.
template <class Index, class Query>
bench::ReadyMethod asked(std::shared_ptr<Index> index, Query query, std::size_t bytes) {
  struct Asked {
    std::shared_ptr<Index> index;  // the query points into it
    Query query;
  };
  const auto both = std::make_shared<Asked>(Asked{std::move(index), std::move(query)});
  bench::ReadyMethod ready;
  ready.run = [both](lodestar::Query q) {
    both->query.reset().add_source(q.source).add_target(q.target).run();
    const unsigned distance = both->query.get_distance();
    SearchResult result;
    if (distance < RoutingKit::inf_weight) result.cost = distance;
    result.lower_bound = result.cost;
    return result;
  };
  ready.path = [both] {
    const std::vector<unsigned> nodes = both->query.get_node_path();
    return std::vector<NodeId>(nodes.begin(), nodes.end());
  };
  ready.bytes = bytes;
  return ready;
}

std::shared_ptr<RoutingKit::ContractionHierarchy> build_ch(const Graph& graph) {
  const Arcs arcs(graph);
  return std::make_shared<RoutingKit::ContractionHierarchy>(RoutingKit::ContractionHierarchy::build(
      graph.node_count(), arcs.tail, arcs.head, arcs.weight));
}

bench::ReadyMethod asked_ch(const std::shared_ptr<RoutingKit::ContractionHierarchy>& ch) {
  std::size_t bytes = 4 * (ch->rank.size() + ch->order.size());
  for (const auto* side : {&ch->forward, &ch->backward}) {
    bytes += 4 * (side->first_out.size() + side->head.size() + side->weight.size() +
                  side->shortcut_first_arc.size() + side->shortcut_second_arc.size()) +
             side->head.size() / 8;
  }
  return asked(ch, RoutingKit::ContractionHierarchyQuery(*ch), bytes);
}

std::optional<bench::ReadyMethod> prepare_ch(bench::Workshop& workshop) {
  return asked_ch(build_ch(workshop.graph()));
}

// The half that no weight changes; null on a graph without coordinates.
std::shared_ptr<const RoutingKit::CustomizableContractionHierarchy> build_cch(const Graph& graph) {
  if (!graph.has_coordinates()) return nullptr;
  const Arcs arcs(graph);
  std::vector<float> latitude, longitude;
  for (const Point& point : graph.points()) {
    latitude.push_back(static_cast<float>(point.y));
    longitude.push_back(static_cast<float>(point.x));
  }
  const auto silent = [](const std::string&) {};
  const auto order = RoutingKit::compute_nested_node_dissection_order_using_inertial_flow(
      graph.node_count(), arcs.tail, arcs.head, latitude, longitude, silent);
  return std::make_shared<RoutingKit::CustomizableContractionHierarchy>(order, arcs.tail, arcs.head,
                                                                        silent);
}

struct Customised {
  std::shared_ptr<const RoutingKit::CustomizableContractionHierarchy> cch;
  std::vector<unsigned> weight;
  RoutingKit::CustomizableContractionHierarchyMetric metric;
};

std::shared_ptr<Customised> customise(
    std::shared_ptr<const RoutingKit::CustomizableContractionHierarchy> cch,
    std::vector<unsigned> weight) {
  const auto both = std::make_shared<Customised>();
  both->cch = std::move(cch);
  both->weight = std::move(weight);
  both->metric = RoutingKit::CustomizableContractionHierarchyMetric(*both->cch, both->weight);
  both->metric.customize();
  return both;
}

bench::ReadyMethod asked_cch(const std::shared_ptr<Customised>& both) {
  // Two weights, head and the entry of the transposed arcs per shortcut; what else it keeps is left
  // out in its favour.
  const std::size_t bytes = std::size_t{16} * both->cch->cch_arc_count();
  return asked(both, RoutingKit::CustomizableContractionHierarchyQuery(both->metric), bytes);
}

std::optional<bench::ReadyMethod> prepare_cch(bench::Workshop& workshop) {
  const auto cch = build_cch(workshop.graph());
  if (cch == nullptr) return {};
  return asked_cch(customise(cch, Arcs(workshop.graph()).weight));
}

bench::React ch_traffic(const Graph&, const bench::TrafficOptions&) {
  return [](const Graph& after) {
    const bench::Stopwatch watch;
    const auto ch = build_ch(after);
    std::vector<bench::Reaction> reactions;
    reactions.push_back({"rebuilt", watch.seconds(), asked_ch(ch)});
    return reactions;
  };
}

bench::React cch_traffic(const Graph& before, const bench::TrafficOptions&) {
  const auto cch = build_cch(before);
  if (cch == nullptr) return {};
  return [cch](const Graph& after) {
    std::vector<bench::Reaction> reactions;
    const std::vector<unsigned> weight = Arcs(after).weight;  // its own form: not counted
    bench::Stopwatch watch;
    const auto both = customise(cch, weight);
    reactions.push_back({"customised", watch.seconds(), asked_cch(both)});
    watch = {};
    const auto pruned = customise(cch, weight);
    const auto ch = std::make_shared<RoutingKit::ContractionHierarchy>(
        pruned->metric.build_contraction_hierarchy_using_perfect_witness_search());
    reactions.push_back({"customised, pruned", watch.seconds(), asked_ch(ch)});
    return reactions;
  };
}

}  // namespace

bench::Method routingkit_ch() {
  return {.id = "routingkit-ch", .name = "RoutingKit CH", .prepare = prepare_ch};
}

bench::Method routingkit_cch() {
  return {.id = "routingkit-cch", .name = "RoutingKit CCH", .prepare = prepare_cch};
}

bench::TrafficMethod routingkit_ch_traffic() {
  return {"routingkit-ch", "RoutingKit CH", ch_traffic};
}

bench::TrafficMethod routingkit_cch_traffic() {
  return {"routingkit-cch", "RoutingKit CCH", cch_traffic};
}

}  // namespace lodestar::bench
