#include "bench/harness/comparison.h"

#include <algorithm>
#include <cmath>

#include "bench/harness/queries.h"
#include "bench/harness/statistics.h"
#include "bench/harness/turns.h"

namespace lodestar::bench {

bool same_cost(Cost a, Cost b) {
  if (a == b) return true;
  if (a == std::floor(a) && b == std::floor(b)) return false;
  return std::abs(a - b) <= 1e-9 * std::abs(b);
}

double mean_expansions(const ReadyMethod& ready, const std::vector<Query>& queries) {
  double sum = 0;
  for (const Query& query : queries) sum += static_cast<double>(ready.run(query).expansions);
  return queries.empty() ? 0 : sum / static_cast<double>(queries.size());
}

Comparison::Comparison(const Graph& graph, std::vector<Query> queries)
    : graph_(graph), searcher_(graph_) {
  if (queries.empty()) throw Error("there are no queries to measure with");
  common_ = reference(std::move(queries));
  path_nodes_ = common_.path_nodes / static_cast<double>(query_count());
}

Comparison::Checked Comparison::reference(std::vector<Query> queries) {
  Checked checked{std::move(queries), {}, 0};
  for (const Query& query : checked.queries) {
    checked.costs.push_back(searcher_.run(query).cost);
    checked.path_nodes += static_cast<double>(searcher_.path().size());
  }
  return checked;
}

Comparison::Checked Comparison::reference_of_first(std::vector<Query> queries) const {
  Checked checked{std::move(queries), {}, 0};
  for (const Query& query : checked.queries) {
    checked.costs.push_back(ready_.front().run(query).cost);
  }
  return checked;
}

void Comparison::add(const Method& method, ReadyMethod ready) {
  MethodResult result;
  result.id = method.id;
  result.name = method.name;
  result.bytes = ready.bytes;
  result.preparation_seconds = ready.preparation_seconds.value_or(0);
  result.within = method.within;
  results_.push_back(std::move(result));
  ready_.push_back(std::move(ready));
}

bool Comparison::accepts(std::size_t method, Cost optimum, Cost found) const {
  const double within = results_[method].within;
  if (within == 0 || found < optimum) return same_cost(found, optimum);
  return found <= (1 + within) * optimum * (1 + 1e-9);
}

double Comparison::answer(std::size_t method, const Checked& checked, bool paths) {
  const ReadyMethod& ready = ready_[method];
  double expansions = 0;
  for (std::size_t i = 0; i < checked.queries.size(); ++i) {
    const SearchResult found = ready.run(checked.queries[i]);
    if (paths) last_path_ = ready.path();
    expansions += static_cast<double>(found.expansions);
    results_[method].wrong += !accepts(method, checked.costs[i], found.cost);
  }
  return expansions / static_cast<double>(checked.queries.size());
}

void Comparison::check_paths(std::size_t method) {
  const ReadyMethod& ready = ready_[method];
  if (!ready.path) throw Error("'" + results_[method].name + "' gives no paths");
  for (const Query& query : common_.queries) {
    const SearchResult found = ready.run(query);
    if (!found.reached()) continue;
    const std::vector<NodeId> path = ready.path();
    const bool right = !path.empty() && path.front() == query.source &&
                       path.back() == query.target &&
                       same_cost(path_cost(graph_, path), found.cost);
    results_[method].wrong += !right;
  }
}

void Comparison::measure(const ComparisonOptions& options,
                         const std::function<void(double)>& progress) {
  for (std::size_t m = 0; m < ready_.size(); ++m) {
    results_[m].wrong = 0;
    if (options.paths) check_paths(m);
    if (options.fresh) results_[m].expansions = answer(m, common_, false);
  }
  std::vector<Checked> fresh;  // [passes · methods]
  if (options.fresh) {
    const std::size_t sets = ready_.size() * static_cast<std::size_t>(options.passes);
    for (std::size_t k = 0; k < sets; ++k) {
      const Rng rng(mix64(mix64(options.seed) + k + 1));
      std::vector<Query> pairs = reachable_pairs(graph_, query_count(), rng);
      fresh.push_back(options.first_is_reference ? reference_of_first(std::move(pairs))
                                                 : reference(std::move(pairs)));
    }
  }
  const Times times = time_in_turns(
      ready_.size(), {.turns = options.passes},
      [&](std::size_t m, int pass) {
        if (options.fresh) {
          answer(m, fresh[static_cast<std::size_t>(pass) * ready_.size() + m], options.paths);
        } else {
          results_[m].expansions = answer(m, common_, options.paths);
        }
      },
      progress);
  for (std::size_t m = 0; m < ready_.size(); ++m) {
    results_[m].seconds = median(times[m]) / static_cast<double>(query_count());
  }
}

CostsAndPaths measure_costs_and_paths(Comparison& comparison, int passes) {
  ComparisonOptions options{.passes = passes, .fresh = true, .first_is_reference = true};
  CostsAndPaths measured;
  comparison.measure(options);
  measured.costs = comparison.results();
  options.paths = true;
  options.seed = 2;
  comparison.measure(options);
  measured.paths = comparison.results();
  return measured;
}

const MethodResult* Comparison::find(const std::string& id) const {
  const auto found = std::find_if(results_.begin(), results_.end(),
                                  [&](const MethodResult& result) { return result.id == id; });
  return found == results_.end() ? nullptr : &*found;
}

const MethodResult* Comparison::best_of(const std::vector<std::string>& ids) const {
  const MethodResult* best = nullptr;
  for (const std::string& id : ids) {
    const MethodResult* one = find(id);
    if (one != nullptr && (best == nullptr || one->expansions < best->expansions)) best = one;
  }
  return best;
}

}  // namespace lodestar::bench
