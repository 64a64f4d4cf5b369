#include "learn/evaluate/row.h"

namespace lodestar::evaluate {
namespace {

template <class Get>
std::vector<std::vector<double>> pick(const std::vector<const Samples*>& trials, Get&& get) {
  std::vector<std::vector<double>> values;
  for (const Samples* samples : trials) {
    std::vector<double>& one = values.emplace_back();
    for (const Sample& sample : *samples) one.push_back(get(sample));
  }
  return values;
}

// When none of n graphs has a path that is too long, the share of such graphs may still be 3/n,
// with 95 % confidence (the rule of three). The bootstrap cannot show this,
// because it only repeats the sample.
constexpr double kRuleOfThree = 3;
constexpr double kLongPath = 10;  // by how many percent a rare long path is taken to be too long

void bound_unseen(std::size_t graphs, bench::Estimate& distance) {
  const double most = kLongPath * kRuleOfThree / static_cast<double>(graphs);
  distance.high = most;
  distance.deviation = most / 2;
}

}  // namespace

Row make_row(const Split& split, const Method& method, const std::vector<const Samples*>& trials) {
  Row row;
  row.split = split;
  row.method = method.name;
  row.trials = trials.size();
  row.scale = method.scale;
  row.potential = method.source != Source::kBidirectional;
  const double loops = split.nodes;
  const auto of = [&](auto&& get) { return bench::estimate(pick(trials, get)); };
  row.constraints = of([&](const Sample& s) { return 100 * (1 - s.violated / (s.arcs + loops)); });
  row.arc_constraints = of([](const Sample& s) { return 100 * (1 - s.violated / s.arcs); });
  row.accuracy = of([](const Sample& s) { return s.distance == 0 ? 100.0 : 0.0; });
  row.distance = of([](const Sample& s) { return 100 * s.distance; });
  const bool proven = method.close || method.consistent() || !row.potential;
  if (row.distance.mean == 0 && !proven) bound_unseen(trials.front()->size(), row.distance);
  row.iterations = of([](const Sample& s) { return s.iterations; });
  row.dijkstra = of([](const Sample& s) { return s.dijkstra; });
  row.closed = of([](const Sample& s) { return s.closed; });
  row.reopened = of([](const Sample& s) { return s.reopened; });
  row.gap = of([](const Sample& s) { return 100 * s.gap; });
  row.ratio =
      bench::estimate(pick(trials, [](const Sample& s) { return s.iterations; }),
                      pick({trials.front()}, [](const Sample& s) { return s.dijkstra; }).front());
  const auto per_path = pick(trials, [](const Sample& s) { return s.iterations / s.path; });
  row.per_path = bench::estimate(per_path);
  std::vector<double> queries;
  for (const auto& trial : per_path) queries.insert(queries.end(), trial.begin(), trial.end());
  row.per_path_p99 = bench::quantile(queries, 0.99);
  row.per_path_worst = bench::quantile(queries, 1);
  const auto seconds = [&](auto&& get) {
    std::vector<double> all;
    for (const auto& trial : pick(trials, get)) all.insert(all.end(), trial.begin(), trial.end());
    return bench::median(std::move(all));
  };
  row.seconds.preparation = seconds([](const Sample& s) { return s.preparation_seconds; });
  row.seconds.heuristic = seconds([](const Sample& s) { return s.heuristic_seconds; });
  row.seconds.closure = seconds([](const Sample& s) { return s.closure_seconds; });
  row.seconds.search = seconds([](const Sample& s) { return s.search_seconds; });
  row.seconds.dijkstra = seconds([](const Sample& s) { return s.dijkstra_seconds; });
  return row;
}

Row make_paired_row(const Split& split, const std::string& name,
                    const std::vector<const Samples*>& trials,
                    const std::vector<const Samples*>& others) {
  Row row;
  row.split = split;
  row.method = name;
  row.trials = std::min(trials.size(), others.size());
  std::vector<std::vector<double>> iterations, distance;
  std::vector<double> dijkstra;
  for (const Sample& sample : *trials.front()) dijkstra.push_back(sample.dijkstra);
  for (std::size_t i = 0; i < row.trials; ++i) {
    iterations.emplace_back();
    distance.emplace_back();
    for (std::size_t g = 0; g < dijkstra.size(); ++g) {
      const Sample &a = (*trials[i])[g], &b = (*others[i])[g];
      iterations.back().push_back(a.iterations - b.iterations);
      distance.back().push_back(100 * (a.distance - b.distance));
    }
  }
  row.iterations = bench::estimate(iterations);
  row.distance = bench::estimate(distance);
  row.ratio = bench::estimate(iterations, dijkstra);
  return row;
}

double Row::break_even_seconds() const {
  const double spent = seconds.preparation + seconds.heuristic + seconds.closure;
  const double saved = dijkstra.mean - iterations.mean;
  if (spent == 0) return 0;
  return saved > 0 ? spent / saved : kInfinity;
}

}  // namespace lodestar::evaluate
