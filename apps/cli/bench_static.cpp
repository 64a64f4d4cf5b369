// `lodestar bench static`: one graph, many queries. Learned potentials beside Dijkstra, search from
// both ends, geometry and ALT landmarks at equal memory.
#include "bench_static.h"

#include <fmt/core.h>

#include <filesystem>

#include "bench/harness/method.h"
#include "bench/harness/queries.h"
#include "lodestar/rng.h"
#include "notes.h"
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
    if (options.memory) throw Error("--memory trains tables of many sizes; leave out --potentials");
    // All tables are compared at the memory of the one given.
    options.fit.potential_count = Potentials::load(options.potentials_file).count();
  }
  if (!options.folder.empty()) std::filesystem::create_directories(options.folder);
  if (options.queries.empty()) {
    // Another seed than training's: no query is trained on but by chance.
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
  if (options.memory) draw_against_memory(bench);
  if (options.ranks) draw_against_rank(bench);
  return options.memory || options.ranks ? 0 : show_static_table(bench);
}

}  // namespace

void add_bench_static(CLI::App& bench, int* status) {
  auto options = std::make_shared<BenchStaticOptions>();
  CLI::App* app = bench.add_subcommand(
      "static", "One graph, many queries: learned potentials beside ALT and the rest");
  app->add_option("graph", options->graph, "Graph file, any format")->required();
  app->add_option("-k,--per-node", options->fit.potential_count,
                  "Potentials per node, for all methods")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app->add_option("--time", options->time.seconds, "Seconds of training")->capture_default_str();
  app->add_option("--rounds", options->time.rounds, "Rounds of training instead of a time");
  app->add_flag("--processor-time", options->time.processor,
                "Count the training's processor time, for a machine that is busy otherwise");
  app->add_option("--potentials", options->potentials_file,
                  "A fitted table instead of training (.lsp)");
  app->add_option("--queries", options->queries,
                  "Log of queries: every other one is trained on, the rest measured");
  app->add_option("--count", options->count, "Queries measured")->capture_default_str();
  app->add_option("--passes", options->passes, "Times are medians over this many passes")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--threads", options->fit.threads, "Threads of training")->capture_default_str();
  app->add_option("--seed", options->seed, "Seed of all random choices")->capture_default_str();
  app->add_option("-o,--output", options->folder, "Folder for static.md, static.json and figures");
  app->add_flag("--quick", options->quick, "Only ALT farthest, ALT avoid and learned");
  app->add_option("--methods", options->methods, "Only these, separated by commas: " + method_ids())
      ->delimiter(',')
      ->excludes("--quick");
  app->add_flag("--fresh", options->fresh,
                "Times on pairs nobody asked for before, others for every method and pass: a query "
                "asked again finds its data in the caches");
  app->add_flag("--paths", options->paths, "Times include the path; every path is checked");
  app->add_flag("--memory", options->memory, "Instead: expansions against memory, K = 4 to 64");
  app->add_flag("--ranks", options->ranks, "Instead: expansions against Dijkstra rank");
  add_reading_options(*app, options->read);
  app->add_flag("--json", options->json, "The comparison as one JSON object");
  app->add_option("--row", options->row,
                  "Print learned against ALT as one Markdown row of this name: nodes, seconds, MB, "
                  "expansions of ALT and learned, per path node, fewer, µs of both, faster, wrong, "
                  "violated");
  app->callback([options, status] { *status = run_bench_static(*options); });
}

}  // namespace lodestar::cli
