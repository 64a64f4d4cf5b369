// Many queries at once on several threads.
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

}  // namespace lodestar
