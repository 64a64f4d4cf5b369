// `lodestar predict`: writes a model's potentials of a graph to a file.
#include <fmt/core.h>

#include "lodestar/atomic_file.h"
#include "lodestar/certificate.h"
#include "lodestar/infer.h"
#include "lodestar/potential_file.h"
#include "model_options.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct PredictOptions {
  std::string graph;
  std::string model = "deep";
  std::string output;
  std::vector<std::string> from;
  std::vector<std::string> to;
  bool exact = false;
  NetOptions net;
  ReadOptions read;
};

// A query for each target.
std::vector<Query> queries_of(const PredictOptions& options, const GraphFile& file) {
  if (options.from.size() != 1 && options.from.size() != options.to.size()) {
    throw Error("give one --from for all targets, or one for each");
  }
  std::vector<Query> queries;
  for (std::size_t i = 0; i < options.to.size(); ++i) {
    const std::string& source = options.from[options.from.size() > 1 ? i : 0];
    queries.push_back(
        {find_node(file, options.graph, source), find_node(file, options.graph, options.to[i])});
  }
  return queries;
}

void run_predict(const PredictOptions& options) {
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
}

}  // namespace

void add_predict(Verb& program) {
  auto [verb, options] = program.verb<PredictOptions>(
      "predict", "Write a model's potentials of a graph", run_predict, kModelVerbs);
  verb.option("graph", options.graph, "Graph file, any format").required();
  verb.option("--to", options.to, "Target: the name of a node; repeatable").required();
  verb.option("--from", options.from,
              "Source: the name of a node; one for all targets, or one each")
      .required();
  verb.option("--model", options.model, kModelHelp);
  add_model_options(verb, options.net.steps, options.net.scale, options.exact);
  verb.option("-o,--output", options.output,
              "File to write. .npy: an array [targets, nodes] of doubles; otherwise text with a "
              "line per node, its name and its potentials")
      .required();
  add_reading_options(verb, options.read);
  verb.footer(R"(Examples:
  lodestar predict city.gr --from 17 --to 4711 -o y.txt
  lodestar predict city.gr --from 1 --to 4711 17 --model deep --exact -o y.npy
  lodestar certify city.gr --potentials y.txt)");
}

}  // namespace lodestar::cli
