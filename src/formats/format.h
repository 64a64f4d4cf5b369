// One reader and one writer per format; graph_io.cpp chooses among them by extension.
//
// A reader is given text, never a path: it opens nothing. Its Error names input.name and a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes.h"
#include "lodestar/graph_io.h"

namespace lodestar::formats {

struct Input {
  Bytes bytes;
  std::string name;  // for errors
  const ReadOptions& options;

  std::string_view text() const { return bytes.text(); }
};

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
// .gr: the first line that is no comment tells DIMACS, PACE and SteinLib apart.
GraphFile read_gr(const Input& input);

// What a file gives each node; numbered from 1 (.co) or as the .cnode file says.
struct Coordinates {
  CoordinateKind kind = CoordinateKind::kNone;
  std::vector<Point> points;
};
Coordinates read_co(const Input& input);
// The same graph with other coordinates.
Graph with_points(const Graph& graph, Coordinates coordinates);

// Writers return what their format could not hold.
using Omissions = std::vector<std::string>;
Omissions write_dimacs(const GraphFile& file, const std::string& path);
Omissions write_pace(const GraphFile& file, const std::string& path);
Omissions write_steinlib(const GraphFile& file, const std::string& path);
Omissions write_metis(const GraphFile& file, const std::string& path);
Omissions write_matrix_market(const GraphFile& file, const std::string& path);
Omissions write_edge_list(const GraphFile& file, const std::string& path);
Omissions write_cedge(const GraphFile& file, const std::string& path);
Omissions write_graphml(const GraphFile& file, const std::string& path);
Omissions write_movingai(const GraphFile& file, const std::string& path);
Omissions write_binary(const GraphFile& file, const std::string& path);

// "roads.gr.xz", ".gr" -> ".co" : "roads.co.xz". For files that belong together.
std::string sibling(const std::string& path, std::string_view extension);

// The grid's arcs: `passable` holds width × height cells, row by row.
GraphFile grid_graph(std::uint32_t width, std::uint32_t height, const std::vector<bool>& passable,
                     const ReadOptions& options);

}  // namespace lodestar::formats
