// The table of graph formats. read_graph and write_graph select a format from it; the program's
// --help, folder scans, docs/design/FORMATS.md and the fuzz targets follow it.
//
//   for (const GraphFormat& format : graph_formats()) use(format.extensions);
//
// A program with another reader adds its row before it reads the first graph:
//
//   add_graph_format({.extensions = ".osm.pbf", .title = "OpenStreetMap", .read_file = read_osm});
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph_io.h"

namespace lodestar {

namespace formats {
struct Input;        // the bytes of a file and its name
struct Destination;  // where to write, and as what
}  // namespace formats

// The ReadOptions that only some formats support. Other formats reject them.
enum ReadChoice : unsigned {
  kChooseWeight = 1,   // weight
  kChooseMoves = 2,    // unit_diagonals, exact_diagonals, corner_cutting
  kChooseRoads = 4,    // profile, turns, all
  kChooseMetrics = 8,  // metrics; such formats also write them, if they write
};

struct GraphFormat {
  // ".csv .tsv .txt". An extension selects the first row that has it; for `.gr` the content
  // decides.
  std::string_view extensions = {};
  std::string_view title = {};  // "DIMACS-9 (`p sp`)"
  // What the format stores, as in docs/design/FORMATS.md.
  std::string_view direction = {};
  std::string_view weights = {};
  std::string_view ids = {};
  std::string_view coordinates = {};
  std::string_view sibling = {};  // extension of a second file with the coordinates
  std::string_view vague = {};    // extensions that folder scans skip, as other files use them
  unsigned choices = 0;           // ReadChoice flags that it supports
  bool in_place = false;          // the graph uses the bytes of the file directly

  // Set one of them: `read` gets the decompressed bytes, `read_file` opens the path itself.
  GraphFile (*read)(const formats::Input& input) = nullptr;
  GraphFile (*read_file)(const std::string& path, const ReadOptions& options) = nullptr;
  // Null if the format cannot be written. Returns what the format could not store.
  std::vector<std::string> (*write)(const GraphFile& file,
                                    const formats::Destination& to) = nullptr;
};

std::span<const GraphFormat> graph_formats();
// Not thread-safe. Throws Error if another row has one of the extensions.
void add_graph_format(const GraphFormat& format);

// The extensions that can be read or written: ".gr .tw …".
std::string readable_extensions();
std::string writable_extensions();

// The path itself if it is a file, otherwise all graphs in that folder, sorted by name. In folders,
// .txt and .tsv files are skipped, because they may hold queries or notes.
std::vector<std::string> graph_files(const std::string& path);

}  // namespace lodestar
