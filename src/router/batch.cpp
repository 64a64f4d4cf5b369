// Many queries at once on several threads.
#include <algorithm>
#include <atomic>
#include <limits>
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

// Pairs of few nodes are cells of a matrix, which cost less than queries even if most are not asked
// for. Returns false if there are too few pairs.
bool Router::costs_by_matrix(std::span<const Query> queries, std::span<Cost> found,
                             const BatchOptions& batch) const {
  constexpr std::size_t kFew = 256, kUnused = 8;
  if (queries.size() < kFew || options().max_expansions < std::numeric_limits<std::uint64_t>::max())
    return false;
  // Most lists of pairs have few that share their source; a sample says so at little cost.
  std::vector<NodeId> sample(kFew);
  for (std::size_t i = 0; i < kFew; ++i) {
    sample[i] = queries[i * queries.size() / kFew].source;
  }
  std::sort(sample.begin(), sample.end());
  const auto end = std::unique(sample.begin(), sample.end());
  if (queries.size() > 4 * kFew && end == sample.end()) return false;
  const auto distinct = [&](NodeId Query::*side) {
    std::vector<NodeId> nodes(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) nodes[i] = queries[i].*side;
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  };
  const std::vector<NodeId> sources = distinct(&Query::source);
  if (4 * sources.size() > queries.size()) return false;
  const std::vector<NodeId> targets = distinct(&Query::target);
  if (sources.size() * targets.size() > kUnused * queries.size()) return false;
  std::vector<Cost> cells(sources.size() * targets.size());
  matrix(sources, targets, std::span<Cost>(cells), {.threads = batch.threads});
  const auto at = [](const std::vector<NodeId>& nodes, NodeId v) {
    return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), v) -
                                    nodes.begin());
  };
  for (std::size_t i = 0; i < queries.size(); ++i) {
    found[i] =
        cells[at(sources, queries[i].source) * targets.size() + at(targets, queries[i].target)];
  }
  if (batch.progress) batch.progress(queries.size());
  return true;
}

std::vector<Cost> Router::costs(std::span<const Query> queries, const BatchOptions& batch) const {
  std::vector<Cost> found(queries.size());
  if (state_->many_to_many() != nullptr && costs_by_matrix(queries, found, batch)) return found;
  ask_all(*this, queries.size(), batch,
          [&](Lease& one, std::size_t i) { found[i] = one.run(queries[i]).cost; });
  return found;
}

}  // namespace lodestar
