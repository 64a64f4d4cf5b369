// `lodestar generate`: a graph from a specification, the same bytes for the same seed.
#include "lodestar/generate.h"

#include <fmt/core.h>

#include <memory>

#include "learn/evaluate/splits.h"
#include "lodestar/graph_io.h"
#include "lodestar/search.h"
#include "lodestar/trace.h"
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

// Dijkstra's algorithm on many graphs, step by step, as numpy arrays: what a network is taught.
int write_trajectory_file(const GenerateOptions& options) {
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
  return 0;
}

int run_generate(GenerateOptions& options) {
  options.spec.family = parse_family(options.family);
  options.spec.draw = parse_draw(options.draw);
  parse_density(options.density, options.spec);
  if (options.trajectories > 0) return write_trajectory_file(options);
  GraphFile file;
  file.graph = generate(options.spec);
  if (file.graph.coordinate_kind() == CoordinateKind::kGrid) {
    file.names = cell_names(file.graph);
  }
  write_graph(file, options.output, options.output_format);
  fmt::print(options.output == "-" ? stderr : stdout, "{}: {} nodes, {} arcs, {}\n", options.output,
             file.graph.node_count(), file.graph.arc_count(),
             file.graph.symmetric() ? "undirected" : "directed");
  return 0;
}

}  // namespace

void add_generate(CLI::App& program, int* status) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App* verb =
      program.add_subcommand("generate", "Make a graph; the same seed, the same bytes");
  verb->add_option("family", options->family, "er, grid, geometric, road or city")->required();
  verb->add_option("-n,--nodes", options->spec.nodes,
                   "Number of nodes (about, for grid, road and city)")
      ->required();
  verb->add_option("-o,--output", options->output, "File to write; the extension names the format")
      ->required();
  verb->add_option("--output-format", options->output_format,
                   "Extension to write by, if not the file's own; needed for - (standard output)");
  verb->add_option("--seed", options->spec.seed, "Seed of the random numbers")
      ->capture_default_str();
  verb->add_option("--density", options->density,
                   "er: sparse (ln n/n), dense (0.35), very-dense (0.5), or a probability")
      ->capture_default_str();
  verb->add_option("--draw", options->draw, "er: or, exact or directed")->capture_default_str();
  verb->add_option("--obstacles", options->spec.obstacles, "grid: share of blocked cells")
      ->capture_default_str();
  verb->add_option("--degree", options->spec.degree, "geometric: mean degree")
      ->capture_default_str();
  verb->add_option("--trajectories", options->trajectories,
                   "er: write Dijkstra's steps on so many graphs as .npz, with CLRS's names");
  verb->callback([options, status] { *status = run_generate(*options); });
}

}  // namespace lodestar::cli
