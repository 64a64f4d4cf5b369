// The table of graph formats, one row each. read_graph and write_graph choose by it; the program's
// --help, the scan of a folder, docs/design/FORMATS.md and the fuzz targets follow it.
//
//   for (const GraphFormat& format : graph_formats()) use(format.extensions);
//
// A program that links another reader adds its row before it reads anything:
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

// The parts of ReadOptions that only some formats can obey; the others refuse them.
enum ReadChoice : unsigned {
  kChooseWeight = 1,  // weight
  kChooseMoves = 2,   // unit_diagonals, exact_diagonals, corner_cutting
  kChooseRoads = 4,   // profile, turns, all
};

struct GraphFormat {
  // ".csv .tsv .txt". An extension belongs to the first row that has it; `.gr` is told apart by
  // content.
  std::string_view extensions = {};
  std::string_view title = {};  // "DIMACS-9 (`p sp`)"
  // What it keeps, in the words of docs/design/FORMATS.md.
  std::string_view direction = {};
  std::string_view weights = {};
  std::string_view ids = {};
  std::string_view coordinates = {};
  std::string_view sibling = {};  // extension of the file beside it that has the coordinates
  std::string_view vague = {};    // extensions that in a folder may as well be something else
  unsigned choices = 0;           // of ReadChoice
  bool in_place = false;          // the graph keeps pointing into the bytes read

  // One of the two. `read` is given the bytes, unpacked; `read_file` opens the path itself.
  GraphFile (*read)(const formats::Input& input) = nullptr;
  GraphFile (*read_file)(const std::string& path, const ReadOptions& options) = nullptr;
  // Null: cannot be written. Returns what was not kept.
  std::vector<std::string> (*write)(const GraphFile& file,
                                    const formats::Destination& to) = nullptr;
};

std::span<const GraphFormat> graph_formats();
// Not while another thread reads or writes. Throws Error when an extension is taken.
void add_graph_format(const GraphFormat& format);

// ".gr .tw …": what can be read, or what can be written.
std::string readable_extensions();
std::string writable_extensions();

// The path itself when it is a file; otherwise every graph in the folder, by name. There, files
// whose name does not tell (.txt, .tsv: queries, notes) are left out.
std::vector<std::string> graph_files(const std::string& path);

}  // namespace lodestar
