// `lodestar potentials`: a model's potentials as data, for whoever wants to check or use them.
#include <fmt/core.h>

#include <memory>

#include "lodestar/atomic_file.h"
#include "lodestar/certificate.h"
#include "lodestar/infer.h"
#include "lodestar/potential_file.h"
#include "notes.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct PotentialsOptions {
  std::string graph;
  std::string model = "deep";
  std::string output;
  std::vector<std::string> from;
  std::vector<std::string> to;
  bool exact = false;
  NetOptions net;
  ReadOptions read;
};

NodeId node_of(const GraphFile& file, const std::string& name) {
  const NodeId v = file.names.find(name);
  if (v >= file.graph.node_count()) throw Error("the graph has no node '" + name + "'");
  return v;
}

// A query for each target.
std::vector<Query> queries_of(const PotentialsOptions& options, const GraphFile& file) {
  if (options.from.size() != 1 && options.from.size() != options.to.size()) {
    throw Error("give one --from for all targets, or one for each");
  }
  std::vector<Query> queries;
  for (std::size_t i = 0; i < options.to.size(); ++i) {
    const std::string& source = options.from[options.from.size() > 1 ? i : 0];
    queries.push_back({node_of(file, source), node_of(file, options.to[i])});
  }
  return queries;
}

int run_potentials(const PotentialsOptions& options) {
  const GraphFile file = read_graph_with_notes(options.graph, options.read);
  const std::vector<Query> queries = queries_of(options, file);
  const PotentialNet net(load_model(options.model), file.graph, options.net);
  const NodeId n = file.graph.node_count();
  std::vector<double> y(queries.size() * n);
  net.potentials(queries, y);
  if (options.exact) {
    ExactClosure closure(file.graph);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      closure.apply(std::span(y).subspan(q * n, n), queries[q].target);
    }
  }
  replace_file(options.output, options.output.ends_with(".npy") ? potentials_npy(y, file)
                                                                : potentials_text(y, file));
  fmt::print("{}: {} × {} potentials of model {}\n", options.output, queries.size(), n,
             options.model);
  return 0;
}

}  // namespace

void add_potentials(CLI::App& program, int* status) {
  auto options = std::make_shared<PotentialsOptions>();
  CLI::App* verb = program.add_subcommand("potentials", "Write a model's potentials for a graph");
  verb->add_option("graph", options->graph, "Graph; .gz and .xz are unpacked")->required();
  verb->add_option("--to", options->to, "Target, by its name in the file; several give a row each")
      ->required();
  verb->add_option("--from", options->from, "Source: one for all targets, or one for each")
      ->required();
  verb->add_option("--model", options->model, "Preset, embedded model or file")
      ->capture_default_str();
  verb->add_option("--steps", options->net.steps, "Steps of the network; 0: the model's own");
  verb->add_option("--scale", options->net.scale, "Scale of y; 0: the model's own");
  verb->add_flag("--exact", options->exact, "Their closure: feasible, so that A* is exact");
  verb->add_option("-o,--output", options->output,
                   ".npy: an array [targets × nodes] of doubles for numpy; anything else: text, a "
                   "line for each node, its name and its potentials")
      ->required();
  add_reading_options(*verb, options->read);
  verb->callback([options, status] { *status = run_potentials(*options); });
}

}  // namespace lodestar::cli
