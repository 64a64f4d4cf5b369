#include "lodestar/learned.h"

#include <algorithm>

#include "search/timed_heuristic.h"

namespace lodestar {

LearnedSearcher::LearnedSearcher(const Graph& graph, const PotentialNet& net,
                                 const LearnedOptions& options)
    : net_(net), options_(options) {
  if (graph.node_count() != net.node_count()) {
    throw Error("the net was made for a graph with " + std::to_string(net.node_count()) +
                " nodes, but this graph has " + std::to_string(graph.node_count()));
  }
  detail::check_factor(options.bound, "the bound");
  if (options.potentials != nullptr && options.potentials->node_count() != graph.node_count()) {
    detail::refuse_misfit(options.potentials->node_count(), graph.node_count());
  }
  const Graph ordered = ordered_for_queries(graph);
  if (options.promise == Promise::kBound) {
    focal_.emplace(ordered);
  } else {
    searcher_.emplace(ordered);
  }
  if (options.promise == Promise::kNothing && net.collapses()) {
    lazy_.emplace(net);
    return;
  }
  work_.emplace(net);
  y_.resize(graph.node_count());
  if (options.promise != Promise::kNothing) closure_.emplace(ordered);
}

template <class Observer>
SearchResult LearnedSearcher::run_lazily(Query query, Observer& observer) {
  const auto start = Clock::now();
  lazy_->begin(query);
  double heuristic = options_.times ? seconds_since(start) : 0;
  TimedHeuristic timed(*lazy_, options_.times ? &heuristic : nullptr);
  SearchResult found = searcher_->run(query, timed, options_.search, observer);
  if (options_.times) {
    const double total = seconds_since(start);
    found.heuristic_seconds = std::min(heuristic, total);
    found.search_seconds = total - found.heuristic_seconds;
  }
  return found;
}

template <class Observer>
SearchResult LearnedSearcher::run_watched(Query query, Observer& observer) {
  if (lazy_) return run_lazily(query, observer);
  auto before = options_.times ? Clock::now() : Clock::time_point{};
  const auto lap = [&] {
    if (!options_.times) return 0.0;
    const auto now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(before, now)).count();
  };
  net_.potentials(query, *work_, y_);
  const double heuristic_seconds = lap();
  // Focal search needs the unchanged learned values for the order.
  std::vector<double>& proven = options_.promise == Promise::kBound ? closed_ : y_;
  if (closure_) {
    if (options_.promise == Promise::kBound) closed_ = y_;
    closed_nodes_ = closure_->apply(proven, query.target).settled;
  }
  const double closure_seconds = closure_ ? lap() : 0;

  const PotentialHeuristic learned(y_, query.target);
  const PotentialHeuristic prover(proven, query.target, Guarantee::kConsistent);
  SearchResult found;
  switch (options_.promise) {
    case Promise::kNothing:
      found = searcher_->run(query, learned, options_.search, observer);
      break;
    case Promise::kExact:
      found = options_.potentials == nullptr
                  ? searcher_->run(query, prover, options_.search, observer)
                  : searcher_->run(query, MaxOf(options_.potentials->to(query.target), prover),
                                   options_.search, observer);
      break;
    case Promise::kBound:
      found = focal_->run(
          query, learned, prover,
          {.bound = options_.bound, .max_expansions = options_.search.max_expansions}, observer);
      break;
  }
  found.heuristic_seconds = heuristic_seconds;
  found.closure_seconds = closure_seconds;
  found.search_seconds = lap();
  return found;
}

SearchResult LearnedSearcher::run(Query query) {
  NoObserver nobody;
  return run_watched(query, nobody);
}

SearchResult LearnedSearcher::run(Query query, const OnSettle& on_settle) {
  struct Teller {
    const OnSettle& tell;
    void on_settle(NodeId v, Cost g, NodeId parent) { tell(v, g, parent); }
  } teller{on_settle};
  return run_watched(query, teller);
}

std::vector<NodeId> LearnedSearcher::path() const {
  return focal_ ? focal_->path() : searcher_->path();
}

}  // namespace lodestar
