// Engines of Searcher: Dijkstra, A*, weighted A* and greedy search.
#include <type_traits>

#include "router/engine.h"
#include "search/timed_heuristic.h"

namespace lodestar::detail {
namespace {

class AStarEngine : public Engine {
 public:
  AStarEngine(const RouterPlan& plan, const SearchOptions& options)
      : plan_(plan), options_(options), searcher_(plan.graph) {}

  SearchResult run(Query query) override {
    const auto start = Clock::now();
    double heuristic_seconds = 0;
    SearchResult found = std::visit(
        [&](auto h) {
          // A separate call, because a test at every evaluation would slow the search by 4 %.
          if (std::is_same_v<decltype(h), Zero> || !plan_.options.times) {
            return searcher_.run(query, h, options_);
          }
          TimedHeuristic timed(h, &heuristic_seconds);
          return searcher_.run(query, timed, options_);
        },
        plan_.to_target(query));
    split_seconds(found, heuristic_seconds, seconds_since(start));
    return found;
  }

  SearchResult run(Query query, const OnSettle& on_settle) override {
    return searcher_.run(query, erased(plan_.to_target(query)), options_,
                         SettleObserver{on_settle});
  }

  std::vector<NodeId> path() const override { return searcher_.path(); }

 private:
  const RouterPlan& plan_;
  SearchOptions options_;
  Searcher searcher_;
};

SearchOptions search_options(const RouterPlan& plan) {
  return {.reopen = plan.options.reopen,
          .prune = plan.options.prune,
          .max_expansions = plan.options.max_expansions};
}

std::unique_ptr<Engine> make(const RouterPlan& plan, const SearchOptions& options) {
  if (plan.net) {
    return make_learned(plan, options, plan.options.exact ? Promise::kExact : Promise::kNothing);
  }
  return std::make_unique<AStarEngine>(plan, options);
}

}  // namespace

std::unique_ptr<Engine> make_dijkstra(const RouterPlan& plan) {
  return make(plan, search_options(plan));
}

std::unique_ptr<Engine> make_astar(const RouterPlan& plan) {
  return make(plan, search_options(plan));
}

std::unique_ptr<Engine> make_weighted(const RouterPlan& plan) {
  SearchOptions options = search_options(plan);
  options.weight = plan.options.weight;
  return make(plan, options);
}

std::unique_ptr<Engine> make_greedy(const RouterPlan& plan) {
  SearchOptions options = search_options(plan);
  options.greedy = true;
  return make(plan, options);
}

}  // namespace lodestar::detail
