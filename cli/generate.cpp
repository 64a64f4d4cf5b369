// `lodestar generate`: a graph from a specification, the same bytes for the same seed.
#include "lodestar/generate.h"

#include <fmt/core.h>

#include <memory>

#include "lodestar/graph_io.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct GenerateOptions {
  std::string family = "road";
  std::string density = "dense";
  std::string draw = "or";
  std::string output;
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

int run_generate(GenerateOptions& options) {
  options.spec.family = parse_family(options.family);
  options.spec.draw = parse_draw(options.draw);
  parse_density(options.density, options.spec);
  GraphFile file;
  file.graph = generate(options.spec);
  if (file.graph.coordinate_kind() == CoordinateKind::kGrid) {
    file.names = cell_names(file.graph);
  }
  write_graph(file, options.output);
  fmt::print("{}: {} nodes, {} arcs, {}\n", options.output, file.graph.node_count(),
             file.graph.arc_count(), file.graph.symmetric() ? "undirected" : "directed");
  return 0;
}

}  // namespace

void add_generate(CLI::App& program, int* status) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App* verb =
      program.add_subcommand("generate", "Make a graph; the same seed, the same bytes");
  verb->add_option("family", options->family, "er, grid, geometric or road")->required();
  verb->add_option("-n,--nodes", options->spec.nodes, "Number of nodes (about, for grid and road)")
      ->required();
  verb->add_option("-o,--output", options->output, "File to write; the extension names the format")
      ->required();
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
  verb->footer("Example: lodestar generate road -n 65536 --seed 1 -o roads.lsg");
  verb->callback([options, status] { *status = run_generate(*options); });
}

}  // namespace lodestar::cli
