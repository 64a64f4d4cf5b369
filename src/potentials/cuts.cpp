#include "lodestar/cuts.h"

#include <algorithm>

#include "lodestar/rng.h"
#include "lodestar/search.h"
#include "lodestar/version.h"
#include "potentials/columns.h"
#include "potentials/sweep.h"

namespace lodestar {
namespace {

using Column = Cutter::Column;

// Cut i goes to sweep i mod sweeps; the cuts of a sweep lie at equal shares.
std::vector<Column> arrange(Cutter& cutter, std::span<const SweepKeys> sweeps,
                            std::uint32_t potentials) {
  std::vector<Column> columns;
  const std::size_t cuts = (potentials + cutter.per_cut() - 1) / cutter.per_cut();
  for (std::size_t s = 0; s < sweeps.size(); ++s) {
    const std::size_t here = cuts / sweeps.size() + (s < cuts % sweeps.size());
    for (std::size_t i = 0; i < here; ++i) {
      const double share = static_cast<double>(i + 1) / static_cast<double>(here + 1);
      cutter.cut(sweeps[s], share, columns);
    }
  }
  columns.resize(potentials);
  return columns;
}

}  // namespace

PotentialColumns cut_columns(const Graph& graph, const CutOptions& options) {
  if (graph.node_count() == 0) throw Error("a graph without nodes has no cuts");
  if (options.potential_count == 0 || options.potential_count > 4096) {
    throw Error("the number of potentials must be between 1 and 4096");
  }
  const std::vector<NodeId> part = largest_part_nodes(graph);
  PotentialColumns result;
  result.unit = choose_unit(graph, longest_distance_bound(graph, part.front()));
  const IntegerGraph whole(graph, result.unit);
  Cutter cutter(whole, part);
  if (options.sweeps > 0) {
    const std::uint32_t count = std::min(options.sweeps, options.potential_count);
    auto sweeps = options.by_coordinates ? coordinate_sweeps(graph, count)
                                         : distance_sweeps(whole, part, count, options.seed);
    if (sweeps.empty()) throw Error("sweeps by coordinates require a graph with coordinates");
    result.columns = arrange(cutter, sweeps, options.potential_count);
    return result;
  }

  constexpr std::uint32_t kArrangements[] = {2, 4, 8};
  constexpr int kQueries = 100;
  Searcher searcher(graph);
  Rng rng(mix64(options.seed));
  const auto random_node = [&] { return part[rng.below(static_cast<std::uint32_t>(part.size()))]; };
  std::vector<Query> queries(kQueries);
  for (Query& query : queries) query = {random_node(), random_node()};
  std::uint64_t fewest = 0;
  const auto consider = [&](std::span<const SweepKeys> sweeps) {
    std::vector<Column> columns = arrange(cutter, sweeps, options.potential_count);
    const Potentials potentials(graph, columns, result.unit);
    std::uint64_t expansions = 0;
    for (const Query& query : queries) {
      expansions += searcher.run(query, potentials.to(query.target)).expansions;
    }
    if (!result.columns.empty() && expansions >= fewest) return;
    fewest = expansions;
    result.columns = std::move(columns);
  };
  const auto by_distance = distance_sweeps(whole, part, 8, options.seed);
  std::uint32_t tried = 0;
  for (const std::uint32_t arrangement : kArrangements) {
    const std::uint32_t count = std::min(arrangement, options.potential_count);
    if (tried++ < options.arrangements) consider(std::span(by_distance).first(count));
    if (!graph.has_coordinates() || tried++ >= options.arrangements) continue;
    consider(coordinate_sweeps(graph, count));
  }
  return result;
}

Potentials cut_potentials(const Graph& graph, const CutOptions& options) {
  const PotentialColumns columns = cut_columns(graph, options);
  Potentials potentials(graph, columns.columns, columns.unit);
  potentials.origin() = {"cuts", kVersion, kCommit, options.seed, 0, 0};
  return potentials;
}

}  // namespace lodestar
