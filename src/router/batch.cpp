// Many queries at once: pairs on several threads, one-to-all and many-to-many.
#include <algorithm>
#include <atomic>
#include <optional>

#include "lodestar/detail/parallel.h"
#include "router/state.h"

namespace lodestar {
namespace {

// Each thread borrows a searcher for its first query. ask(lease, i) runs query i.
template <class Ask>
void ask_all(const Router& router, std::size_t count, const BatchOptions& batch, Ask&& ask) {
  std::vector<std::optional<Router::Lease>> leases(thread_count(batch.threads));
  std::atomic<std::size_t> done{0};
  std::size_t reported = 0;
  const auto report = [&] {
    if (reported == count) return;
    reported = done;
    if (batch.progress) batch.progress(reported);
  };
  parallel_for(
      count, batch.threads,
      [&](std::size_t i, std::size_t worker) {
        if (!leases[worker]) leases[worker].emplace(router.lease());
        ask(*leases[worker], i);
        ++done;
        if (worker == 0) report();
      },
      report);
  if (reported < count) report();  // the other threads did the rest
}

// Stops a search when all wanted nodes are settled.
struct UntilAllSettled {
  const std::vector<char>& wanted;  // by node
  std::size_t left;
  bool on_settle(NodeId v, Cost, NodeId) { return !wanted[v] || --left > 0; }
};

}  // namespace

std::vector<SearchResult> Router::results(std::span<const Query> queries,
                                          const BatchOptions& batch) const {
  std::vector<SearchResult> found(queries.size());
  ask_all(*this, queries.size(), batch,
          [&](Lease& one, std::size_t i) { found[i] = one.run(queries[i]); });
  return found;
}

std::vector<Route> Router::paths(std::span<const Query> queries, const BatchOptions& batch) const {
  std::vector<Route> found(queries.size());
  ask_all(*this, queries.size(), batch, [&](Lease& one, std::size_t i) {
    found[i].result = one.run(queries[i]);
    if (found[i].result.reached()) found[i].nodes = one.path();
  });
  return found;
}

std::vector<Cost> Router::costs(std::span<const Query> queries, const BatchOptions& batch) const {
  std::vector<Cost> found(queries.size());
  ask_all(*this, queries.size(), batch,
          [&](Lease& one, std::size_t i) { found[i] = one.run(queries[i]).cost; });
  return found;
}

Distances Router::distances(NodeId node, const DistanceOptions& options) const {
  state_->check(node);
  const auto searcher = state_->borrow_dijkstra();
  searcher->set_direction(options.direction);
  searcher->run_all(node);
  const NodeId n = graph().node_count();
  Distances found;
  found.costs.resize(n);
  for (NodeId v = 0; v < n; ++v) found.costs[v] = searcher->distance(v);
  if (options.parents) {
    found.parents.resize(n);
    for (NodeId v = 0; v < n; ++v) found.parents[v] = searcher->parent(v);
  }
  return found;
}

std::vector<Cost> Router::matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                                 const BatchOptions& batch) const {
  std::vector<Cost> costs(sources.size() * targets.size());
  const MatrixBy by = sources.size() <= targets.size() ? MatrixBy::kSource : MatrixBy::kTarget;
  const std::size_t width = targets.size();
  matrix(
      sources, targets,
      [&](std::size_t index, std::span<const Cost> line) {
        if (by == MatrixBy::kSource) {
          std::copy(line.begin(), line.end(),
                    costs.begin() + static_cast<std::ptrdiff_t>(index * width));
        } else {
          for (std::size_t i = 0; i < line.size(); ++i) costs[i * width + index] = line[i];
        }
      },
      by, batch);
  return costs;
}

MatrixBy Router::matrix(std::span<const NodeId> sources, std::span<const NodeId> targets,
                        const MatrixLine& line, MatrixBy by, const BatchOptions& batch) const {
  for (const NodeId v : sources) state_->check(v);
  for (const NodeId v : targets) state_->check(v);
  if (by == MatrixBy::kFewer) {
    by = sources.size() <= targets.size() ? MatrixBy::kSource : MatrixBy::kTarget;
  }
  const auto roots = by == MatrixBy::kSource ? sources : targets;
  const auto others = by == MatrixBy::kSource ? targets : sources;
  std::vector<char> wanted(graph().node_count());
  for (const NodeId v : others) wanted[v] = true;
  const auto different = static_cast<std::size_t>(std::count(wanted.begin(), wanted.end(), true));
  const unsigned threads = thread_count(batch.threads);
  // A few lines at a time are computed in parallel, then passed to the caller in order.
  const std::size_t block = std::size_t{4} * threads;
  std::vector<std::vector<Cost>> lines(std::min(block, roots.size()),
                                       std::vector<Cost>(others.size()));
  for (std::size_t begin = 0; begin < roots.size(); begin += block) {
    const std::size_t count = std::min(block, roots.size() - begin);
    parallel_for(count, threads, [&](std::size_t i, std::size_t) {
      const auto searcher = state_->borrow_dijkstra();
      searcher->set_direction(by == MatrixBy::kSource ? Direction::kForward : Direction::kBackward);
      if (different > 0) searcher->run_all(roots[begin + i], UntilAllSettled{wanted, different});
      for (std::size_t k = 0; k < others.size(); ++k) lines[i][k] = searcher->distance(others[k]);
    });
    for (std::size_t i = 0; i < count; ++i) {
      line(begin + i, lines[i]);
      if (batch.progress) batch.progress(begin + i + 1);
    }
  }
  return by;
}

}  // namespace lodestar
