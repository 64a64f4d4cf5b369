// `lodestar bench static`: one graph, many queries. Learned potentials beside Dijkstra,
// bidirectional search, geometry and ALT landmarks with the same memory.
#include "bench_static.h"

#include <filesystem>

#include "bench/harness/method.h"
#include "bench/harness/queries.h"
#include "lodestar/rng.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {

namespace {

std::string method_ids() {
  std::string ids;
  for (const bench::Method& method : bench::all_methods()) {
    ids += (ids.empty() ? "" : ", ") + method.id;
  }
  return ids;
}

int run_bench_static(BenchStaticOptions& options) {
  GraphFile file = read_graph_with_notes(options.graph, options.read);
  BenchStatic bench{options, file.graph, {}, file.notes};
  options.fit.seed = options.seed;
  if (!options.potentials_file.empty()) {
    // All methods are compared at the memory of the file.
    options.fit.potential_count = Potentials::load(options.potentials_file).count();
  }
  if (!options.folder.empty()) std::filesystem::create_directories(options.folder);
  if (options.queries.empty()) {
    // Another seed than that of training, so that both share queries only by chance.
    bench.queries =
        bench::reachable_pairs(bench.graph, options.count, Rng(mix64(mix64(options.seed + 1))));
  } else {
    // Every other query of the log is trained on, the rest measured.
    options.fit.kind = QueryKind::kLog;
    bool measured = false;
    for (const QueryLine& line : read_queries(options.queries, file).lines) {
      (measured ? bench.queries : options.fit.log).push_back(line.query);
      measured = !measured;
    }
    if (bench.queries.size() > options.count) bench.queries.resize(options.count);
  }
  const bool memory = options.memory || !options.bytes.empty();
  if (memory) draw_against_memory(bench);
  if (options.ranks) draw_against_rank(bench);
  return memory || options.ranks ? 0 : show_static_table(bench);
}

}  // namespace

void add_bench_static(Verb& bench) {
  auto [verb, options] = bench.verb<BenchStaticOptions>(
      "static", "Compare index, potentials and ALT on one graph, many queries", run_bench_static);
  verb.option("graph", options.graph, "Graph file, any format").required();
  verb.option("-k,--per-node", options.fit.potential_count, "Potentials per node, of all methods")
      .check(CLI::Range(1, 4096))
      .excludes("--potentials", "--memory-curve");
  verb.option("--seconds", options.time.seconds, "Training time in seconds")
      .excludes("--rounds", "--potentials");
  verb.option("--rounds", options.time.rounds, "Training rounds instead of a time")
      .default_text("")
      .excludes("--potentials");
  verb.flag("--processor-time", options.time.processor,
            "Measure the training time in processor seconds, for a busy machine")
      .excludes("--rounds", "--potentials");
  verb.option("--potentials", options.potentials_file,
              "Potentials made by `lodestar fit` (.lsp), to use instead of training");
  verb.option("--queries", options.queries,
              "Query log: every second query is used for training, the others are measured");
  verb.option("--count", options.count, "Queries to measure");
  verb.option("--passes", options.passes, "Passes; times are their medians")
      .check(CLI::Range(1, 1000));
  verb.threads(options.fit.threads, "Worker threads of the training").excludes("--potentials");
  verb.option("--seed", options.seed, "Seed of all random choices");
  verb.option("-o,--output", options.folder, "Folder for static.md, static.json and the figures");
  verb.flag("--quick", options.quick, "Measure only ALT farthest, ALT avoid and learned")
      .excludes("--memory-curve", "--rank-curve", "--methods");
  verb.option("--methods", options.methods,
              "Methods to measure, separated by commas: " + method_ids())
      .comma_separated()
      .default_text("the usual ones");
  verb.flag("--fresh", options.fresh,
            "Measure times on other queries for every method and pass, so that caches are cold");
  verb.flag("--paths", options.paths, "Include the path in the times, and check every path");
  verb.flag("--memory-curve", options.memory,
            "Instead of the table: expansions against memory, 4 to 64 potentials per node")
      .excludes("--potentials");
  verb.option("--bytes", options.bytes,
              "Instead of the table: expansions at these bytes per node, separated by commas, and "
              "relative to ALT farthest with the same memory")
      .comma_separated()
      .check(CLI::Range(4, 16384))
      .default_text("")
      .excludes("--potentials", "--memory-curve", "--per-node");
  verb.flag("--rank-curve", options.ranks,
            "Instead of the table: expansions against Dijkstra rank");
  verb.flag("--json", options.json, "Print the comparison as one JSON object")
      .excludes("--memory-curve", "--rank-curve");
  add_reading_options(verb, options.read);
  verb.footer(R"(Ratios are against the better of ALT farthest and ALT avoid with the same memory.

Example:
  lodestar generate road -n 65000 -o roads.lsg
  lodestar bench static roads.lsg --seconds 10
  lodestar bench static roads.lsg --seconds 10 --rank-curve --memory-curve -o figures
  lodestar bench static roads.lsg --seconds 10 --bytes 32,64,128)");
}

}  // namespace lodestar::cli
