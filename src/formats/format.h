// One reader and one writer per format; table.cpp lists them, graph_io.cpp chooses.
//
// A reader is given text, never a path: it opens nothing. Its Error names input.name and a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes.h"
#include "lodestar/graph_formats.h"
#include "lodestar/graph_io.h"

namespace lodestar::formats {

struct Input {
  Bytes bytes;
  std::string name;  // for errors
  const ReadOptions& options;

  std::string_view text() const { return bytes.text(); }
};

// Where a writer writes, and as what: `kind` ends in the extension, packing behind. It is the path
// itself unless the format was named separately.
struct Destination {
  std::string path;  // "-" is standard output
  std::string kind;

  bool has_siblings() const { return path != "-"; }
  // "roads.gr.xz" with ".co": "roads.co.xz". For files that belong together.
  Destination sibling(std::string_view extension) const;
};

// ReadOptions::weight that asks for none: every arc costs 1.
inline constexpr std::string_view kNoWeight = "none";

// The row of a file's kind; `name` is for the Error when there is none.
const GraphFormat& format_of(const std::string& kind, const std::string& name);
// What decides the format: the path, or the extension the user named instead.
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
// nodes: the .cnode file that belongs to it, or null.
GraphFile read_cedge(const Input& input, const Input* nodes);
GraphFile read_cedge_alone(const Input& input);

// What a file gives each node; numbered from 1 (.co) or as the .cnode file says.
struct Coordinates {
  CoordinateKind kind = CoordinateKind::kNone;
  std::vector<Point> points;
};
Coordinates read_co(const Input& input);

// Writers return what their format could not hold.
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

// Every arc of the graph leads both ways: adds the twin of each arc that has none.
Graph both_ways(const Graph& graph);

// The grid's arcs: `passable` holds width × height cells, row by row.
GraphFile grid_graph(std::uint32_t width, std::uint32_t height, const std::vector<bool>& passable,
                     const ReadOptions& options);

}  // namespace lodestar::formats
