#include "bench/competitors/methods.h"

#include "bench/competitors/ch_potentials.h"
#include "lodestar/cch.h"
#include "lodestar/cuts.h"
#include "lodestar/index.h"

namespace lodestar::eval {
namespace {

using Ready = std::optional<ReadyMethod>;

// A searcher with run(query) and path(), which nobody else uses.
template <class S>
ReadyMethod asked(std::shared_ptr<S> searcher, std::size_t bytes) {
  ReadyMethod ready;
  ready.run = [searcher](Query query) { return searcher->run(query); };
  ready.path = [searcher] { return searcher->path(); };
  ready.bytes = bytes;
  return ready;
}

// A* with what `heuristic` says of the target.
template <class H>
ReadyMethod guided(Workshop& workshop, std::shared_ptr<const H> heuristic) {
  const auto searcher = workshop.searcher();
  ReadyMethod ready;
  ready.run = [searcher, heuristic](Query query) {
    return searcher->run(query, heuristic->to(query.target));
  };
  ready.path = [searcher] { return searcher->path(); };
  ready.bytes = heuristic->bytes();
  return ready;
}

Ready indexed(Workshop& workshop, IndexOptions options) {
  workshop.report(0, "contracting");
  options.seed = workshop.seed();
  options.threads = workshop.threads();
  options.rounds = workshop.index_rounds();
  const Index index = Index::build(workshop.graph(), options);
  return asked(std::make_shared<IndexSearcher>(index), index.facts().bytes);
}

}  // namespace

Ready prepare_cuts(Workshop& workshop) {
  workshop.report(0, "cuts");
  CutOptions options;
  options.potential_count = workshop.potential_count();
  options.seed = workshop.seed();
  return guided(workshop,
                std::make_shared<const Potentials>(cut_potentials(workshop.graph(), options)));
}

Ready prepare_cch(Workshop& workshop) {
  workshop.report(0, "nested dissection");
  const Graph& graph = workshop.graph();
  // Beyond this many arcs a node the hierarchy is no rival, and memory is at risk.
  constexpr std::size_t kMostArcs = 200, kAlways = 1'000'000;
  try {
    const Cch cch(graph, kAlways + kMostArcs * graph.node_count());
    const CchMetric metric(cch, graph);
    return asked(std::make_shared<CchSearcher>(metric), cch.bytes() + metric.bytes());
  } catch (const TooManyShortcuts&) {
    return {};
  }
}

Ready prepare_ch_potentials(Workshop& workshop) {
  workshop.report(0, "contracting");
  const ChPotentials hierarchy(workshop.graph());
  return asked(std::make_shared<ChPotentialsSearcher>(hierarchy, workshop.graph()),
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
  } catch (const Error&) {  // they do not fit this graph
    return {};
  }
}

}  // namespace lodestar::eval
