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

// The pairs of all sources with all targets, line by line. Returns false if they are others.
bool costs_of_product(const Router& router, std::span<const Query> queries, std::span<Cost> found,
                      const BatchOptions& batch) {
  const auto repeats = [&](NodeId Query::*outer, NodeId Query::*inner, std::size_t width) {
    if (queries.size() % width != 0) return false;
    for (std::size_t begin = 0; begin < queries.size(); begin += width) {
      for (std::size_t k = 0; k < width; ++k) {
        const Query query = queries[begin + k];
        if (query.*outer != queries[begin].*outer || query.*inner != queries[k].*inner) {
          return false;
        }
      }
    }
    return true;
  };
  // The number of lines, 0 if there are none. A line ends where the outer node changes, or, if that
  // is repeated, where the first inner node comes again.
  const auto lines = [&](NodeId Query::*outer, NodeId Query::*inner) -> std::size_t {
    std::size_t width = 1, guesses = 3;
    for (; width < queries.size() && queries[width].*outer == queries[0].*outer; ++width) {
      if (queries[width].*inner != queries[0].*inner || guesses == 0) continue;
      --guesses;
      if (repeats(outer, inner, width)) return queries.size() / width;
    }
    return repeats(outer, inner, width) ? queries.size() / width : 0;
  };
  const auto matrix_of = [&](std::size_t rows, std::size_t columns, std::size_t down,
                             std::size_t right, std::span<Cost> cells) {
    std::vector<NodeId> sources(rows), targets(columns);
    for (std::size_t i = 0; i < rows; ++i) sources[i] = queries[i * down].source;
    for (std::size_t k = 0; k < columns; ++k) targets[k] = queries[k * right].target;
    router.matrix(sources, targets, cells, {.threads = batch.threads});
  };
  if (const std::size_t rows = lines(&Query::source, &Query::target)) {
    const std::size_t columns = queries.size() / rows;
    matrix_of(rows, columns, columns, 1, found);
  } else if (const std::size_t columns = lines(&Query::target, &Query::source)) {
    const std::size_t height = queries.size() / columns;
    std::vector<Cost> cells(queries.size());
    matrix_of(height, columns, 1, height, cells);
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i] = cells[i % height * columns + i / height];
    }
  } else {
    return false;
  }
  if (batch.progress) batch.progress(queries.size());
  return true;
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
// for. Returns false if queries are expected to be faster, or to have other results.
bool Router::costs_by_matrix(std::span<const Query> queries, std::span<Cost> found,
                             const BatchOptions& batch) const {
  const bool indexed = state_->many_to_many() != nullptr;
  if (queries.size() < 2 || (!indexed && !answers_optimally(*this)) ||
      options().max_expansions < std::numeric_limits<std::uint64_t>::max()) {
    return false;
  }
  if (costs_of_product(*this, queries, found, batch)) return true;
  // Without an index a search to all targets takes as long as some queries.
  const std::size_t few = indexed ? 256 : 8, per_line = indexed ? 4 : 6;
  constexpr std::size_t kSample = 256, kUnused = 8;
  if (queries.size() < few) return false;
  // Most lists of pairs have few that share their source; a sample says so at little cost.
  if (queries.size() > 4 * kSample) {
    std::vector<NodeId> sample(kSample);
    for (std::size_t i = 0; i < kSample; ++i) {
      sample[i] = queries[i * queries.size() / kSample].source;
    }
    std::sort(sample.begin(), sample.end());
    if (std::adjacent_find(sample.begin(), sample.end()) == sample.end()) return false;
  }
  const auto distinct = [&](NodeId Query::*side) {
    std::vector<NodeId> nodes(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) nodes[i] = queries[i].*side;
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  };
  const std::vector<NodeId> sources = distinct(&Query::source);
  if (per_line * sources.size() > queries.size()) return false;
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
  if (costs_by_matrix(queries, found, batch)) return found;
  ask_all(*this, queries.size(), batch,
          [&](Lease& one, std::size_t i) { found[i] = one.run(queries[i]).cost; });
  return found;
}

}  // namespace lodestar
