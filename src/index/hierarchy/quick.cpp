#include "index/hierarchy/quick.h"

#include "lodestar/search.h"

namespace lodestar::index {
namespace {

class QuickRunner final : public Runner {
 public:
  explicit QuickRunner(const Data& data) : data_(data), searcher_(*data.metric) {}

  SearchResult run(Query query) override {
    SearchResult found = watch != nullptr ? searcher_.run(query, *watch) : searcher_.run(query);
    effort = {.climbed = found.expansions};
    if (!data_.exact && found.reached()) {  // add up the path as other searches do
      searcher_.path(scratch_);
      found.cost = found.lower_bound = path_cost(data_.graph, scratch_);
    }
    return found;
  }

  void path(std::vector<NodeId>& nodes) const override { searcher_.path(nodes); }

 private:
  const Data& data_;
  CchSearcher searcher_;
  std::vector<NodeId> scratch_;
};

}  // namespace

Data quickly_customised(const Data& data, const Graph& graph, unsigned threads) {
  Data made;
  made.nodes = data.nodes;
  made.symmetric = graph.symmetric();
  made.topology = data.topology;
  made.origin = data.origin;
  made.graph = graph;
  made.flexible = data.flexible;
  const Cch& cch = data.flexible->cch;
  const CchCustomizing options{.threads = threads};
  if (data.metric) {
    made.metric = data.metric->changed(data.graph, graph, options);
  } else {
    made.metric.emplace(cch, graph, options);
  }
  made.exact = made.metric->exact();
  return made;
}

std::unique_ptr<Runner> make_quick_runner(const Data& data) {
  return std::make_unique<QuickRunner>(data);
}

}  // namespace lodestar::index
