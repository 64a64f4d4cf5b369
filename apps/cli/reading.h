// What every verb that reads a graph file has in common: options and notes. Which format obeys
// which is in graph_formats.h.
#pragma once

#include <fmt/core.h>

#include <memory>
#include <vector>

#include "lodestar/graph_formats.h"
#include "lodestar/graph_io.h"
#include "lodestar/itinerary.h"
#include "progress.h"
#include "verb.h"

namespace lodestar::cli {

inline constexpr const char* kOutputFormatHelp =
    "Extension that names the format of the output, required for - (standard output)";

// Costs divided by this are in seconds, metres, or as the file has them.
inline double cost_divisor(const GraphFile& file) {
  return 1 / cost_unit(file.graph, file.shape).scale;
}

inline std::vector<Option> add_reading_options(Verb& verb, ReadOptions& options) {
  std::vector<Option> made = {
      verb.option(
              "--format", options.format,
              "Extension that names the format of the graph, required for - (standard input): " +
                  readable_extensions())
          .default_text("the file's own"),
      verb.flag("--undirected", options.undirected, "Every arc of the file leads both ways"),
      verb.option(
          "--weight", options.weight,
          "Weights: the name of a column (edge lists) or key (GraphML), or none for weights "
          "of 1. OpenStreetMap: time or length"),
      verb.option("--metrics", options.metrics,
                  "Metrics to keep beside the weight: columns (edge lists) or keys (GraphML), "
                  "separated by commas. Files with metrics (.lsg, OpenStreetMap): some of them")
          .comma_separated(),
      verb.option("--coordinates", options.coordinates,
                  "Coordinates to use instead of those beside the graph (.co, .cnode)"),
      verb.flag("--unit-diagonals", options.unit_diagonals,
                "Grid maps (.map): diagonal moves cost 1 instead of √2"),
      verb.flag("--exact-diagonals", options.exact_diagonals,
                "Grid maps (.map): diagonal moves cost 92682/65536 instead of √2, so that sums are "
                "exact"),
      verb.flag("--corner-cutting", options.corner_cutting,
                "Grid maps (.map): diagonal moves may pass blocked cells"),
      verb.option("--profile", options.profile,
                  "OpenStreetMap: car, bicycle, foot, or a file with rules"),
      verb.flag("--turns", options.turns, "OpenStreetMap: obey turn restrictions"),
      verb.flag("--all", options.all,
                "OpenStreetMap: keep all roads, not only the largest strong component"),
  };
  // The bar is made once reading takes a while, and removed when it is done.
  options.progress = [bar = std::make_shared<std::unique_ptr<Progress>>()](double share) {
    if (*bar == nullptr) *bar = std::make_unique<Progress>("reading");
    (*bar)->update(share);
    if (share >= 1) bar->reset();
  };
  return made;
}

// Throws Error if there is none of that name; `path` is that of the graph.
inline NodeId find_node(const GraphFile& file, const std::string& path, const std::string& name) {
  const NodeId v = file.names.find(name);
  if (v >= file.graph.node_count()) {
    const NodeId last = file.graph.node_count() - 1;
    throw Error("there is no node '" + name + "' in " + path +
                (file.graph.node_count() == 0
                     ? "; the graph is empty"
                     : "; its " + std::to_string(last + 1) + " nodes are called '" +
                           file.names.name(0) + "' to '" + file.names.name(last) + "'"));
  }
  return v;
}

// Notes of the readers: what reading a graph decided and an answer depends on ("no weights; each is
// 1"). Every verb prints them on stderr, and adds them to the first object of --json.
inline void print_notes(const GraphFile& file, const std::string& path) {
  for (const std::string& note : file.notes) fmt::print(stderr, "note: {}: {}\n", path, note);
}

// For every verb that does not print the notes among its results.
inline GraphFile read_graph_with_notes(const std::string& path, const ReadOptions& options) {
  GraphFile file = read_graph(path, options);
  print_notes(file, path);
  return file;
}

// `out` is any object of nlohmann's.
template <class Json>
void add_notes(Json& out, const std::vector<std::string>& notes) {
  if (!notes.empty()) out["notes"] = notes;
}

}  // namespace lodestar::cli
