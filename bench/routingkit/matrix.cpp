#include <routingkit/contraction_hierarchy.h>

#include <cmath>

#include "bench/competitors/routingkit_matrix.h"

namespace lodestar::bench {
namespace {

class RoutingKitMatrix final : public PinnedMatrix {
 public:
  explicit RoutingKitMatrix(RoutingKit::ContractionHierarchy built)
      : ch_(std::move(built)), query_(ch_) {
    bytes = 4 * (ch_.rank.size() + ch_.order.size());
    for (const auto* side : {&ch_.forward, &ch_.backward}) {
      bytes += 4 * (side->first_out.size() + side->head.size() + side->weight.size());
    }
  }
  void run(std::span<const NodeId> sources, std::span<const NodeId> targets,
           std::span<std::uint32_t> cells) override {
    static_assert(kNoPath == RoutingKit::inf_weight);
    query_.reset().pin_targets({targets.begin(), targets.end()});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      query_.reset_source().add_source(sources[i]).run_to_pinned_targets();
      query_.get_distances_to_targets(cells.data() + i * targets.size());
    }
  }

 private:
  RoutingKit::ContractionHierarchy ch_;
  RoutingKit::ContractionHierarchyQuery query_;
};

}  // namespace

std::unique_ptr<PinnedMatrix> routingkit_matrix(const Graph& graph) {
  std::vector<unsigned> tail, head, weight;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      if (arc.head == u) continue;  // never on a shortest path
      if (!(arc.weight < PinnedMatrix::kNoPath) || arc.weight != std::floor(arc.weight)) {
        return nullptr;
      }
      tail.push_back(u);
      head.push_back(arc.head);
      weight.push_back(static_cast<unsigned>(arc.weight));
    }
  }
  return std::make_unique<RoutingKitMatrix>(RoutingKit::ContractionHierarchy::build(
      graph.node_count(), std::move(tail), std::move(head), std::move(weight)));
}

}  // namespace lodestar::bench
