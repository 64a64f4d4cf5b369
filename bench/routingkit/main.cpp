// routingkit: our methods beside RoutingKit's CH and CCH, in one process, in turns, on fresh random
// pairs, every answer and every path checked.
//
//   build/bench/routingkit [--methods ch,cch,core] [--passes 5] [--count 1000] [--time 5] GRAPH…
//
// Prints a Markdown table per graph; ratios are against the best of RoutingKit's. RoutingKit takes
// whole numbers, so a graph of fractions is first multiplied by a power of ten and rounded, for all
// methods alike.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>

#include "eval/comparison.h"
#include "eval/method.h"
#include "eval/queries.h"
#include "lodestar/graph_io.h"
#include "lodestar/version.h"
#include "peer.h"

namespace {

using namespace lodestar;

struct Options {
  std::vector<std::string> methods = {"ch", "cch", "ch-potentials", "core-alt", "core"};
  int passes = 5;
  std::size_t count = 1000;
  double seconds = 5;  // of training, where a method trains
  std::vector<std::string> graphs;
};

bool whole(const Graph& graph, double scale) {
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      const double scaled = arc.weight * scale;
      if (std::abs(scaled - std::round(scaled)) > 1e-6 * scaled) return false;
    }
  }
  return true;
}

// The graph in whole numbers; `scale` is what its weights were multiplied with.
Graph in_whole_numbers(const Graph& graph, double& scale) {
  constexpr double kMostScale = 1e6;
  for (scale = 1; scale < kMostScale && !whole(graph, scale);) scale *= 10;
  if (scale == 1) return graph;
  GraphBuilder builder(graph.node_count());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      builder.add_arc(u, arc.head, std::round(arc.weight * scale));
    }
  }
  if (graph.has_coordinates()) {
    builder.set_points(graph.coordinate_kind(), {graph.points().begin(), graph.points().end()});
  }
  return builder.build();
}

std::size_t run(const std::string& file, const Options& options) {
  double scale = 1;
  const Graph graph = in_whole_numbers(read_graph(file).graph, scale);
  eval::WorkshopOptions how;
  how.time.seconds = options.seconds;
  eval::Workshop workshop(graph, how);
  eval::Comparison comparison(graph, eval::reachable_pairs(graph, options.count, Rng(99)));
  std::vector<eval::Method> methods = {bench::routingkit_ch(), bench::routingkit_cch()};
  for (const eval::Method* method : eval::choose_methods(options.methods)) {
    methods.push_back(*method);
  }
  for (const eval::Method& method : methods) {
    std::fprintf(stderr, "%s: preparing %s\n", file.c_str(), method.name.c_str());
    if (auto ready = eval::prepare_timed(method, workshop)) {
      comparison.add(method, std::move(*ready));
    }
  }
  eval::ComparisonOptions measuring;
  measuring.passes = options.passes;
  measuring.fresh = true;
  comparison.measure(measuring);
  const std::vector<eval::MethodResult> costs = comparison.results();
  measuring.paths = true;
  measuring.seed = 2;
  comparison.measure(measuring);
  const std::vector<eval::MethodResult>& paths = comparison.results();

  double best = 0, best_path = 0;
  for (std::size_t m = 0; m < costs.size(); ++m) {
    if (!costs[m].id.starts_with("routingkit")) continue;
    best = best == 0 ? costs[m].seconds : std::min(best, costs[m].seconds);
    best_path = best_path == 0 ? paths[m].seconds : std::min(best_path, paths[m].seconds);
  }
  std::printf("\n%s: %u nodes, %zu arcs, weights times %g, %.0f nodes on a path\n\n", file.c_str(),
              graph.node_count(), graph.arc_count(), scale, comparison.path_nodes());
  std::printf(
      "| method | bytes per node | preparation s | expansions | µs | RoutingKit ÷ it | µs with "
      "path "
      "| RoutingKit ÷ it | wrong |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  std::size_t wrong = 0;
  for (std::size_t m = 0; m < costs.size(); ++m) {
    wrong += costs[m].wrong + paths[m].wrong;
    std::printf("| %s | %.0f | %.2f | %.0f | %.2f | %.2f | %.2f | %.2f | %zu |\n",
                costs[m].name.c_str(), static_cast<double>(costs[m].bytes) / graph.node_count(),
                costs[m].preparation_seconds, costs[m].expansions, 1e6 * costs[m].seconds,
                best / costs[m].seconds, 1e6 * paths[m].seconds, best_path / paths[m].seconds,
                costs[m].wrong + paths[m].wrong);
  }
  std::fflush(stdout);
  return wrong;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == argc) throw Error(argument + " needs a value");
      return argv[++i];
    };
    if (argument == "--methods") {
      options.methods.clear();
      std::istringstream names(value());
      for (std::string name; std::getline(names, name, ',');) options.methods.push_back(name);
    } else if (argument == "--passes") {
      options.passes = std::stoi(value());
    } else if (argument == "--count") {
      options.count = std::stoull(value());
    } else if (argument == "--time") {
      options.seconds = std::stod(value());
    } else {
      options.graphs.push_back(argument);
    }
  }
  if (options.graphs.empty()) {
    throw Error("usage: routingkit [--methods A,B] [--passes N] [--count N] [--time S] GRAPH…");
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    std::printf("lodestar %s (%s, %s)\n", kVersion, kCommit, kCompiler);
    std::size_t wrong = 0;
    for (const std::string& graph : options.graphs) wrong += run(graph, options);
    return wrong == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "routingkit: %s\n", error.what());
    return 2;
  }
}
