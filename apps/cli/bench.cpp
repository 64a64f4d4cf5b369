// `lodestar bench`: a fixed suite, one signature that depends on behaviour alone, then speeds as
// ratios to Dijkstra. With --graph, the same table for one graph.
//
// The signature is the number of nodes expanded and a hash of every answer: cost, bound, effort
// and path. It is the same for any compiler, machine and build type; a change of it is a change
// of behaviour, and a commit that changes it says so.
#include <fmt/core.h>

#include <bit>
#include <memory>

#include "bench/harness/queries.h"
#include "bench/harness/statistics.h"
#include "bench/harness/table.h"
#include "bench/harness/turns.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/router.h"
#include "lodestar/version.h"
#include "progress.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct BenchOptions {
  std::string graph;
  std::size_t count = 100;
  std::uint64_t seed = 1;
  bool signature_only = false;
  ReadOptions read;
};

struct Suite {
  std::string name;
  Graph graph;
  std::vector<Query> queries;
};

struct Entry {
  std::string label;
  RouterOptions options;
  bool needs_coordinates = false;
};

std::vector<Entry> entries() {
  std::vector<Entry> list;
  const auto add = [&](std::string label, std::string algorithm, std::string heuristic = "zero",
                       double bound = 0) {
    RouterOptions options;
    options.algorithm = std::move(algorithm);
    options.heuristic = std::move(heuristic);
    options.bound = bound;
    list.push_back({std::move(label), options, options.heuristic == "geometric"});
  };
  add("dijkstra", "dijkstra");
  add("bidirectional, textbook", "bidirectional-textbook");
  add("bidirectional, look-ahead", "bidirectional");
  add("… on weight-sorted arcs", "bidirectional-sorted");
  add("… within 5 %", "bidirectional", "zero", 0.05);
  add("A*, geometric", "astar", "geometric");
  add("bidirectional A*, geometric", "bidirectional-astar", "geometric");
  add("weighted A* ×1.5, geometric", "weighted", "geometric");
  add("focal within 5 %, geometric", "focal", "geometric", 0.05);
  add("greedy, geometric", "greedy", "geometric");
  return list;
}

std::vector<Suite> embedded_suite() {
  std::vector<Suite> suite;
  const auto add = [&](std::string name, GraphSpec spec, std::uint32_t queries) {
    spec.seed = 7;
    Graph graph = generate(spec);
    std::vector<Query> list = bench::any_pairs(graph, queries, Rng(11));
    suite.push_back({std::move(name), std::move(graph), std::move(list)});
  };
  GraphSpec spec;
  spec.nodes = 256;
  spec.density = Density::kVeryDense;
  spec.draw = Draw::kDirected;
  add("very dense, directed, 256 nodes", spec, 200);
  spec.nodes = 2048;
  spec.density = Density::kSparse;
  spec.draw = Draw::kOr;
  add("sparse, undirected, 2048 nodes", spec, 100);
  spec.family = Family::kGrid;
  spec.nodes = 10'000;
  add("grid with obstacles, 10 000 cells", spec, 50);
  spec.family = Family::kGeometric;
  add("random geometric, 10 000 nodes", spec, 50);
  spec.family = Family::kRoad;
  spec.nodes = 16'384;
  add("road-like, 16 384 nodes", spec, 50);
  return suite;
}

class Signature {
 public:
  void add(const SearchResult& found, const std::vector<NodeId>& path) {
    expansions_ += found.expansions;
    for (const std::uint64_t part :
         {std::bit_cast<std::uint64_t>(found.cost), std::bit_cast<std::uint64_t>(found.lower_bound),
          found.expansions, found.reopened, found.pushes}) {
      hash_ = mix64(hash_ ^ part);
    }
    for (const NodeId v : path) hash_ = mix64(hash_ ^ v);
  }
  std::string text() const { return fmt::format("{}-{:016x}", expansions_, hash_); }

 private:
  std::uint64_t expansions_ = 0;
  std::uint64_t hash_ = 0;
};

