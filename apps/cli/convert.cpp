// `lodestar convert`: a graph file into another format.
#include <fmt/core.h>

#include <memory>

#include "lodestar/graph_formats.h"
#include "lodestar/graph_io.h"
#include "lodestar/graph_stats.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::string output_format;
  ReadOptions read;
};

int run_convert(const ConvertOptions& options) {
  const GraphFile file = read_graph(options.input, options.read);
  const std::vector<std::string> losses = write_graph(file, options.output, options.output_format);
  // Beside a graph on standard output there is no room for words.
  std::FILE* to = options.output == "-" ? stderr : stdout;
  fmt::print(to, "{}: {} nodes, {} arcs, {}\n", options.output, file.graph.node_count(),
             file.graph.arc_count(), file.graph.symmetric() ? "undirected" : "directed");
  for (const std::string& odd : oddities(graph_stats(file.graph))) {
    fmt::print(to, "  odd: {}\n", odd);
  }
  for (const std::string& note : file.notes) fmt::print(to, "  note: {}\n", note);
  for (const std::string& loss : losses) fmt::print(to, "  not kept: {}\n", loss);
  return 0;
}

}  // namespace

void add_convert(CLI::App& program, int* status) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* verb = program.add_subcommand("convert", "Write a graph file in another format");
  verb->add_option("input", options->input, "Graph to read; .gz and .xz are unpacked")->required();
  verb->add_option("output", options->output,
                   "File to write: " + writable_extensions() + ", packed with .gz or .xz behind")
      ->required();
  verb->add_option("--output-format", options->output_format,
                   "Extension to write by, if not the file's own; needed for - (standard output)");
  add_reading_options(*verb, options->read);
  verb->callback([options, status] { *status = run_convert(*options); });
}

}  // namespace lodestar::cli
