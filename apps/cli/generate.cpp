// `lodestar generate`: a random graph; the same seed gives the same bytes.
#include "lodestar/generate.h"

#include <fmt/core.h>

#include "learn/evaluate/splits.h"
#include "lodestar/graph_io.h"
#include "lodestar/search.h"
#include "lodestar/trace.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct GenerateOptions {
  std::string family = "road";
  std::string density = "dense";
  std::string draw = "or";
  std::string output;
  std::string output_format;
  std::uint32_t trajectories = 0;
  GraphSpec spec;
};

// Grid cells are called "x,y", as MovingAI scenarios call them.
NodeNames cell_names(const Graph& graph) {
  std::uint32_t width = 0;
  for (const Point& p : graph.points()) {
    width = std::max(width, static_cast<std::uint32_t>(p.x) + 1);
  }
  std::vector<std::uint32_t> cells;
  cells.reserve(graph.node_count());
  for (const Point& p : graph.points()) {
    cells.push_back(static_cast<std::uint32_t>(p.y) * width + static_cast<std::uint32_t>(p.x));
  }
  return NodeNames::cells(width, std::move(cells));
}

// The steps of Dijkstra's algorithm on many graphs as numpy arrays: training data of a model.
void write_trajectory_file(const GenerateOptions& options) {
  if (options.spec.family != Family::kErdosRenyi) {
    throw Error("trajectories are written for the family er: one file holds graphs of one size");
  }
  const Split split{"",
                    options.trajectories,
                    options.spec.nodes,
                    options.spec.density,
                    options.spec.p,
                    options.spec.draw,
                    options.spec.seed};
  std::vector<TrajectorySample> samples;
  for (std::uint32_t i = 0; i < split.count; ++i) {
    Instance instance = draw_instance(split, i);
    Searcher searcher(instance.graph);
    samples.push_back({std::move(instance.graph), instance.query,
                       dijkstra_trajectory(searcher, instance.query.source)});
  }
  write_trajectories(samples, options.output);
  fmt::print("{}: {} trajectories on graphs of {} nodes\n", options.output, samples.size(),
             split.nodes);
}

void run_generate(GenerateOptions& options) {
  options.spec.family = parse_family(options.family);
  options.spec.draw = parse_draw(options.draw);
  parse_density(options.density, options.spec);
  if (options.trajectories > 0) return write_trajectory_file(options);
  GraphFile file;
  GeneratedGraph made = generate_with_metrics(options.spec);
  file.graph = std::move(made.graph);
  file.metrics = std::move(made.metrics);
  if (file.graph.coordinate_kind() == CoordinateKind::kGrid) {
    file.names = cell_names(file.graph);
  }
  write_graph(file, options.output, options.output_format);
  fmt::print(options.output == "-" ? stderr : stdout, "{}: {} nodes, {} arcs, {}\n", options.output,
             file.graph.node_count(), file.graph.arc_count(),
             file.graph.symmetric() ? "undirected" : "directed");
}

}  // namespace

void add_generate(Verb& program) {
  auto [verb, options] = program.verb<GenerateOptions>(
      "generate", "Generate a graph; the same seed gives the same bytes", run_generate, kFileVerbs);
  verb.option("family", options.family, "er, grid, geometric, road or city")
      .required()
      .default_text("");
  verb.option("-n,--nodes", options.spec.nodes, "Nodes; approximate for grid, road and city")
      .required()
      .default_text("");
  verb.option("-o,--output", options.output, "File to write; the extension names the format")
      .required();
  verb.option("--output-format", options.output_format, kOutputFormatHelp)
      .default_text("the file's own");
  verb.option("--seed", options.spec.seed, "Seed of the random numbers");
  verb.option("--density", options.density,
              "sparse (ln n / n), dense (0.35), very-dense (0.5), or a probability")
      .needs("family=er");
  verb.option("--draw", options.draw,
              "Random draws: exact, one per edge; or, two per edge, of which one suffices; "
              "directed, one per arc")
      .needs("family=er");
  verb.option("--obstacles", options.spec.obstacles, "Share of blocked cells").needs("family=grid");
  verb.option("--degree", options.spec.degree, "Mean degree").needs("family=geometric");
  verb.option("--trajectories", options.trajectories,
              "Write the steps of Dijkstra on this many graphs as .npz, with the names of CLRS")
      .default_text("")
      .needs("family=er")
      .excludes("--output-format");
  verb.footer(R"(Examples:
  lodestar generate road -n 65536 --seed 1 -o roads.lsg
  lodestar generate er -n 16 --trajectories 1000 --seed 1 -o train.npz)");
}

}  // namespace lodestar::cli
