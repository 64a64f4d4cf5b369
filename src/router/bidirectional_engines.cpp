// Engines of bidirectional search: textbook, look-ahead, and A* with a consistent heuristic.
#include "lodestar/bidirectional.h"
#include "lodestar/detail/clock.h"
#include "router/engine.h"

namespace lodestar::detail {
namespace {

BidirectionalOptions options_of(const RouterPlan& plan, BidirectionalKeys keys) {
  return {.keys = keys, .bound = plan.options.bound, .max_expansions = plan.options.max_expansions};
}

class PlainEngine : public Engine {
 public:
  PlainEngine(const RouterPlan& plan, BidirectionalKeys keys)
      : options_(options_of(plan, keys)), searcher_(plan.graph, plan.look_ahead) {}

  SearchResult run(Query query) override {
    const auto start = Clock::now();
    SearchResult found = searcher_.run(query, options_);
    found.search_seconds = seconds_since(start);
    return found;
  }
  SearchResult run(Query query, const OnSettle& on_settle) override {
    return searcher_.run(query, options_, SettleObserver{on_settle});
  }
  std::vector<NodeId> path() const override { return searcher_.path(); }

 private:
  BidirectionalOptions options_;
  BidirectionalSearcher searcher_;
};

class BidirectionalAStarEngine : public Engine {
 public:
  explicit BidirectionalAStarEngine(const RouterPlan& plan) : plan_(plan), searcher_(plan.graph) {}

  SearchResult run(Query query) override {
    const auto start = Clock::now();
    SearchResult found = search(query, NoObserver{});
    found.search_seconds = seconds_since(start);
    return found;
  }
  SearchResult run(Query query, const OnSettle& on_settle) override {
    return search(query, SettleObserver{on_settle});
  }
  std::vector<NodeId> path() const override { return searcher_.path(); }

 private:
  // Coordinates serve both directions; potentials have a forward and a backward view.
  template <class Observer>
  SearchResult search(Query query, Observer&& observer) {
    const auto both = [&](auto to_target, auto from_source) {
      return searcher_.run(query, to_target, from_source,
                           options_of(plan_, BidirectionalKeys::kLookAhead), observer);
    };
    const NodeId s = query.source, t = query.target;
    if (plan_.potentials && plan_.geometry) {
      return both(MaxOf(plan_.potentials->to(t), plan_.geometry->to(t)),
                  MaxOf(plan_.potentials->from(s), plan_.geometry->to(s)));
    }
    if (plan_.potentials) return both(plan_.potentials->to(t), plan_.potentials->from(s));
    if (plan_.geometry) return both(plan_.geometry->to(t), plan_.geometry->to(s));
    const auto& y = plan_.options.potential.values;
    if (y.data() != nullptr) {
      return both(PotentialHeuristic(y, t, Guarantee::kConsistent),
                  PotentialFromSource{y.data(), y[s]});
    }
    if (plan_.options.heuristic == "constant") {  // at most 0, or it would not be consistent
      return both(Constant{t, plan_.options.constant}, Constant{s, plan_.options.constant});
    }
    return both(Zero{}, Zero{});
  }

  const RouterPlan& plan_;
  BidirectionalSearcher searcher_;
};

}  // namespace

void prepare_look_ahead(RouterPlan& plan) {
  plan.look_ahead = std::make_shared<const LookAhead>(plan.graph);
}

void prepare_sorted_arcs(RouterPlan& plan) {
  plan.graph = plan.graph.ordered(ArcOrder::kByWeight);
  prepare_look_ahead(plan);
}

std::unique_ptr<Engine> make_bidirectional(const RouterPlan& plan) {
  return std::make_unique<PlainEngine>(plan, BidirectionalKeys::kLookAhead);
}

std::unique_ptr<Engine> make_bidirectional_textbook(const RouterPlan& plan) {
  return std::make_unique<PlainEngine>(plan, BidirectionalKeys::kTextbook);
}

std::unique_ptr<Engine> make_bidirectional_astar(const RouterPlan& plan) {
  return std::make_unique<BidirectionalAStarEngine>(plan);
}

}  // namespace lodestar::detail
