#include <algorithm>
#include <filesystem>

#include "formats/format.h"
#include "lodestar/graph_formats.h"

namespace lodestar {
namespace formats {
namespace {

// Three formats share `.gr`; the first line that is not a comment decides which one it is.
GraphFile read_gr(const Input& input) {
  Lines lines(input.text(), input.name);
  if (!lines.next_content("c")) lines.fail("the file is empty");
  Fields fields(lines);
  const std::string_view first = fields.next();
  const std::string_view second = fields.next();
  if (first == "p" && second == "sp") return read_dimacs(input);
  if (first == "p" && second == "tw") return read_pace(input);
  if (same_word(first, "section") || same_word(first, "33d32945")) return read_steinlib(input);
  lines.fail("neither DIMACS (`p sp`), PACE (`p tw`) nor SteinLib (`SECTION Graph`): found " +
             quoted(lines.line()));
}

std::vector<GraphFormat>& rows() {
  static std::vector<GraphFormat> all = {
      {.extensions = ".gr",
       .title = "DIMACS-9 (`p sp`)",
       .direction = "directed",
       .weights = "yes",
       .ids = "1 … n",
       .coordinates = "`.co` beside it",
       .sibling = ".co",
       .read = read_gr,
       .write = write_dimacs},
      {.extensions = ".gr .tw",
       .title = "PACE (`p tw`)",
       .direction = "undirected",
       .weights = "none, each is 1",
       .ids = "1 … n",
       .coordinates = "no",
       .read = read_pace,
       .write = write_pace},
      {.extensions = ".gr .stp",
       .title = "SteinLib (`SECTION Graph`)",
       .direction = "undirected; `A` lines directed",
       .weights = "yes",
       .ids = "1 … n",
       .coordinates = "no",
       .read = read_steinlib,
       .write = write_steinlib},
      {.extensions = ".graph",
       .title = "METIS",
       .direction = "undirected",
       .weights = "optional",
       .ids = "1 … n",
       .coordinates = "no",
       .read = read_metis,
       .write = write_metis},
      {.extensions = ".mtx",
       .title = "Matrix Market `coordinate`, real, integer or pattern; general or symmetric",
       .direction = "entry = arc row → column",
       .weights = "pattern: each is 1",
       .ids = "1 … n",
       .coordinates = "no",
       .read = read_matrix_market,
       .write = write_matrix_market},
      {.extensions = ".csv .tsv .txt",
       .title = "edge list",
       .direction = "directed",
       .weights = "optional",
       .ids = "any text",
       .coordinates = "no",
       .vague = ".tsv .txt",
       .choices = kChooseWeight | kChooseMetrics,
       .read = read_edge_list,
       .write = write_edge_list},
      {.extensions = ".cedge",
       .title = "edge id, u, v, length",
       .direction = "undirected",
       .weights = "yes",
       .ids = "any word",
       .coordinates = "`.cnode` beside it",
       .sibling = ".cnode",
       .read = read_cedge_alone,
       .write = write_cedge},
      {.extensions = ".graphml",
       .title = "as OSMnx and networkx write it",
       .direction = "as the file says",
       .weights = "`length`, `weight`, `travel_time`",
       .ids = "any text",
       .coordinates = "node keys `x`, `y`",
       .choices = kChooseWeight | kChooseMetrics,
       .read = read_graphml,
       .write = write_graphml},
      {.extensions = ".map",
       .title = "MovingAI grid",
       .direction = "undirected",
       .weights = "1 and √2 (`--exact-diagonals`: 92682/65536)",
       .ids = "cells `x,y`",
       .coordinates = "the cells",
       .choices = kChooseMoves,
       .read = read_movingai,
       .write = write_movingai},
      {.extensions = ".lsg",
       .title = "Lodestar's own",
       .direction = "both",
       .weights = "yes",
       .ids = "all of these",
       .coordinates = "yes",
       .choices = kChooseMetrics,
       .in_place = true,
       .read = read_binary,
       .write = write_binary},
  };
  return all;
}

// Calls f(extension) for each of ".csv .tsv .txt" until it returns true.
template <class F>
bool any_extension(std::string_view extensions, F&& f) {
  while (!extensions.empty()) {
    const std::size_t size = std::min(extensions.find(' '), extensions.size());
    if (f(extensions.substr(0, size))) return true;
    extensions.remove_prefix(std::min(size + 1, extensions.size()));
  }
  return false;
}

const GraphFormat* find_format(std::string_view plain) {
  for (const GraphFormat& format : rows()) {
    if (any_extension(format.extensions, [&](auto end) { return plain.ends_with(end); })) {
      return &format;
    }
  }
  return nullptr;
}

// Each extension once, in the order of the table.
template <class Wanted>
std::string extensions_where(Wanted&& wanted) {
  std::string all;
  for (const GraphFormat& format : rows()) {
    if (!wanted(format)) continue;
    any_extension(format.extensions, [&](std::string_view extension) {
      if ((all + " ").find(std::string(extension) + " ") == std::string::npos) {
        all += (all.empty() ? "" : " ") + std::string(extension);
      }
      return false;
    });
  }
  return all;
}

}  // namespace

const GraphFormat& format_of(const std::string& kind, const std::string& name) {
  if (const GraphFormat* format = find_format(without_compression(kind))) return *format;
  throw Error(name +
              (kind == "-" ? ": the format is unknown; give one with --format: "
                           : ": unknown format; supported extensions are ") +
              readable_extensions() + ", optionally followed by .gz or .xz");
}

std::string kind_of(const std::string& path, const std::string& format) {
  if (format.empty()) return path;
  return format.front() == '.' ? format : "." + format;
}

}  // namespace formats

std::span<const GraphFormat> graph_formats() {
  return formats::rows();
}

void add_graph_format(const GraphFormat& format) {
  formats::any_extension(format.extensions, [](std::string_view extension) {
    if (formats::find_format(extension) != nullptr) {
      throw Error("the extension " + std::string(extension) + " already has a format");
    }
    return false;
  });
  formats::rows().push_back(format);
}

std::string readable_extensions() {
  return formats::extensions_where([](const GraphFormat&) { return true; });
}

std::string writable_extensions() {
  return formats::extensions_where([](const GraphFormat& f) { return f.write != nullptr; });
}

std::vector<std::string> graph_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (path == "-" || (fs::exists(path, failed) && !fs::is_directory(path, failed))) return {path};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path, failed)) {
    const std::string name = formats::without_compression(entry.path().filename().string());
    const GraphFormat* format = formats::find_format(name);
    if (format == nullptr || !entry.is_regular_file()) continue;
    const auto ends = [&](std::string_view end) { return name.ends_with(end); };
    if (!formats::any_extension(format->vague, ends)) files.push_back(entry.path().string());
  }
  if (failed) throw Error(path + ": cannot be read: " + failed.message());
  if (files.empty()) {
    throw Error(path +
                ": the folder contains no graphs; `lodestar convert --help` lists the formats");
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace lodestar
