// The algorithm "core": an index that is given, read, or built with the router.
#include "lodestar/detail/clock.h"
#include "lodestar/index.h"
#include "router/engine.h"

namespace lodestar::detail {
namespace {

class CoreEngine : public Engine {
 public:
  explicit CoreEngine(const Index& index) : searcher_(index) {}

  SearchResult run(Query query) override {
    const auto start = Clock::now();
    SearchResult found = searcher_.run(query);
    found.search_seconds = seconds_since(start);
    return found;
  }

  SearchResult run(Query query, const OnSettle& on_settle) override {
    const SearchResult found = searcher_.run(query, steps_);
    for (const IndexStep& step : steps_) {
      on_settle({step.node, step.cost, step.parent, step.side});
    }
    return found;
  }

  std::vector<NodeId> path() const override { return searcher_.path(); }

 private:
  IndexSearcher searcher_;
  std::vector<IndexStep> steps_;
};

}  // namespace

void prepare_core(RouterPlan& plan) {
  const RouterOptions& options = plan.options;
  if (options.index != nullptr && !options.index_file.empty()) {
    throw Error("give either an index or its file, not both");
  }
  if (options.index != nullptr) {
    if (!options.index->fits(plan.given)) {
      throw Error(
          "the index was built for another graph or other weights; customize it or build a new "
          "one");
    }
    plan.index = options.index;
  } else if (!options.index_file.empty()) {
    const IndexOpening opened = Index::open_or_customize(options.index_file, plan.given);
    plan.index = std::make_shared<const Index>(opened.index);
    plan.note = opened.note;
  } else {
    // A fixed number of rounds gives the same index every time.
    IndexOptions chosen;
    chosen.rounds = 8;
    plan.index = std::make_shared<const Index>(Index::build(plan.given, chosen));
  }
}

std::unique_ptr<Engine> make_core(const RouterPlan& plan) {
  return std::make_unique<CoreEngine>(*plan.index);
}

}  // namespace lodestar::detail
