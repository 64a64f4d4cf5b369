// Whether an index pays for a single matrix.
#include <algorithm>
#include <cmath>

#include "lodestar/detail/clock.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/index_estimate.h"
#include "lodestar/router.h"

namespace lodestar {
namespace {

// Searches that take less together are not worth an estimate, which takes seconds itself.
constexpr double kWorthwhile = 10;

}  // namespace

MatrixPlan plan_matrix(const Graph& graph, std::size_t lines, unsigned threads) {
  MatrixPlan plan;
  const NodeId n = graph.node_count();
  // More than searches take: a few lines are not worth a trial either.
  const double most = 3e-7 * (static_cast<double>(n) + static_cast<double>(graph.arc_count()));
  if (most * static_cast<double>(lines) < kWorthwhile) return plan;
  double total = 0;
  for (const Weight weight : graph.weights()) {
    if (weight != std::floor(weight)) return plan;
    total += weight;
  }
  if (total >= 0x1p53) return plan;
  Searcher searcher(graph);
  const double begin = processor_seconds();
  searcher.run_all(n / 2);
  plan.search_seconds = (processor_seconds() - begin) * static_cast<double>(lines) /
                        static_cast<double>(std::min<std::size_t>(lines, thread_count(threads)));
  if (plan.search_seconds < kWorthwhile) return plan;
  EstimateOptions options;
  options.patience = 1;
  options.training = 0;
  for (const IndexCost& cost : estimate_index_costs(graph, options).costs) {
    if (cost.kind == IndexKind::kCoreWithoutPaths && cost.seconds) {
      plan.index_seconds = *cost.seconds;
      plan.build = 2 * plan.index_seconds < plan.search_seconds;
    }
  }
  return plan;
}

}  // namespace lodestar
