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
  Losses (*write)(const GraphFile& file, const std::string& path);
};

constexpr Format kFormats[] = {
    {".gr", read_gr, write_dimacs},
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

// What every format may have and nobody expects.
void note_oddities(const Graph& graph, std::vector<std::string>& notes) {
  std::size_t loops = 0;
  std::size_t parallel = 0;
  std::size_t zeros = 0;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    NodeId before = kNoNode;
    for (const Arc arc : graph.arcs(u)) {
      loops += arc.head == u;
      parallel += arc.head == before;
      zeros += arc.weight == 0;
      before = arc.head;
    }
  }
  const auto note = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) notes.push_back(std::to_string(count) + " " + (count == 1 ? one : many));
  };
  note(loops, "self-loop", "self-loops");
  note(parallel, "arc parallel to another", "arcs parallel to another");
  note(zeros, "arc of weight 0", "arcs of weight 0");
}

// The file that holds the coordinates of `path`, empty when there is none. A packed one belongs
// to a plain graph as well, and the other way round.
std::string coordinates_of(const std::string& path, std::string_view extension,
                           const ReadOptions& options) {
  if (!options.coordinates.empty()) return options.coordinates;
  const std::string beside = without_compression(sibling(path, extension));
  for (const char* packing : {"", ".xz", ".gz"}) {
    if (file_exists(beside + packing)) return beside + packing;
  }
  return {};
}

GraphFile read_input(const Input& input) {
  const Format& format = format_of(input.name);
  GraphFile file = format.read(input);
  if (format.read != read_binary) note_oddities(file.graph, file.notes);
  return file;
}

}  // namespace

std::string sibling(const std::string& path, std::string_view extension) {
  const std::string plain = without_compression(path);
  const std::string packing = path.substr(plain.size());
  return plain.substr(0, plain.rfind('.')) + std::string(extension) + packing;
}

GraphFile read_gr(const Input& input) {
  Lines lines(input.text(), input.name);
  if (!lines.next_content("c")) lines.fail("the file is empty");
  return read_dimacs(input);
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
  const bool plain = formats::without_compression(path) == path;
  const bool mapped = plain && format.read == formats::read_binary;
  GraphFile file = formats::read_input(
      {mapped ? formats::map_bytes(path) : formats::load_bytes(path), path, options});
  const std::string beside = formats::coordinates_of(path, ".co", options);
  if (format.extension == ".gr" && !beside.empty()) {
    formats::Coordinates coordinates =
        formats::read_co({formats::load_bytes(beside), beside, options});
    if (coordinates.points.size() != file.graph.node_count()) {
      throw Error(beside + ": has coordinates for " + std::to_string(coordinates.points.size()) +
                  " nodes; " + path + " has " + std::to_string(file.graph.node_count()));
    }
    file.graph = formats::with_points(file.graph, std::move(coordinates));
  }
  return file;
}

std::vector<std::string> write_graph(const GraphFile& file, const std::string& path) {
  return formats::format_of(path).write(file, path);
}

}  // namespace lodestar
