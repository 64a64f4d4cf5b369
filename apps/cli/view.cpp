// `lodestar view`: a comparison of searches as one page that needs no server.
#include <fmt/core.h>

#include <memory>

#include "apps/server/live_weights.h"
#include "apps/server/viewer_data.h"
#include "lodestar/atomic_file.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "lodestar/rng.h"
#include "lodestar/search.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct ViewOptions {
  std::string graph;
  std::string index;
  std::string output;
  std::string from;
  std::string to;
  std::vector<std::string> methods;
  std::uint64_t seed = 1;
  ReadOptions read;
};

void run_view(const ViewOptions& options) {
  require_folder_of(options.output);
  GraphFile file = read_graph_with_notes(options.graph, options.read);
  if (file.graph.node_count() == 0) throw Error(options.graph + ": there is nothing to show");
  Query query;
  if (options.from.empty()) {
    Searcher searcher(file.graph);
    Rng rng(options.seed);
    query = random_reachable_query(searcher, rng);
  } else {
    query = {find_node(file, options.graph, options.from),
             find_node(file, options.graph, options.to)};
  }
  server::LiveOptions live_options;
  live_options.build_index = false;
  live_options.refit_seconds = 0;
  if (!options.index.empty()) {
    live_options.index =
        std::make_shared<const Index>(Index::open_or_customize(options.index, file.graph).index);
  }
  const server::World world(std::move(file));
  const server::LiveWeights live(world.file, live_options);
  server::Methods methods(world.file);
  std::vector<std::string> names = options.methods;
  if (names.empty()) {
    for (const std::string_view name : methods.names(*live.now())) names.emplace_back(name);
  }
  const std::string page = server::recorded_page(world, *live.now(), methods, query, names);
  replace_file(options.output, page);
  fmt::print("{}: {} to {}, {} methods, {} kB\n", options.output,
             world.file.names.name(query.source), world.file.names.name(query.target), names.size(),
             page.size() / 1024);
}

}  // namespace

void add_view(Verb& program) {
  auto [verb, options] = program.verb<ViewOptions>(
      "view", "Write a web page that shows searches side by side", run_view, kQueryVerbs);
  verb.option("graph", options.graph, "Graph file, any format").required();
  verb.option("-o,--output", options.output, "Page to write (.html)").required();
  verb.option("--from", options.from, "Source: the name of a node")
      .default_text("random")
      .needs("--to");
  verb.option("--to", options.to, "Target: the name of a node")
      .default_text("random")
      .needs("--from");
  verb.option("--index", options.index,
              "Index built by `lodestar index` (.lsi), for the method core");
  std::string names;
  for (const server::MethodRow& row : server::kMethods) {
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  verb.option("--methods", options.methods, "Methods to show, separated by commas: " + names)
      .comma_separated()
      .default_text("all");
  verb.option("--seed", options.seed, "Seed of the random query").excludes("--from");
  add_reading_options(verb, options.read);
  verb.footer(R"(Examples:
  lodestar view roads.lsg --index roads.lsi -o roads.html
  lodestar view arena.map --from 3,4 --to 100,90 --methods dijkstra,geometric -o arena.html)");
}

}  // namespace lodestar::cli
