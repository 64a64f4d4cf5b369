// starts: today's landmarks against the race of starts, at equal processor time.
//
//   build/bench/starts --seconds 20 [--seeds 3] [--starts landmarks,race] [--hashed] GRAPH…
//
// Prints one Markdown row per graph: mean expansions of 500 other queries than training's, for each
// start and seed, and how many times as many the first start needs as the last. --hashed gives
// every edge {u, v} of a graph without weights (nodes counted from 1, u < v) the weight
// 500 + mix64(2^32 u + v) mod 1001.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "lodestar/fit.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/rng.h"
#include "lodestar/search.h"
#include "lodestar/version.h"

namespace {

using namespace lodestar;

struct Options {
  double seconds = 20;
  std::uint64_t seeds = 3;
  bool hashed = false;
  std::vector<std::string> starts = {"landmarks", "race"};
  std::vector<std::string> graphs;
};

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Graph hashed(const Graph& graph) {
  GraphBuilder builder(graph.node_count());
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      const std::uint64_t low = std::min(u, arc.head) + 1ull, high = std::max(u, arc.head) + 1ull;
      builder.add_arc(u, arc.head, static_cast<double>(500 + mix64(low << 32 | high) % 1001));
    }
  }
  return builder.build();
}

double trained(const Graph& graph, const std::vector<Query>& queries, const Options& options,
               const std::string& start, std::uint64_t seed) {
  FitOptions fit;
  fit.seed = seed;
  fit.seconds = options.seconds;
  fit.start = parse_fit_start(start);
  const double begin = processor_seconds();
  const auto stop = [&] { return processor_seconds() - begin >= options.seconds; };
  Fitter fitter(graph, fit);
  while (!stop()) fitter.round(stop);
  Searcher searcher(graph);
  double expansions = 0;
  for (const Query& query : queries) {
    expansions +=
        static_cast<double>(searcher.run(query, fitter.potentials().to(query.target)).expansions);
  }
  return expansions / static_cast<double>(queries.size());
}

void run(const std::string& file, const Options& options) {
  Graph graph = read_graph(file).graph;
  if (options.hashed) graph = hashed(graph);
  constexpr int kQueries = 500;
  constexpr std::uint64_t kQuerySeed = 777;
  Searcher searcher(graph);
  Rng rng(mix64(kQuerySeed));
  std::vector<Query> queries;
  for (int i = 0; i < kQueries; ++i) queries.push_back(random_reachable_query(searcher, rng));
  std::printf("| %s | %u | %g |", std::filesystem::path(file).filename().c_str(),
              graph.node_count(), options.seconds);
  double first = 0, last = 0;
  for (const std::string& start : options.starts) {
    last = 0;
    for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) {
      const double expansions = trained(graph, queries, options, start, seed);
      last += expansions;
      std::printf("%s %.0f", seed == 1 ? "" : ",", expansions);
      std::fflush(stdout);
    }
    if (first == 0) first = last;
    std::printf(" |");
  }
  std::printf(" %.2f× |\n", first / last);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Starts of training against each other, at equal processor time");
  app.add_option("--seconds", options.seconds, "Processor seconds of each training");
  app.add_option("--seeds", options.seeds, "Trainings of each start");
  app.add_option("--starts", options.starts, "Names, separated by commas")->delimiter(',');
  app.add_flag("--hashed", options.hashed, "Weights by a rule, for graphs without");
  app.add_option("graphs", options.graphs, "Graph files")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    std::printf("lodestar %s (%s, %s)\n\n| graph | nodes | processor seconds |", kVersion, kCommit,
                kCompiler);
    for (const std::string& start : options.starts) std::printf(" %s |", start.c_str());
    std::printf(" fewer |\n|:--|--:|--:|");
    for (std::size_t i = 0; i < options.starts.size(); ++i) std::printf("--:|");
    std::printf("--:|\n");
    for (const std::string& graph : options.graphs) run(graph, options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "starts: %s\n", error.what());
    return 2;
  }
}
