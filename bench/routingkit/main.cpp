// routingkit: compares Lodestar's methods with RoutingKit's CH and CCH. All run in one process and
// take turns on fresh random pairs; every answer and every path is checked.
//
//   build/bench/routingkit [--methods ch,core] [--passes 5] [--count 1000] [--rounds 40] [--seconds
//   5]
//                          [--ranks] [--peers ch,cch] GRAPH…
//   build/bench/routingkit --traffic random|clustered|rush-hour [--methods core] … GRAPH…
//   build/bench/routingkit --requests POTENTIALS [--count 20] GRAPH
//
// Prints a Markdown table per graph; ratios are relative to the best of RoutingKit's methods. Times
// are processor times. Fresh pairs are checked by RoutingKit's CH (or its CCH), which bidirectional
// search has checked on the common pairs. --ranks adds a table of local queries, by Dijkstra rank.
// RoutingKit requires whole numbers, so fractional weights are first multiplied by a power of ten
// and rounded, for all methods alike. --traffic multiplies one in ten weights by three and prints
// when each method is exact again and how fast it then is. --requests is `lodestar bench requests`
// with RoutingKit's CCH, customised for every request, whose weights are rounded to whole numbers;
// its costs are compared to 2 %.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#include "bench/harness/comparison.h"
#include "bench/harness/method.h"
#include "bench/harness/program.h"
#include "bench/harness/queries.h"
#include "bench/harness/requests.h"
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
  double seconds = 5;         // training time of potentials
  std::uint64_t rounds = 40;  // training rounds of a core
  bool ranks = false;
  std::string traffic;   // kind of weight change; empty: none
  std::string requests;  // potentials (.lsp) with knots; empty: no requests
  std::vector<std::string> peers = {"ch", "cch"};
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

struct Prepared {
  bench::Method method;
  bench::ReadyMethod ready;
};

// Microseconds by rank: the target is the 2^k-th node that Dijkstra settles. Pairs are asked again
// in every pass, so these times are those of warm caches.
std::size_t show_ranks(const Graph& graph, const std::vector<Prepared>& prepared, int passes) {
  std::vector<std::string> rows(prepared.size());
  std::string head = "| µs at Dijkstra rank |", line = "|:--|";
  std::size_t wrong = 0;
  for (int exponent = 6; exponent <= 20; exponent += 2) {
    std::vector<Query> pairs = bench::rank_pairs(graph, exponent, 200, Rng(5));
    if (pairs.empty()) break;
    bench::Comparison comparison(graph, std::move(pairs));
    for (const Prepared& one : prepared) comparison.add(one.method, one.ready);
    comparison.measure({.passes = passes});
    head += " 2^" + std::to_string(exponent) + " |";
    line += "--:|";
    for (std::size_t m = 0; m < prepared.size(); ++m) {
      char cell[32];
      std::snprintf(cell, sizeof cell, " %.2f |", 1e6 * comparison.results()[m].seconds);
      rows[m] += cell;
      wrong += comparison.results()[m].wrong;
    }
  }
  std::printf("\n%s\n%s\n", head.c_str(), line.c_str());
  for (std::size_t m = 0; m < prepared.size(); ++m) {
    std::printf("| %s |%s\n", prepared[m].method.name.c_str(), rows[m].c_str());
  }
  return wrong;
}

std::size_t run(const std::string& file, const Options& options) {
  double scale = 1;
  const Graph graph = in_whole_numbers(read_graph(file).graph, scale);
  bench::WorkshopOptions how;
  how.time.seconds = options.seconds;
  how.index_rounds = options.rounds;
  bench::Workshop workshop(graph, how);
  bench::Comparison comparison(graph, bench::reachable_pairs(graph, options.count, Rng(99)));
  std::vector<bench::Method> methods;
  for (const bench::Method& peer : {bench::routingkit_ch(), bench::routingkit_cch()}) {
    const std::string id = peer.id.substr(std::string("routingkit-").size());
    if (std::count(options.peers.begin(), options.peers.end(), id) > 0) methods.push_back(peer);
  }
  for (const bench::Method* method : bench::choose_methods(options.methods)) {
    methods.push_back(*method);
  }
  std::vector<Prepared> prepared;
  for (const bench::Method& method : methods) {
    std::fprintf(stderr, "%s: preparing %s\n", file.c_str(), method.name.c_str());
    if (auto ready = bench::prepare_timed(method, workshop)) {
      prepared.push_back({method, *ready});
      comparison.add(method, std::move(*ready));
    }
  }
  const bench::CostsAndPaths measured = bench::measure_costs_and_paths(comparison, options.passes);
  const auto& [costs, paths] = measured;

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
    wrong += measured.wrong(m);
    std::printf("| %s | %.0f | %.2f | %.0f | %.2f | %.2f | %.2f | %.2f | %zu |\n",
                costs[m].name.c_str(), static_cast<double>(costs[m].bytes) / graph.node_count(),
                costs[m].preparation_seconds, costs[m].expansions, 1e6 * costs[m].seconds,
                best / costs[m].seconds, 1e6 * paths[m].seconds, best_path / paths[m].seconds,
                measured.wrong(m));
  }
  if (options.ranks) wrong += show_ranks(graph, prepared, options.passes);
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
  run.kind = bench::parse_traffic_kind(options.traffic);
  run.methods = options.methods;
  run.count = options.count;
  run.passes = options.passes;
  return bench::show_traffic(graph, run);
}

std::size_t request(const std::string& file, const Options& options) {
  const GraphFile graph = read_graph(file);
  bench::RequestBenchOptions how;
  how.count = options.count;
  how.passes = static_cast<std::size_t>(options.passes);
  how.family_file = options.requests;
  how.customisers = {bench::routingkit_cch_traffic()};
  const bench::RequestBenchResult result =
      bench::bench_requests(graph.graph, graph.metrics, graph.shape, how, [](double, auto&) {});
  std::printf("| request | method | µs | wrong |\n|:--|:--|--:|--:|\n");
  for (const bench::RequestRow& row : result.rows) {
    std::printf("| %s | %s | %.1f | %zu |\n", row.kind.c_str(), row.method.c_str(),
                row.microseconds, row.wrong);
  }
  return result.wrong;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Lodestar's methods beside RoutingKit's", "routingkit");
  app.add_option("--methods", options.methods, "Methods of `bench static`")->delimiter(',');
  app.add_option("--peers", options.peers, "RoutingKit's methods: ch, cch or none")->delimiter(',');
  app.add_option("--passes", options.passes, "Passes over the queries");
  app.add_option("--count", options.count, "Queries per pass");
  app.add_option("--rounds", options.rounds, "Training rounds of a core");
  app.add_option("--seconds", options.seconds, "Training time of potentials");
  app.add_flag("--ranks", options.ranks, "Also measure queries by Dijkstra rank");
  app.add_option("--traffic", options.traffic, "random, clustered or rush-hour");
  app.add_option("--requests", options.requests, "Potentials (.lsp) for weights of requests");
  app.add_option("graphs", options.graphs, "Graph files")->required();
  return bench::run_program(app, argc, argv, [&] {
    std::printf("lodestar %s (%s, %s)\n", kVersion, kCommit, kCompiler);
    std::size_t wrong = 0;
    for (const std::string& graph : options.graphs) {
      wrong += !options.requests.empty() ? request(graph, options)
               : options.traffic.empty() ? run(graph, options)
                                         : change(graph, options);
    }
    return wrong == 0 ? 0 : 1;
  });
}
