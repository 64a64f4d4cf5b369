// How near learned potentials are to one constant: y as it is against "c at the target, 0
// elsewhere" with c the mean of y(t) - y(v) over the other nodes of the same graph.
//
//   build/bench/near_constant paper                          # the default model, test graphs
//   build/bench/near_constant runs/a/model.safetensors runs/b/model.safetensors --count 128
//
// A Markdown row for each size and density, means over the models: c; the standard deviation of
// y(t) - y(v) within a graph; its correlation with the distance to the target; iterations and path
// length of A* (the paper's: no pruning) with y, and with the constant in its place.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "learn/evaluate/splits.h"
#include "lodestar/infer.h"
#include "lodestar/search.h"
#include "model_arguments.h"

namespace {

using namespace lodestar;

struct Sums {
  double graphs = 0, constant = 0, deviation = 0, correlation = 0;
  double iterations = 0, excess = 0, flat_iterations = 0, flat_excess = 0, dijkstra = 0;
};

void measure(const Instance& instance, const Model& model, Sums& sums) {
  const Graph& graph = instance.graph;
  const Query query = instance.query;
  const NodeId n = graph.node_count();
  Searcher searcher(graph);
  const PotentialNet net(model, graph);
  PotentialNet::Workspace work(net);
  std::vector<double> y(n);
  net.potentials(query, work, y);
  searcher.set_direction(Direction::kBackward);
  searcher.run_all(query.target);
  double count = 0, sum_h = 0, sum_d = 0, hh = 0, dd = 0, hd = 0;
  for (NodeId v = 0; v < n; ++v) {
    if (v == query.target || searcher.distance(v) == kInfinity) continue;
    const double h = y[query.target] - y[v], d = searcher.distance(v);
    ++count, sum_h += h, sum_d += d, hh += h * h, dd += d * d, hd += h * d;
  }
  searcher.set_direction(Direction::kForward);
  const double mean = sum_h / count;
  const double variance_h = std::max(0.0, hh / count - mean * mean),
               variance_d = std::max(0.0, dd / count - sum_d * sum_d / count / count);
  sums.constant += mean;
  sums.deviation += std::sqrt(variance_h);
  if (variance_h > 0 && variance_d > 0) {
    sums.correlation +=
        (hd / count - mean * sum_d / count) / std::sqrt(variance_h) / std::sqrt(variance_d);
  }
  const SearchOptions options{
      .reopen = Reopen::kAlways, .prune = false, .max_expansions = std::uint64_t{50} * n};
  const SearchResult truth = searcher.run(query, Zero{});
  const auto excess = [&](const SearchResult& found) {
    return truth.cost > 0 ? 100 * (found.cost - truth.cost) / truth.cost : 0;
  };
  const SearchResult found = searcher.run(query, PotentialHeuristic(y, query.target), options);
  std::vector<double> flat(n, 0);
  flat[query.target] = mean;
  const SearchResult constant =
      searcher.run(query, PotentialHeuristic(flat, query.target), options);
  ++sums.graphs;
  sums.dijkstra += static_cast<double>(truth.expansions);
  sums.iterations += static_cast<double>(found.expansions);
  sums.excess += excess(found);
  sums.flat_iterations += static_cast<double>(constant.expansions);
  sums.flat_excess += excess(constant);
}

}  // namespace

int main(int argc, char** argv) try {
  std::uint32_t count = 64;
  bench::ModelArguments arguments("bench/near_constant.cpp");
  arguments.take("--count", count);
  arguments.parse(argc, argv, "paper");
  const std::vector<Model> models = arguments.load();
  std::printf(
      "| graphs | nodes | c | deviation of y(t) − y(v) | correlation with the distance | "
      "iterations "
      "| the constant's | path too long, %% | the constant's, %% | Dijkstra |\n"
      "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (Split split : paper_test_splits(Draw::kOr)) {
    if (split.nodes != 32 && split.nodes != 96 && split.nodes != 192 && split.nodes != 256)
      continue;
    split.count = std::min(split.count, count);
    Sums sums;
    for (std::uint32_t i = 0; i < split.count; ++i) {
      const Instance instance = draw_instance(split, i);
      for (const Model& model : models) measure(instance, model, sums);
    }
    const double g = sums.graphs;
    std::printf("| %s | %u | %.3f | %.3f | %.2f | %.1f | %.1f | %.2f | %.2f | %.1f |\n",
                to_string(split.density).c_str(), split.nodes, sums.constant / g,
                sums.deviation / g, sums.correlation / g, sums.iterations / g,
                sums.flat_iterations / g, sums.excess / g, sums.flat_excess / g, sums.dijkstra / g);
    std::fflush(stdout);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "near_constant: %s\n", error.what());
  return 2;
}
