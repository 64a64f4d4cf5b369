#include "lodestar/graph_io.h"

#include <algorithm>

#include "formats/format.h"
#include "lodestar/atomic_file.h"
#include "lodestar/detail/stop.h"

namespace lodestar {
namespace formats {
namespace {

// "roads.gr.xz" with ".co": "roads.co.xz"; a name without an extension keeps all of it.
std::string with_extension(const std::string& path, std::string_view extension) {
  const std::string plain = without_compression(path);
  const std::string packing = path.substr(plain.size());
  const std::size_t dot = plain.rfind('.');
  const std::size_t slash = plain.rfind('/');
  const bool has_dot = dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return (has_dot ? plain.substr(0, dot) : plain) + std::string(extension) + packing;
}

// The file with the coordinates of `path`; empty if there is none. Either of the two files may be
// compressed.
std::string coordinates_of(const std::string& path, const GraphFormat& format,
                           const ReadOptions& options) {
  if (!options.coordinates.empty()) return options.coordinates;
  if (format.sibling.empty() || path == "-") return {};
  const std::string beside = without_compression(with_extension(path, format.sibling));
  for (const char* packing : {"", ".xz", ".gz"}) {
    if (file_exists(beside + packing)) return beside + packing;
  }
  return {};
}

void add_coordinates(GraphFile& file, const std::string& path, const Input& input) {
  if (file.names.kind() == NodeNames::Kind::kTable) {
    throw Error(input.name + ": numbers its nodes, but the nodes of " + path +
                " have names; coordinates can be read only for numbered nodes");
  }
  Coordinates coordinates = read_co(input);
  if (coordinates.points.size() != file.graph.node_count()) {
    throw Error(input.name + ": has coordinates for " + std::to_string(coordinates.points.size()) +
                " nodes; " + path + " has " + std::to_string(file.graph.node_count()));
  }
  file.graph = file.graph.with_points(coordinates.kind, std::move(coordinates.points));
}

// An option that a format does not support is an error and never silently ignored.
void refuse_unsupported(const GraphFormat& format, const ReadOptions& options,
                        const std::string& name) {
  const auto refuse = [&](const char* option, ReadChoice choice) {
    std::string others;
    for (const GraphFormat& other : graph_formats()) {
      if ((other.choices & choice) != 0) others += " " + std::string(other.extensions);
    }
    throw Error(name + ": " + option + " does not apply to this format (" +
                std::string(format.title) +
                (others.empty() ? "), nor to any other" : "); it applies to" + others));
  };
  if (!options.weight.empty() && (format.choices & kChooseWeight) == 0) {
    refuse("--weight", kChooseWeight);
  }
  if (!options.metrics.empty() && (format.choices & kChooseMetrics) == 0) {
    refuse("--metrics", kChooseMetrics);
  }
  if ((format.choices & kChooseMoves) == 0) {
    if (options.unit_diagonals) refuse("--unit-diagonals", kChooseMoves);
    if (options.exact_diagonals) refuse("--exact-diagonals", kChooseMoves);
    if (options.corner_cutting) refuse("--corner-cutting", kChooseMoves);
  }
  if ((format.choices & kChooseRoads) == 0) {
    if (!options.profile.empty()) refuse("--profile", kChooseRoads);
    if (options.turns) refuse("--turns", kChooseRoads);
    if (options.all) refuse("--all", kChooseRoads);
  }
  if (options.map && !format.in_place) {
    throw Error(name + ": only .lsg files can be memory-mapped; make one with `lodestar convert`");
  }
  if (options.unit_diagonals && options.exact_diagonals) {
    throw Error(name +
                ": diagonal moves cost either 1 or nearly √2; give only one of "
                "--unit-diagonals and --exact-diagonals");
  }
}

// Adds the name of the file to errors of the graph itself, such as a coordinate outside its domain.
template <class Read>
GraphFile naming(const std::string& name, const std::string& beside, Read&& read) {
  try {
    return read();
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (what.starts_with(name) || (!beside.empty() && what.starts_with(beside))) throw;
    throw Error(name + ": " + error.what());
  }
}

// Keeps the metrics that were asked for, in that order.
void keep_metrics(GraphFile& file, const ReadOptions& options, const std::string& name) {
  if (options.metrics.empty()) return;
  Metrics& metrics = file.metrics;
  std::vector<Metric> kept(metrics.metrics.begin(),
                           metrics.metrics.begin() + (metrics.empty() ? 0 : 1));
  std::vector<MetricColumn> columns;
  for (const std::string& wanted : options.metrics) {
    const auto at = metrics.find(wanted);
    if (!at) {
      throw Error(name + ": there is no metric '" + wanted + "'; " +
                  (metrics.empty() ? "the graph has no metrics" : "known are " + metrics.names()));
    }
    if (*at == 0) continue;
    kept.push_back(metrics.metrics[*at]);
    columns.push_back(metrics.columns[*at - 1]);
  }
  metrics.metrics = std::move(kept);
  metrics.columns = std::move(columns);
}

GraphFile finish(GraphFile file, const ReadOptions& options, const std::string& name) {
  keep_metrics(file, options, name);
  if (options.undirected && !file.graph.symmetric()) {
    std::vector<std::size_t> from;
    file.graph = both_ways(file.graph, file.metrics.empty() ? nullptr : &from);
    if (!file.metrics.empty()) file.metrics = rearranged(file.metrics, from);
    file.shape = {};  // it does not describe the added arcs
  }
  return file;
}

}  // namespace

Destination Destination::sibling(std::string_view extension) const {
  return {with_extension(path, extension), with_extension(kind, extension)};
}

namespace {

// The forward index of each backward arc of a graph whose arcs are ordered by head.
std::vector<std::size_t> forward_of_backward(const Graph& graph) {
  const auto& first = graph.arrays().first[static_cast<int>(Direction::kBackward)];
  std::vector<std::size_t> next(first.begin(), first.end() - 1), out(graph.arc_count());
  std::size_t index = 0;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) out[next[arc.head]++] = index++;
  }
  return out;
}

}  // namespace

