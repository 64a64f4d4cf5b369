#include "router/engine.h"

namespace lodestar::detail {
namespace {

class LearnedEngine : public Engine {
 public:
  LearnedEngine(const RouterPlan& plan, const LearnedOptions& options)
      : searcher_(plan.graph, *plan.net, options) {}

  SearchResult run(Query query) override { return searcher_.run(query); }
  SearchResult run(Query query, const OnSettle& on_settle) override {
    return searcher_.run(query, [&](NodeId v, Cost cost, NodeId parent) {
      on_settle({v, cost, parent, Direction::kForward});
    });
  }
  std::vector<NodeId> path() const override { return searcher_.path(); }

 private:
  LearnedSearcher searcher_;
};

}  // namespace

std::unique_ptr<Engine> make_learned(const RouterPlan& plan, const SearchOptions& search,
                                     Promise promise) {
  LearnedOptions options;
  options.promise = promise;
  options.bound = plan.options.bound;
  options.search = search;
  options.times = plan.options.times;
  options.potentials = plan.potentials.get();
  return std::make_unique<LearnedEngine>(plan, options);
}

}  // namespace lodestar::detail
