#include "learn/evaluate/grid.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>

#include "learn/evaluate/published.h"
#include "lodestar/detail/parallel.h"

namespace lodestar::evaluate {
namespace {

// All methods on every graph of a split; [methods][graphs].
std::vector<Samples> measure_split(const Split& split, const std::vector<Method>& methods,
                                   const SearchPlan& search, unsigned threads,
                                   const std::function<void()>& after_each) {
  std::vector<Samples> results(methods.size(), Samples(split.count));
  // Methods with the same source follow each other, so that y is computed once.
  std::vector<std::size_t> order(methods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return methods[a].source_identity() < methods[b].source_identity();
  });
  std::deque<Measurer> measurers;
  for (unsigned i = 0; i < thread_count(threads); ++i) measurers.emplace_back(search);
  std::mutex mutex;
  parallel_for(split.count, threads, [&](std::size_t i, std::size_t worker) {
    const auto index = static_cast<std::uint32_t>(i);
    const Instance instance = draw_instance(split, index);
    measurers[worker].begin(instance, mix64(split.seed) + index);
    for (const std::size_t k : order) results[k][i] = measurers[worker].measure(methods[k]);
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

// Rough: what a graph costs by itself and what every method costs on it.
double work_on_graph(const GridPart& part, std::size_t methods) {
  return methods == 0 ? 0 : (20 + static_cast<double>(methods)) * (2000 + edges(part.split));
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
    std::vector<Method> missing;
  };
  std::vector<std::vector<Work>> work(grid.parts.size());  // by draw
  double total = 0, done = 0;
  GridProgress state;
  for (std::size_t p = 0; p < grid.parts.size(); ++p) {
    const GridPart& part = grid.parts[p];
    for (const Split& split : part.draws()) {
      Work& here = work[p].emplace_back(Work{split, {}});
      for (const Method& method : part.methods) {
        const bool known = store.find(cell_key(build, grid.search, split, method)) != nullptr;
        known ? ++state.kept : (here.missing.push_back(method), ++state.computed);
      }
      total += work_on_graph(part, here.missing.size()) * split.count;
    }
  }

  if (progress) progress(state);

  // Step 2. Compute it split by split; a split's graphs are drawn once for all methods.
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
    std::map<std::string, std::vector<Samples>> of_models;  // for pairs, at scale 1
    for (std::size_t k = 0; k < part.methods.size();) {
      const Method& first = part.methods[k];
      std::vector<Samples> trials;
      for (; k < part.methods.size() && part.methods[k].name == first.name &&
             part.methods[k].scale == first.scale;
           ++k) {
        Samples& all = trials.emplace_back();
        for (const Work& here : work[p]) {
          const Samples& samples =
              *store.find(cell_key(build, grid.search, here.split, part.methods[k]));
          all.insert(all.end(), samples.begin(), samples.end());
        }
      }
      std::vector<const Samples*> views;
      for (const Samples& samples : trials) views.push_back(&samples);
      rows.push_back(make_row(whole, first, views));
      if (first.source == Source::kModel && first.scale == 1) {
        of_models[first.name] = std::move(trials);
      }
    }
    const auto views = [&](const char* name) {
      std::vector<const Samples*> all;
      for (const Samples& samples : of_models[name]) all.push_back(&samples);
      return all;
    };
    const auto with = views("paper"), without = views("paper-alone");
    if (with.empty() || without.empty()) continue;
    rows.push_back(make_paired_row(whole, kImitationGain, with, without));
  }
  return rows;
}

double choose_constant(std::uint32_t count, unsigned threads) {
  Grid grid;
  constexpr int kSteps = 30;
  std::uint64_t seed = 500;  // of no test split, and of none that a model's scale was chosen on
  for (const PublishedCell& cell : published_table()) {
    GridPart part;
    part.split = {"validation-" + to_string(cell.density) + "-" + std::to_string(cell.nodes),
                  count,
                  cell.nodes,
                  cell.density,
                  0,
                  Draw::kOr,
                  seed++};
    for (int step = 1; step <= kSteps; ++step) {
      const double c = 0.02 * step;
      part.methods.push_back(plain_method(std::to_string(step), Source::kConstant, c));
    }
    grid.parts.push_back(std::move(part));
  }
  CellStore nowhere("");
  const std::vector<Row> rows = run_grid(grid, nowhere, "", threads);
  double best = 0;
  std::pair<int, double> most{-1, 0};  // cells that are met, and their tightest margin
  for (std::size_t step = 0; step < kSteps; ++step) {
    int met = 0;
    double tightest = 1;
    for (std::size_t cell = 0; cell < grid.parts.size(); ++cell) {
      const Row& row = rows[cell * kSteps + step];
      const double here = margin(published_table()[cell], row.ratio.mean, row.distance.mean / 100);
      met += here >= 0 ? 1 : 0;
      tightest = std::min(tightest, here);
    }
    if (std::pair(met, tightest) > most) {
      most = {met, tightest};
      best = 0.02 * static_cast<double>(step + 1);
    }
  }
  return best;
}

}  // namespace lodestar::evaluate
