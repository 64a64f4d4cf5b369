#include "peer.h"

#include <routingkit/contraction_hierarchy.h>
#include <routingkit/customizable_contraction_hierarchy.h>
#include <routingkit/inverse_vector.h>
#include <routingkit/nested_dissection.h>

#include <memory>

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
eval::ReadyMethod asked(std::shared_ptr<Index> index, Query query, std::size_t bytes) {
  struct Asked {
    std::shared_ptr<Index> index;  // the query points into it
    Query query;
  };
  const auto both = std::make_shared<Asked>(Asked{std::move(index), std::move(query)});
  eval::ReadyMethod ready;
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

std::optional<eval::ReadyMethod> prepare_ch(eval::Workshop& workshop) {
  const Graph& graph = workshop.graph();
  const Arcs arcs(graph);
  const auto ch =
      std::make_shared<RoutingKit::ContractionHierarchy>(RoutingKit::ContractionHierarchy::build(
          graph.node_count(), arcs.tail, arcs.head, arcs.weight));
  std::size_t bytes = 4 * (ch->rank.size() + ch->order.size());
  for (const auto* side : {&ch->forward, &ch->backward}) {
    bytes += 4 * (side->first_out.size() + side->head.size() + side->weight.size() +
                  side->shortcut_first_arc.size() + side->shortcut_second_arc.size()) +
             side->head.size() / 8;
  }
  return asked(ch, RoutingKit::ContractionHierarchyQuery(*ch), bytes);
}

std::optional<eval::ReadyMethod> prepare_cch(eval::Workshop& workshop) {
  const Graph& graph = workshop.graph();
  if (!graph.has_coordinates()) return {};
  const Arcs arcs(graph);
  std::vector<float> latitude, longitude;
  for (const Point& point : graph.points()) {
    latitude.push_back(static_cast<float>(point.y));
    longitude.push_back(static_cast<float>(point.x));
  }
  const auto silent = [](const std::string&) {};
  struct Both {
    RoutingKit::CustomizableContractionHierarchy cch;
    std::vector<unsigned> weight;
    RoutingKit::CustomizableContractionHierarchyMetric metric;
  };
  const auto order = RoutingKit::compute_nested_node_dissection_order_using_inertial_flow(
      graph.node_count(), arcs.tail, arcs.head, latitude, longitude, silent);
  const auto both = std::make_shared<Both>();
  both->cch = RoutingKit::CustomizableContractionHierarchy(order, arcs.tail, arcs.head, silent);
  both->weight = arcs.weight;
  both->metric = RoutingKit::CustomizableContractionHierarchyMetric(both->cch, both->weight);
  both->metric.customize();
  // Two weights, head and the entry of the transposed arcs per shortcut; what else it keeps is left
  // out in its favour.
  const std::size_t bytes = std::size_t{16} * both->cch.cch_arc_count();
  return asked(both, RoutingKit::CustomizableContractionHierarchyQuery(both->metric), bytes);
}

}  // namespace

eval::Method routingkit_ch() {
  return {.id = "routingkit-ch", .name = "RoutingKit CH", .prepare = prepare_ch};
}

eval::Method routingkit_cch() {
  return {.id = "routingkit-cch", .name = "RoutingKit CCH", .prepare = prepare_cch};
}

}  // namespace lodestar::bench
