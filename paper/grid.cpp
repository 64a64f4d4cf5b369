#include "paper/grid.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>

#include "lodestar/detail/parallel.h"

namespace lodestar::paper {
namespace {

// All contenders on every graph of a split; [contenders][graphs].
std::vector<Samples> measure_split(const Split& split, const std::vector<Contender>& contenders,
                                   const SearchPlan& search, unsigned threads,
                                   const std::function<void()>& after_each) {
  std::vector<Samples> results(contenders.size(), Samples(split.count));
  // Contenders with the same source follow each other, so that y is computed once.
  std::vector<std::size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return contenders[a].source_identity() < contenders[b].source_identity();
  });
  std::deque<Measurer> measurers;
  for (unsigned i = 0; i < std::max(1u, threads); ++i) measurers.emplace_back(search);
  std::mutex mutex;
  parallel_for(split.count, threads, [&](std::size_t i, std::size_t worker) {
    const auto index = static_cast<std::uint32_t>(i);
    const Instance instance = draw_instance(split, index);
    measurers[worker].begin(instance, mix64(split.seed) + index);
    for (const std::size_t k : order) results[k][i] = measurers[worker].measure(contenders[k]);
    const std::lock_guard lock(mutex);
    after_each();
  });
  return results;
}

double edges(const Split& split) {
  GraphSpec spec;
  spec.nodes = split.nodes;
  spec.density = split.density;
  spec.p = split.p;
  const double n = split.nodes;
  return n * n * edge_probability(spec);
}

// Rough: what a graph costs by itself and what every contender costs on it.
double work_on_graph(const GridPart& part, std::size_t contenders) {
  return contenders == 0 ? 0 : (20 + static_cast<double>(contenders)) * (2000 + edges(part.split));
}

}  // namespace

std::vector<Row> run_grid(const Grid& grid, CellStore& store, const std::string& build,
                          unsigned threads,
                          const std::function<void(const GridProgress&)>& progress) {
  // Step 1. What is missing, and how much work that is.
  std::vector<std::vector<Contender>> missing(grid.parts.size());
  double total = 0, done = 0;
  GridProgress state;
  for (std::size_t p = 0; p < grid.parts.size(); ++p) {
    const GridPart& part = grid.parts[p];
    for (const Contender& contender : part.contenders) {
      const bool known = store.find(cell_key(build, grid.search, part.split, contender)) != nullptr;
      known ? ++state.kept : (missing[p].push_back(contender), ++state.computed);
    }
    total += work_on_graph(part, missing[p].size()) * part.split.count;
  }

  if (progress) progress(state);

  // Step 2. Compute it split by split; a split's graphs are drawn once for all contenders.
  std::vector<Row> rows;
  for (std::size_t p = 0; p < grid.parts.size(); ++p) {
    const GridPart& part = grid.parts[p];
    state.split = part.split.name;
    if (!missing[p].empty()) {
      std::vector<Samples> results =
          measure_split(part.split, missing[p], grid.search, threads, [&] {
            done += work_on_graph(part, missing[p].size());
            state.fraction = done / total;
            if (progress) progress(state);
          });
      for (std::size_t k = 0; k < missing[p].size(); ++k) {
        store.add(cell_key(build, grid.search, part.split, missing[p][k]), std::move(results[k]));
      }
    }
    // Step 3. Trials of one name make a row.
    for (std::size_t k = 0; k < part.contenders.size();) {
      const Contender& first = part.contenders[k];
      std::vector<const Samples*> trials;
      for (; k < part.contenders.size() && part.contenders[k].name == first.name &&
             part.contenders[k].scale == first.scale;
           ++k) {
        trials.push_back(store.find(cell_key(build, grid.search, part.split, part.contenders[k])));
      }
      rows.push_back(make_row(part.split, first, trials));
    }
  }
  return rows;
}

}  // namespace lodestar::paper