Graph both_ways(const Graph& graph, std::vector<std::size_t>* from) {
  if (graph.symmetric()) return graph;
  const Graph sorted = graph.ordered(ArcOrder::kByHead);
  GraphBuilder builder(graph.node_count());
  builder.reserve(2 * graph.arc_count());
  const auto less = [](const Arc& a, const Arc& b) {
    return a.head != b.head ? a.head < b.head : a.weight < b.weight;
  };
  std::vector<std::size_t> forward;
  if (from != nullptr) forward = forward_of_backward(sorted);
  // Outgoing and incoming arcs of u are sorted in the same way. Merge them; each arc occurs as
  // often as in the list that has more copies of it.
  for (NodeId u = 0; u < sorted.node_count(); ++u) {
    const ArcRange out = sorted.arcs(u);
    const ArcRange in = sorted.arcs(u, Direction::kBackward);
    std::size_t i = 0;
    std::size_t j = 0;
    const auto& first = sorted.arrays().first;
    while (i < out.size() || j < in.size()) {
      const bool from_out = j == in.size() || (i < out.size() && !less(in[j], out[i]));
      const bool from_in = i == out.size() || (j < in.size() && !less(out[i], in[j]));
      const Arc arc = from_out ? out[i] : in[j];
      builder.add_arc(u, arc.head, arc.weight);
      if (from != nullptr) from->push_back(from_out ? first[0][u] + i : forward[first[1][u] + j]);
      i += from_out;
      j += from_in;
    }
  }
  if (graph.has_coordinates()) {
    builder.set_points(graph.coordinate_kind(), {graph.points().begin(), graph.points().end()});
  }
  return builder.build().ordered(graph.arc_order());
}

}  // namespace formats

GraphFile parse_graph(std::string_view text, const std::string& name, const ReadOptions& options) {
  const std::string kind = formats::kind_of(name, options.format);
  const GraphFormat& format = formats::format_of(kind, name);
  if (format.read == nullptr) throw Error(name + ": this format can be read only from a file");
  formats::refuse_unsupported(format, options, name);
  // A graph that uses the bytes directly needs its own copy of them.
  formats::Bytes bytes =
      format.in_place ? formats::copy_bytes(text) : formats::Bytes(text, nullptr);
  return formats::naming(name, {}, [&] {
    return formats::finish(
        format.read({formats::unpack(std::move(bytes), kind, name), name, options}), options, name);
  });
}

GraphFile read_graph(const std::string& path, const ReadOptions& options) {
  const std::string kind = formats::kind_of(path, options.format);
  const std::string name = path == "-" ? "stdin" : path;
  const GraphFormat& format = formats::format_of(kind, name);
  formats::refuse_unsupported(format, options, name);
  if (format.read_file != nullptr) {
    if (path == "-")
      throw Error("this format cannot be read from standard input; give the path of a file");
    return formats::finish(format.read_file(path, options), options, name);
  }
  const bool map = options.map && path != "-" && kind == formats::without_compression(kind);
  const formats::Input input{map ? formats::map_bytes(path) : formats::load_bytes(path, kind), name,
                             options};
  const std::string beside = formats::coordinates_of(path, format, options);
  return formats::naming(name, beside, [&] {
    if (beside.empty()) return formats::finish(format.read(input), options, name);
    const formats::Input coordinates{formats::load_bytes(beside), beside, options};
    if (format.read == formats::read_cedge_alone) {
      return formats::finish(formats::read_cedge(input, &coordinates), options, name);
    }
    GraphFile file = format.read(input);
    formats::add_coordinates(file, name, coordinates);
    return formats::finish(std::move(file), options, name);
  });
}

std::vector<std::string> write_graph(const GraphFile& file, const std::string& path,
                                     const std::string& extension) {
  const formats::Destination to{path, formats::kind_of(path, extension)};
  const GraphFormat& format = formats::format_of(to.kind, path == "-" ? "stdout" : path);
  if (format.write == nullptr) {
    throw Error(path + ": this format can only be read; write one of " + writable_extensions());
  }
  require_folder_of(path);  // so that the error names this path and not a sibling
  // The binary format stores the order of arcs and the shape; text formats do not depend on them.
  if (format.in_place) return format.write(file, to);
  GraphFile ordered = file;
  if (file.graph.arc_order() != ArcOrder::kByHead) {
    ordered.graph = file.graph.ordered(ArcOrder::kByHead);
    ordered.metrics = {};
  }
  std::vector<std::string> losses = format.write(ordered, to);
  if (!file.shape.empty()) {
    losses.push_back(
        "the lines, streets, lengths and OpenStreetMap ids of roads; .lsg stores them");
  }
  if (!file.metrics.empty() && (format.choices & kChooseMetrics) == 0) {
    losses.push_back("metrics (" + file.metrics.names() +
                     ") and classes of arcs; .lsg, .csv and .graphml store them");
  }
  return losses;
}

}  // namespace lodestar
