// routingkit: our methods beside RoutingKit's CH and CCH, in one process, in turns, on fresh random
// pairs, every answer and every path checked.
//
//   build/bench/routingkit [--methods ch,core] [--passes 5] [--count 1000] [--rounds 40] [--time 5]
//                          [--ranks] [--peers ch,cch] GRAPH…
//   build/bench/routingkit --traffic random|clustered|rush-hour [--methods core] … GRAPH…
//
// Prints a Markdown table per graph; ratios are against the best of RoutingKit's. Times are
// processor times. Fresh pairs are judged by RoutingKit's CH (without it by its CCH), which search
// from both ends has checked on common ones. --ranks adds a table of local queries, by Dijkstra
// rank. RoutingKit takes whole numbers, so a graph of fractions is first multiplied by a power of
// ten and rounded, for all methods alike. --traffic multiplies one in ten weights by three and
// tells when each method is exact again, and how fast it then is.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>

#include "bench/harness/comparison.h"
#include "bench/harness/method.h"
#include "bench/harness/queries.h"
#include "lodestar/graph_io.h"
#include "lodestar/version.h"
#include "peer.h"
#include "traffic.h"

namespace {

using namespace lodestar;

struct Options {
  std::vector<std::string> methods = {"ch", "cch", "ch-potentials", "core-alt", "core", "labels"};
  int passes = 5;
  std::size_t count = 1000;
  double seconds = 5;         // of training of a table
  std::uint64_t rounds = 40;  // … and of a core
  bool ranks = false;
  std::string traffic;  // the kind of change, if there is one
  std::string peers = "ch,cch";
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
  constexpr double kMostScale = 1e5;
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

struct Taker {
  eval::Method method;
  eval::ReadyMethod ready;
};

// Microseconds by rank: the target is the 2^k-th node that Dijkstra settles. Pairs are asked again
// in every pass, so these times are those of warm caches.
std::size_t show_ranks(const Graph& graph, const std::vector<Taker>& takers, int passes) {
  std::vector<std::string> rows(takers.size());
  std::string head = "| µs at Dijkstra rank |", line = "|:--|";
  std::size_t wrong = 0;
  for (int exponent = 6; exponent <= 20; exponent += 2) {
    std::vector<Query> pairs = eval::rank_pairs(graph, exponent, 200, Rng(5));
    if (pairs.empty()) break;
    eval::Comparison comparison(graph, std::move(pairs));
    for (const Taker& taker : takers) comparison.add(taker.method, taker.ready);
    comparison.measure({.passes = passes});
    head += " 2^" + std::to_string(exponent) + " |";
    line += "--:|";
    for (std::size_t m = 0; m < takers.size(); ++m) {
      char cell[32];
      std::snprintf(cell, sizeof cell, " %.2f |", 1e6 * comparison.results()[m].seconds);
      rows[m] += cell;
      wrong += comparison.results()[m].wrong;
    }
  }
  std::printf("\n%s\n%s\n", head.c_str(), line.c_str());
  for (std::size_t m = 0; m < takers.size(); ++m) {
    std::printf("| %s |%s\n", takers[m].method.name.c_str(), rows[m].c_str());
  }
  return wrong;
}

std::size_t run(const std::string& file, const Options& options) {
  double scale = 1;
  const Graph graph = in_whole_numbers(read_graph(file).graph, scale);
  eval::WorkshopOptions how;
  how.time.seconds = options.seconds;
  how.index_rounds = options.rounds;
  eval::Workshop workshop(graph, how);
  eval::Comparison comparison(graph, eval::reachable_pairs(graph, options.count, Rng(99)));
  std::vector<eval::Method> methods;
  for (const eval::Method& peer : {bench::routingkit_ch(), bench::routingkit_cch()}) {
    // "ch" is a part of "cch": a comma before and behind tells them apart.
    const std::string id = "," + peer.id.substr(std::string("routingkit-").size()) + ",";
    if (("," + options.peers + ",").find(id) != std::string::npos) methods.push_back(peer);
  }
  for (const eval::Method* method : eval::choose_methods(options.methods)) {
    methods.push_back(*method);
  }
  std::vector<Taker> takers;
  for (const eval::Method& method : methods) {
    std::fprintf(stderr, "%s: preparing %s\n", file.c_str(), method.name.c_str());
    if (auto ready = eval::prepare_timed(method, workshop)) {
      takers.push_back({method, *ready});
      comparison.add(method, std::move(*ready));
    }
  }
  eval::ComparisonOptions measuring;
  measuring.passes = options.passes;
  measuring.fresh = true;
  measuring.first_judges = true;
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
  std::printf("\n**%s**: %u nodes, %zu arcs, weights times %g, %.0f nodes on a path\n\n",
              std::filesystem::path(file).stem().c_str(), graph.node_count(), graph.arc_count(),
              scale, comparison.path_nodes());
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
  if (options.ranks) wrong += show_ranks(graph, takers, options.passes);
  std::fflush(stdout);
  return wrong;
}

std::size_t change(const std::string& file, const Options& options) {
  double scale = 1;
  const Graph graph = in_whole_numbers(read_graph(file).graph, scale);
  std::printf("\n**%s**, %s traffic: %u nodes, weights times %g\n\n",
              std::filesystem::path(file).stem().c_str(), options.traffic.c_str(),
              graph.node_count(), scale);
  bench::TrafficRun run;
  run.kind = eval::parse_traffic_kind(options.traffic);
  run.methods = options.methods;
  run.count = options.count;
  run.passes = options.passes;
  return bench::show_traffic(graph, run);
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
    } else if (argument == "--rounds") {
      options.rounds = std::stoull(value());
    } else if (argument == "--ranks") {
      options.ranks = true;
    } else if (argument == "--peers") {
      options.peers = value();
    } else if (argument == "--traffic") {
      options.traffic = value();
    } else if (argument == "--time") {
      options.seconds = std::stod(value());
    } else {
      options.graphs.push_back(argument);
    }
  }
  if (options.graphs.empty()) {
    throw Error(
        "usage: routingkit [--methods A,B] [--passes N] [--count N] [--rounds N] [--time S] "
        "[--ranks] [--peers ch,cch] [--traffic KIND] GRAPH…");
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    std::printf("lodestar %s (%s, %s)\n", kVersion, kCommit, kCompiler);
    std::size_t wrong = 0;
    for (const std::string& graph : options.graphs) {
      wrong += options.traffic.empty() ? run(graph, options) : change(graph, options);
    }
    return wrong == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "routingkit: %s\n", error.what());
    return 2;
  }
}
