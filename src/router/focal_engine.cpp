// The engine of focal search. Any heuristic can order nodes; admissible ones also prove the bound.
#include "lodestar/focal.h"
#include "router/engine.h"
#include "search/timed_heuristic.h"

namespace lodestar::detail {
namespace {

class FocalEngine : public Engine {
 public:
  explicit FocalEngine(const RouterPlan& plan)
      : plan_(plan),
        options_{.bound = plan.options.bound, .max_expansions = plan.options.max_expansions},
        searcher_(plan.graph) {}

  SearchResult run(Query query) override {
    const auto start = Clock::now();
    double heuristic_seconds = 0;
    SearchResult found = std::visit(
        [&](auto h) {
          TimedHeuristic order(h, plan_.options.times ? &heuristic_seconds : nullptr);
          return search(query, order, h);
        },
        plan_.to_target(query));
    split_seconds(found, heuristic_seconds, seconds_since(start));
    return found;
  }

  SearchResult run(Query query, const OnSettle& on_settle) override {
    ErasedHeuristic order = erased(plan_.to_target(query));
    ErasedHeuristic proof = order;
    return search(query, order, proof, SettleObserver{on_settle});
  }

  std::vector<NodeId> path() const override { return searcher_.path(); }

 private:
  template <class Order, class Own, class Observer = NoObserver>
  SearchResult search(Query query, Order& order, Own& own, Observer&& observer = {}) {
    const auto& prover = plan_.options.prover.values;
    if (prover.data() != nullptr) {
      return searcher_.run(query, order,
                           PotentialHeuristic(prover, query.target, Guarantee::kConsistent),
                           options_, observer);
    }
    // A heuristic without a guarantee orders nodes, but cannot prove the bound.
    if (guarantee_of(own) == Guarantee::kNone) {
      return searcher_.run(query, order, Zero{}, options_, observer);
    }
    return searcher_.run(query, order, own, options_, observer);
  }

  const RouterPlan& plan_;
  FocalOptions options_;
  FocalSearcher searcher_;
};

}  // namespace

std::unique_ptr<Engine> make_focal(const RouterPlan& plan) {
  if (plan.net) {
    return make_learned(plan, {.max_expansions = plan.options.max_expansions}, Promise::kBound);
  }
  return std::make_unique<FocalEngine>(plan);
}

}  // namespace lodestar::detail
