#include "bench/competitors/methods.h"

#include "bench/competitors/ch_potentials.h"
#include "lodestar/cch.h"
#include "lodestar/cuts.h"
#include "lodestar/index.h"

namespace lodestar::bench {
namespace {

using Ready = std::optional<ReadyMethod>;

Ready indexed(Workshop& workshop, IndexOptions options) {
  workshop.report(0, "contracting");
  options.seed = workshop.seed();
  options.threads = workshop.threads();
  options.rounds = workshop.index_rounds();
  const Index index = Index::build(workshop.graph(), options);
  return ready_searcher(std::make_shared<IndexSearcher>(index), index.facts().bytes);
}

}  // namespace

Ready prepare_cuts(Workshop& workshop) {
  workshop.report(0, "cuts");
  CutOptions options;
  options.potential_count = workshop.potential_count();
  options.seed = workshop.seed();
  const auto cuts = std::make_shared<const Potentials>(cut_potentials(workshop.graph(), options));
  return ready_astar(
      workshop.searcher(), [cuts](Query query) { return cuts->to(query.target); }, cuts->bytes());
}

Ready prepare_cch(Workshop& workshop) {
  workshop.report(0, "nested dissection");
  const Graph& graph = workshop.graph();
  try {
    const Cch cch(graph, most_shortcuts(graph));
    const CchMetric metric(cch, graph);
    return ready_searcher(std::make_shared<CchSearcher>(metric), cch.bytes() + metric.bytes());
  } catch (const TooManyShortcuts&) {
    return {};
  }
}

Ready prepare_ch_potentials(Workshop& workshop) {
  workshop.report(0, "contracting");
  const ChPotentials hierarchy(workshop.graph());
  return ready_searcher(std::make_shared<ChPotentialsSearcher>(hierarchy, workshop.graph()),
                        hierarchy.bytes());
}

Ready prepare_ch(Workshop& workshop) {
  IndexOptions options;
  options.core = 0;
  options.guide = CorePotentials::kNone;
  return indexed(workshop, options);
}

Ready prepare_core_alt(Workshop& workshop) {
  IndexOptions options;
  options.guide = CorePotentials::kLandmarks;
  options.crossing = Crossing::kSearch;
  return indexed(workshop, options);
}

Ready prepare_core_learned(Workshop& workshop) {
  IndexOptions options;
  options.crossing = Crossing::kSearch;
  return indexed(workshop, options);
}

Ready prepare_core(Workshop& workshop) {
  return indexed(workshop, {});
}

Ready prepare_labels(Workshop& workshop) {
  IndexOptions options;
  options.labels = true;
  options.guide = CorePotentials::kNone;
  try {
    return indexed(workshop, options);
  } catch (const Error&) {  // labels do not fit this graph
    return {};
  }
}

}  // namespace lodestar::bench
