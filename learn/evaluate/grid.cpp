#include "learn/evaluate/grid.h"

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
  for (unsigned i = 0; i < thread_count(threads); ++i) measurers.emplace_back(search);
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

std::vector<Split> GridPart::draws() const {
  std::vector<Split> all = {split};
  for (const std::uint64_t seed : more_seeds) {
    all.push_back(split);
    all.back().seed = seed;
  }
  return all;
}

std::vector<Row> run_grid(const Grid& grid, CellStore& store, const std::string& build,
                          unsigned threads,
                          const std::function<void(const GridProgress&)>& progress) {
  // Step 1. What is missing, and how much work that is.
  struct Work {
    Split split;
    std::vector<Contender> missing;
  };
  std::vector<std::vector<Work>> work(grid.parts.size());  // by draw
  double total = 0, done = 0;
  GridProgress state;
  for (std::size_t p = 0; p < grid.parts.size(); ++p) {
    const GridPart& part = grid.parts[p];
    for (const Split& split : part.draws()) {
      Work& here = work[p].emplace_back(Work{split, {}});
      for (const Contender& contender : part.contenders) {
        const bool known = store.find(cell_key(build, grid.search, split, contender)) != nullptr;
        known ? ++state.kept : (here.missing.push_back(contender), ++state.computed);
      }
      total += work_on_graph(part, here.missing.size()) * split.count;
    }
  }

  if (progress) progress(state);

  // Step 2. Compute it split by split; a split's graphs are drawn once for all contenders.
  std::vector<Row> rows;
  for (std::size_t p = 0; p < grid.parts.size(); ++p) {
    const GridPart& part = grid.parts[p];
    state.split = part.split.name;
    for (const auto& [split, missing] : work[p]) {
      if (missing.empty()) continue;
      const double each = work_on_graph(part, missing.size());
      std::vector<Samples> results = measure_split(split, missing, grid.search, threads, [&] {
        done += each;
        state.fraction = done / total;
        if (progress) progress(state);
      });
      for (std::size_t k = 0; k < missing.size(); ++k) {
        store.add(cell_key(build, grid.search, split, missing[k]), std::move(results[k]));
      }
    }
    // Step 3. Trials of one name make a row, with the graphs of all draws.
    Split whole = part.split;
    whole.count *= static_cast<std::uint32_t>(work[p].size());
    for (std::size_t k = 0; k < part.contenders.size();) {
      const Contender& first = part.contenders[k];
      std::vector<Samples> trials;
      for (; k < part.contenders.size() && part.contenders[k].name == first.name &&
             part.contenders[k].scale == first.scale;
           ++k) {
        Samples& all = trials.emplace_back();
        for (const Work& here : work[p]) {
          const Samples& samples =
              *store.find(cell_key(build, grid.search, here.split, part.contenders[k]));
          all.insert(all.end(), samples.begin(), samples.end());
        }
      }
      std::vector<const Samples*> views;
      for (const Samples& samples : trials) views.push_back(&samples);
      rows.push_back(make_row(whole, first, views));
    }
  }
  return rows;
}

}  // namespace lodestar::paper