// Runs every algorithm that fits the graph and adds its answers to the signature. The table shows
// medians over rounds in which the algorithms take turns.
void run_suite(const Suite& suite, Signature& signature, bool timed) {
  struct Running {
    std::string label;
    Router::Lease router;
    double expansions = 0;
    double excess = 0;  // mean cost above the optimum
  };
  std::vector<Running> running;
  for (const Entry& entry : entries()) {
    if (entry.needs_coordinates && !suite.graph.has_coordinates()) continue;
    running.push_back({entry.label, Router(suite.graph, entry.options).lease()});
  }
  const double count = static_cast<double>(suite.queries.size());
  for (const Query& query : suite.queries) {
    Cost truth = 0;
    for (Running& one : running) {
      const SearchResult found = one.router.run(query);
      signature.add(found, one.router.path());
      if (&one == running.data()) truth = found.cost;
      one.expansions += static_cast<double>(found.expansions) / count;
      if (truth > 0 && truth < kInfinity) one.excess += (found.cost / truth - 1) / count;
    }
  }
  if (!timed) return;

  constexpr int kRounds = 7;
  Progress progress(suite.name);
  const bench::Times times = bench::time_in_turns(
      running.size(), {.turns = kRounds},
      [&](std::size_t i, int) {
        for (const Query& query : suite.queries) running[i].router.run(query);
      },
      [&](double share) { progress.update(share); });
  const double own = bench::median(times.front());
  Table table({suite.name, "expansions", "time/query", "Dijkstra ÷ it", "above optimum"});
  for (std::size_t i = 0; i < running.size(); ++i) {
    const Running& one = running[i];
    const double time = bench::median(times[i]);
    table.add({one.label, fmt::format("{:.1f}", one.expansions), format_seconds(time / count),
               fmt::format("{:.2f}×", own / time), fmt::format("{:.2f} %", 100 * one.excess)});
  }
  fmt::print("\n{}", table.text());
}

int run_bench(const BenchOptions& options) {
  Signature signature;
  if (!options.graph.empty()) {
    const GraphFile file = read_graph_with_notes(options.graph, options.read);
    run_suite(
        {options.graph, file.graph, bench::any_pairs(file.graph, options.count, Rng(options.seed))},
        signature, true);
    return 0;
  }
  fmt::print("lodestar {} ({}, {})\n", kVersion, kCommit, kCompiler);
  const std::vector<Suite> suites = embedded_suite();
  for (const Suite& suite : suites) run_suite(suite, signature, false);
  fmt::print("signature {}\n", signature.text());
  if (options.signature_only) return 0;
  for (const Suite& suite : suites) {
    Signature unused;
    run_suite(suite, unused, true);
  }
  return 0;
}

}  // namespace

void add_bench(Verb& program) {
  auto options = std::make_shared<BenchOptions>();
  Verb& verb = program.verb("bench", "Compare the algorithms on a fixed suite, or on one graph",
                            kCheckVerbs);
  verb.option("--graph", options->graph, "Graph file to use instead of the suite")
      .excludes("--signature", "static", "traffic", "matrix");
  verb.option("--count", options->count, "Random queries to measure")
      .check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
      .needs("--graph");
  verb.option("--seed", options->seed, "Seed of the random queries").needs("--graph");
  verb.flag("--signature", options->signature_only, "Print the signature and stop")
      .excludes("static", "traffic", "matrix");
  for (Option& option : add_reading_options(verb, options->read)) option.needs("--graph");
  add_bench_static(verb);
  add_bench_traffic(verb);
  add_bench_requests(verb);
  add_bench_matrix(verb);
  verb.app().require_subcommand(0, 1);
  verb.footer(R"(Examples:
  lodestar bench
  lodestar bench --graph roads.lsg --count 200)");
  verb.run([options, &verb] {
    return verb.app().get_subcommands().empty() ? run_bench(*options) : verb.status();
  });
}

}  // namespace lodestar::cli
