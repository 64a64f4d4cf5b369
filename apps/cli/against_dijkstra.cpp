#include <fmt/core.h>

#include "answer.h"
#include "lodestar/detail/clock.h"
#include "progress.h"

namespace lodestar::cli {
namespace {

struct Sums {
  double expansions = 0, heuristic = 0, closure = 0, search = 0, cost = 0;
  double total() const { return heuristic + closure + search; }
};

Sums sum(std::span<const SearchResult> results) {
  Sums sums;
  for (const SearchResult& result : results) {
    sums.expansions += static_cast<double>(result.expansions);
    sums.heuristic += result.heuristic_seconds;
    sums.closure += result.closure_seconds;
    sums.search += result.search_seconds;
    if (result.reached()) sums.cost += result.cost;
  }
  return sums;
}

}  // namespace

std::vector<SearchResult> run_dijkstra(const Graph& graph, std::span<const Query> queries) {
  Searcher searcher(graph);
  std::vector<SearchResult> results;
  results.reserve(queries.size());
  for (const Query query : queries) {
    const auto start = Clock::now();
    results.push_back(searcher.run(query, Zero{}));
    results.back().search_seconds = seconds_since(start);
  }
  return results;
}

double break_even_seconds(std::span<const SearchResult> found,
                          std::span<const SearchResult> dijkstra) {
  const Sums ours = sum(found), theirs = sum(dijkstra);
  const double saved = theirs.expansions - ours.expansions;
  if (ours.heuristic + ours.closure == 0) return 0;
  return saved > 0 ? (ours.heuristic + ours.closure) / saved : kInfinity;
}

std::string comparison_text(std::span<const SearchResult> found,
                            std::span<const SearchResult> dijkstra) {
  const Sums ours = sum(found), theirs = sum(dijkstra);
  const double n = static_cast<double>(std::max<std::size_t>(1, found.size()));
  const double even = break_even_seconds(found, dijkstra);
  return fmt::format(
      "against Dijkstra: {:.1f} expansions instead of {:.1f}, cost {:.4f} % above the optimum\n"
      "  heuristic {}, closure {}, search {}; Dijkstra {}: {:.2f} times as fast\n"
      "  {}\n",
      ours.expansions / n, theirs.expansions / n,
      theirs.cost > 0 ? 100 * (ours.cost / theirs.cost - 1) : 0.0,
      format_seconds(ours.heuristic / n), format_seconds(ours.closure / n),
      format_seconds(ours.search / n), format_seconds(theirs.total() / n),
      theirs.total() / ours.total(),
      even == kInfinity
          ? std::string("the heuristic saved no expansions: it does not pay here")
          : fmt::format("break-even: it pays where an expansion costs more than {:.1f} ns",
                        even * 1e9));
}

}  // namespace lodestar::cli
