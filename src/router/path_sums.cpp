// Matrices with a second number per pair: what the arcs of an optimal path add up to.
#include <algorithm>

#include "lodestar/detail/parallel.h"
#include "lodestar/index.h"
#include "lodestar/itinerary.h"
#include "router/state.h"

namespace lodestar {
namespace {

// Sums from the root of a finished search to nodes of its tree, each node visited once.
class TreeSums {
 public:
  TreeSums(const Graph& graph, std::span<const double> along) : graph_(graph), along_(along) {}

  double at(const Searcher& tree, NodeId root, NodeId node) {
    if (sums_.empty()) sums_.assign(graph_.node_count(), -1);
    way_.clear();
    for (NodeId v = node; v != root && sums_[v] < 0; v = tree.parent(v)) way_.push_back(v);
    while (!way_.empty()) {
      const NodeId v = way_.back(), u = tree.parent(v);
      way_.pop_back();
      const NodeId step[] = {u, v};
      sums_[v] = (u == root ? 0 : sums_[u]) + along_[legs_of(graph_, step)[0].arc];
      touched_.push_back(v);
    }
    return node == root ? 0 : sums_[node];
  }
  void clear() {
    for (const NodeId v : touched_) sums_[v] = -1;
    touched_.clear();
  }

 private:
  const Graph& graph_;
  std::span<const double> along_;
  std::vector<double> sums_;
  std::vector<NodeId> way_, touched_;
};

}  // namespace

void Router::matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                    std::span<const double> along, std::span<Cost> costs, std::span<double> sums,
                    const BatchOptions& batch) const {
  const Graph& graph = state_->plan.given;
  if (along.size() != graph.arc_count()) {
    throw Error("there must be one number per arc to add up along paths");
  }
  if (!std::all_of(along.begin(), along.end(), [](double x) { return x >= 0 && x < kInfinity; })) {
    throw Error("numbers to add up along paths must be at least 0 and finite");
  }
  if (sums.size() != sources.size() * targets.size()) {
    throw Error("a matrix needs memory for as many sums as costs");
  }
  if (sums.empty()) {
    matrix(sources, targets, costs, batch);
    return;
  }
  for (const NodeId v : sources) state_->check(v);
  for (const NodeId v : targets) state_->check(v);
  // As a product on the index, which is prepared once for the same numbers.
  if (const auto product = state_->sum_product(along)) {
    if (costs.size() != sums.size()) throw Error("a matrix needs memory for as many costs as sums");
    product->run(sources, targets, costs, sums, batch.threads);
    if (batch.progress) batch.progress(sources.size());
    return;
  }
  matrix(sources, targets, costs, batch);
  // A query with its path takes about ten microseconds on an index, a search of all nodes a seventh
  // of one per node.
  const auto& index = state_->plan.index;
  const bool queries = index && index->facts().paths && state_->many_to_many() != nullptr &&
                       static_cast<double>(targets.size()) * 70 < graph.node_count();
  std::vector<char> wanted(graph.node_count(), 0);
  for (const NodeId v : targets) wanted[v] = 1;
  const auto different = static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), 1));
  std::vector<std::unique_ptr<TreeSums>> trees(thread_count(batch.threads));
  parallel_for(sources.size(), batch.threads, [&](std::size_t i, std::size_t worker) {
    double* line = sums.data() + i * targets.size();
    const NodeId source = sources[i];
    if (queries) {
      auto engine = state_->take_engine();
      for (std::size_t k = 0; k < targets.size(); ++k) {
        line[k] = kInfinity;
        if (!engine->run({source, targets[k]}).reached()) continue;
        line[k] = 0;
        for (const Leg& leg : legs_of(graph, engine->path())) line[k] += along[leg.arc];
      }
      state_->engines.give_back(std::move(engine));
      return;
    }
    const auto searcher = state_->borrow_dijkstra();
    searcher->set_direction(Direction::kForward);
    searcher->run_all(source, UntilAllSettled{wanted, different});
    if (!trees[worker]) trees[worker] = std::make_unique<TreeSums>(graph, along);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      line[k] = searcher->distance(targets[k]) < kInfinity
                    ? trees[worker]->at(*searcher, source, targets[k])
                    : kInfinity;
    }
    trees[worker]->clear();
  });
}

}  // namespace lodestar
