#include "requests/knots.h"

#include <algorithm>

namespace lodestar::requests {

std::vector<Weight> knot_weights(const Graph& graph, const Metrics& metrics,
                                 std::span<const std::string> names,
                                 std::span<const double> blend) {
  std::vector<Weight> sum(graph.arc_count(), 0);
  std::size_t used = 0;
  bool own = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (blend[i] == 0) continue;
    const auto metric = names[i].empty() ? std::optional<std::size_t>(0) : metrics.find(names[i]);
    if (!metric) {
      throw Error("the potentials are for the metric '" + names[i] + "', but the graph has " +
                  metrics.names());
    }
    ++used;
    own = *metric == 0 && blend[i] == 1;
    const std::vector<Weight> weights = metrics.weights(graph, *metric);
    for (std::size_t arc = 0; arc < sum.size(); ++arc) sum[arc] += blend[i] * weights[arc];
  }
  if (used == 1 && own) return sum;  // nothing was rounded
  for (Weight& weight : sum) weight *= 1 - 0x1p-48;
  return sum;
}

std::shared_ptr<const PotentialFamily> verified(std::shared_ptr<const PotentialFamily> family,
                                                const RequestData& data) {
  family->require_fit(data.graph());
  std::vector<Knot> knots;
  bool repaired = false;
  for (const Knot& knot : family->knots()) {
    knots.push_back(knot);
    const Graph graph = data.graph().with_weights(
        knot_weights(data.graph(), data.metrics(), family->metrics(), knot.blend));
    if (knot.potentials->verify(graph).feasible()) continue;
    Potentials copy = *knot.potentials;
    copy.repair(graph);
    knots.back().potentials = std::make_shared<const Potentials>(std::move(copy));
    repaired = true;
  }
  if (!repaired) return family;
  auto better = std::make_shared<PotentialFamily>(
      std::vector<std::string>(family->metrics().begin(), family->metrics().end()),
      std::move(knots));
  better->set_from_source(family->from_source());
  return better;
}

}  // namespace lodestar::requests
