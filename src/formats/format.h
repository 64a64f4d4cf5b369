// One reader and one writer per format. table.cpp lists them, graph_io.cpp selects one.
//
// It brings what readers (scanner.h) and writers (text_writer.h) are made of.
//
// A reader gets the text and does not open files. Its errors have input.name and the line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes.h"
#include "formats/scanner.h"
#include "formats/text_writer.h"
#include "lodestar/graph_formats.h"
#include "lodestar/graph_io.h"

namespace lodestar::formats {

struct Input {
  Bytes bytes;
  std::string name;  // for errors
  const ReadOptions& options;

  std::string_view text() const { return bytes.text(); }
};

// The path and the format of a file to write: `kind` ends in the extension, optionally followed by
// .gz or .xz. It is the path itself unless the format was given separately.
struct Destination {
  std::string path;  // "-" is standard output
  std::string kind;

  bool has_siblings() const { return path != "-"; }
  // The second file of a format: for "roads.gr.xz" and ".co", "roads.co.xz".
  Destination sibling(std::string_view extension) const;
};

// The value of ReadOptions::weight for which every arc costs 1.
inline constexpr std::string_view kNoWeight = "none";

// The row for a file of this kind. Throws Error with `name` if there is none.
const GraphFormat& format_of(const std::string& kind, const std::string& name);
// The text whose ending selects the format: `format` if given, otherwise the path.
std::string kind_of(const std::string& path, const std::string& format);

GraphFile read_dimacs(const Input& input);
GraphFile read_pace(const Input& input);
GraphFile read_steinlib(const Input& input);
GraphFile read_metis(const Input& input);
GraphFile read_matrix_market(const Input& input);
GraphFile read_edge_list(const Input& input);
GraphFile read_graphml(const Input& input);
GraphFile read_movingai(const Input& input);
GraphFile read_binary(const Input& input);
// nodes: the corresponding .cnode file, or null.
GraphFile read_cedge(const Input& input, const Input* nodes);
GraphFile read_cedge_alone(const Input& input);

// Coordinates by node; numbered from 1 in .co files.
struct Coordinates {
  CoordinateKind kind = CoordinateKind::kNone;
  std::vector<Point> points;
};
Coordinates read_co(const Input& input);

// Writers return what their format could not store.
using Omissions = std::vector<std::string>;
inline constexpr const char* kNoSibling =
    "coordinates; they need a second file beside the graph, so write to a file instead of standard "
    "output";
Omissions write_dimacs(const GraphFile& file, const Destination& to);
Omissions write_pace(const GraphFile& file, const Destination& to);
Omissions write_steinlib(const GraphFile& file, const Destination& to);
Omissions write_metis(const GraphFile& file, const Destination& to);
Omissions write_matrix_market(const GraphFile& file, const Destination& to);
Omissions write_edge_list(const GraphFile& file, const Destination& to);
Omissions write_cedge(const GraphFile& file, const Destination& to);
Omissions write_graphml(const GraphFile& file, const Destination& to);
Omissions write_movingai(const GraphFile& file, const Destination& to);
Omissions write_binary(const GraphFile& file, const Destination& to);

// Adds the reverse of each arc that has none. `from` receives the arc that each arc of the result
// was or is the reverse of; it may be null, and the graph's arcs must be ordered by head otherwise.
Graph both_ways(const Graph& graph, std::vector<std::size_t>* from = nullptr);

// The graph of a grid; `passable` has width × height cells, row by row.
GraphFile grid_graph(std::uint32_t width, std::uint32_t height, const std::vector<bool>& passable,
                     const ReadOptions& options);

}  // namespace lodestar::formats
