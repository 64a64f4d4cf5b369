#include "lodestar/graph_io.h"

#include <algorithm>

#include "formats/format.h"
#include "formats/scanner.h"

namespace lodestar {
namespace formats {
namespace {

struct Format {
  std::string_view extension;
  GraphFile (*read)(const Input& input);
  Omissions (*write)(const GraphFile& file, const std::string& path);
};

constexpr Format kFormats[] = {
    {".gr", read_gr, write_dimacs},
    {".tw", read_pace, write_pace},
    {".stp", read_steinlib, write_steinlib},
    {".graph", read_metis, write_metis},
    {".mtx", read_matrix_market, write_matrix_market},
    {".csv", read_edge_list, write_edge_list},
    {".tsv", read_edge_list, write_edge_list},
    {".txt", read_edge_list, write_edge_list},
    {".cedge", read_cedge_alone, write_cedge},
    {".graphml", read_graphml, write_graphml},
    {".map", read_movingai, write_movingai},
    {".lsg", read_binary, write_binary},
};

const Format& format_of(const std::string& name) {
  const std::string plain = without_compression(name);
  for (const Format& format : kFormats) {
    if (plain.ends_with(format.extension)) return format;
  }
  std::string known;
  for (const Format& format : kFormats) known += " " + std::string(format.extension);
  throw Error(name + ": unknown format; known extensions are" + known + ", with .gz or .xz behind");
}

// The file that holds the coordinates of `path`, empty when there is none. A packed one belongs
// to a plain graph as well, and the other way round.
std::string coordinates_of(const std::string& path, const Format& format,
                           const ReadOptions& options) {
  if (!options.coordinates.empty()) return options.coordinates;
  std::string_view extension;
  if (format.read == read_gr) extension = ".co";
  if (format.read == read_cedge_alone) extension = ".cnode";
  if (extension.empty()) return {};
  const std::string beside = without_compression(sibling(path, extension));
  for (const char* packing : {"", ".xz", ".gz"}) {
    if (file_exists(beside + packing)) return beside + packing;
  }
  return {};
}

// nodes: a .cnode file that belongs to the graph, or null.
GraphFile read_input(const Input& input, const Input* nodes = nullptr) {
  const Format& format = format_of(input.name);
  return nodes != nullptr ? read_cedge(input, nodes) : format.read(input);
}

void add_coordinates(GraphFile& file, const std::string& path, const Input& input) {
  Coordinates coordinates = read_co(input);
  if (coordinates.points.size() != file.graph.node_count()) {
    throw Error(input.name + ": has coordinates for " + std::to_string(coordinates.points.size()) +
                " nodes; " + path + " has " + std::to_string(file.graph.node_count()));
  }
  file.graph = with_points(file.graph, std::move(coordinates));
}

}  // namespace

std::string sibling(const std::string& path, std::string_view extension) {
  const std::string plain = without_compression(path);
  const std::string packing = path.substr(plain.size());
  return plain.substr(0, plain.rfind('.')) + std::string(extension) + packing;
}

Graph with_points(const Graph& graph, Coordinates coordinates) {
  struct Kept {
    std::shared_ptr<const void> arrays;
    std::vector<Point> points;
  };
  GraphArrays arrays = graph.arrays();
  auto kept = std::make_shared<Kept>(Kept{arrays.keeper, std::move(coordinates.points)});
  arrays.coordinates = coordinates.kind;
  arrays.points = kept->points;
  arrays.keeper = std::move(kept);
  return Graph::adopt(std::move(arrays));
}

}  // namespace formats

GraphFile parse_graph(std::string_view text, const std::string& name, const ReadOptions& options) {
  // The binary format keeps pointing into its bytes, which here are the caller's.
  const bool keeps = formats::format_of(name).read == formats::read_binary;
  formats::Bytes bytes = keeps ? formats::copy_bytes(text) : formats::Bytes(text, nullptr);
  return formats::read_input({formats::unpack(std::move(bytes), name), name, options});
}

GraphFile read_graph(const std::string& path, const ReadOptions& options) {
  const formats::Format& format = formats::format_of(path);
  const bool packed = formats::without_compression(path) != path;
  const bool mapped = !packed && format.read == formats::read_binary;
  const formats::Input input{mapped ? formats::map_bytes(path) : formats::load_bytes(path), path,
                             options};
  const std::string beside = formats::coordinates_of(path, format, options);
  if (beside.empty()) return formats::read_input(input);
  const formats::Input coordinates{formats::load_bytes(beside), beside, options};
  if (format.read == formats::read_cedge_alone) return formats::read_input(input, &coordinates);
  GraphFile file = formats::read_input(input);
  formats::add_coordinates(file, path, coordinates);
  return file;
}

std::vector<std::string> write_graph(const GraphFile& file, const std::string& path) {
  const formats::Format& format = formats::format_of(path);
  // The binary format keeps the order of arcs; text is the same whatever it is.
  if (format.read == formats::read_binary || file.graph.arc_order() == ArcOrder::kByHead) {
    return format.write(file, path);
  }
  GraphFile ordered = file;
  ordered.graph = file.graph.ordered(ArcOrder::kByHead);
  return format.write(ordered, path);
}

}  // namespace lodestar
