// `lodestar convert`: writes a graph in another format.
#include <fmt/core.h>

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

void run_convert(const ConvertOptions& options) {
  const GraphFile file = read_graph(options.input, options.read);
  const std::vector<std::string> losses = write_graph(file, options.output, options.output_format);
  // Standard output holds the graph alone.
  std::FILE* to = options.output == "-" ? stderr : stdout;
  fmt::print(to, "{}: {} nodes, {} arcs, {}\n", options.output, file.graph.node_count(),
             file.graph.arc_count(), file.graph.symmetric() ? "undirected" : "directed");
  for (const std::string& odd : oddities(graph_stats(file.graph))) {
    fmt::print(to, "  odd: {}\n", odd);
  }
  for (const std::string& note : file.notes) fmt::print(to, "  note: {}\n", note);
  for (const std::string& loss : losses) fmt::print(to, "  not kept: {}\n", loss);
}

}  // namespace

void add_convert(Verb& program) {
  auto [verb, options] = program.verb<ConvertOptions>("convert", "Write a graph in another format",
                                                      run_convert, kFileVerbs);
  verb.option("input", options.input, "Graph file, any format; .gz and .xz are unpacked")
      .required();
  verb.option("output", options.output,
              "File to write: " + writable_extensions() + ", with .gz or .xz appended to pack it")
      .required();
  verb.option("--output-format", options.output_format, kOutputFormatHelp)
      .default_text("the file's own");
  add_reading_options(verb, options.read);
  verb.footer(R"(Examples:
  lodestar convert town.osm.pbf town.lsg
  lodestar convert roads.gr.xz roads.lsg
  zcat roads.csv.gz | lodestar convert - --format csv - --output-format gr)");
}

}  // namespace lodestar::cli
