// Options of every verb that reads a graph file.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "lodestar/graph_formats.h"
#include "lodestar/graph_io.h"
#include "progress.h"

namespace lodestar::cli {

inline void add_reading_options(CLI::App& verb, ReadOptions& options) {
  verb.add_option(
      "--format", options.format,
      "Extension to read the graph by, if not its own; needed for - (standard input): " +
          readable_extensions());
  verb.add_flag("--undirected", options.undirected, "Every arc of the file leads both ways");
  verb.add_option("--weight", options.weight,
                  "Column (edge lists) or key (GraphML) that holds the weight; none: each is 1.\n"
                  "OpenStreetMap: time (deciseconds) or length (decimetres)");
  verb.add_option("--coordinates", options.coordinates,
                  "Coordinates to take instead of those beside the graph (.co, .cnode)");
  verb.add_flag("--unit-diagonals", options.unit_diagonals, ".map: diagonal moves cost 1, not √2");
  verb.add_flag("--exact-diagonals", options.exact_diagonals,
                ".map: diagonal moves cost 92682/65536 for √2, so that equal paths are equal to "
                "the last bit");
  verb.add_flag("--corner-cutting", options.corner_cutting,
                ".map: diagonal moves may pass blocked cells");
  verb.add_option(
      "--profile", options.profile,
      "OpenStreetMap: car, bicycle, foot, or a file with rules (docs/guide/openstreetmap.md)");
  verb.add_flag("--turns", options.turns, "OpenStreetMap: honour turn restrictions");
  verb.add_flag("--all", options.all, "OpenStreetMap: keep more than the largest strong component");
  // Made when reading turns out to take a while, gone when it is done.
  options.progress = [bar = std::make_shared<std::unique_ptr<Progress>>()](double share) {
    if (*bar == nullptr) *bar = std::make_unique<Progress>("reading");
    (*bar)->update(share);
    if (share >= 1) bar->reset();
  };
}

}  // namespace lodestar::cli
