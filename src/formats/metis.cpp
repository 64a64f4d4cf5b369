// METIS: `NODES EDGES [FMT [CONSTRAINTS]]`, then a row per node: [size] [node weights] and its
// neighbours, each with the edge's weight when FMT says so. Nodes from 1, comments `%`. Each edge
// is listed at both ends; a self-loop once.
#include <algorithm>

#include "formats/edges.h"
#include "formats/format.h"

namespace lodestar::formats {
namespace {

struct Header {
  NodeId nodes = 0;
  std::uint64_t edges = 0;
  bool edge_weights = false;
  std::uint64_t numbers_per_node = 0;  // before the neighbours; ignored
};

Header read_header(Lines& lines) {
  if (!lines.next_content("%")) lines.fail("the file is empty; `NODES EDGES` expected");
  Header header;
  Fields fields(lines);
  const std::uint64_t nodes = fields.integer("the number of nodes");
  header.edges = fields.integer("the number of edges");
  check_announced(nodes, 1, "nodes", lines);
  check_announced(header.edges, 2, "edges", lines);
  header.nodes = checked_node_count(nodes, lines);
  if (fields.at_end()) return header;

  const std::string_view format = fields.next();
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
    lines.fail("format " + quoted(format) + " is unknown; expected up to three digits 0 or 1");
  }
  const auto flag = [&](std::size_t from_right) {
    return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
  };
  header.edge_weights = flag(0);
  std::uint64_t constraints = flag(1) ? 1 : 0;
  if (!fields.at_end()) {
    const std::uint64_t given = fields.integer("the number of node weights");
    if (given > 1000) lines.fail("more than 1000 weights per node");
    if (flag(1)) constraints = given;
  }
  fields.finish();
  header.numbers_per_node = constraints + (flag(2) ? 1 : 0);
  return header;
}

// The first node whose outgoing and incoming arcs differ.
[[noreturn]] void fail_asymmetric(const Graph& graph, const std::vector<std::uint64_t>& line_of,
                                  const std::string& file) {
  NodeId u = 0;
  NodeId v = 0;
  for (; u < graph.node_count(); ++u) {
    const ArcRange out = graph.arcs(u);
    const ArcRange in = graph.arcs(u, Direction::kBackward);
    std::size_t i = 0;
    while (i < out.size() && i < in.size() && out[i] == in[i]) ++i;
    if (i == out.size() && i == in.size()) continue;
    v = i < out.size() && i < in.size() ? std::min(out[i].head, in[i].head)
                                        : (i < out.size() ? out[i].head : in[i].head);
    break;
  }
  throw Error::at(file, line_of[u],
                  "nodes " + std::to_string(u + std::uint64_t{1}) + " and " +
                      std::to_string(v + std::uint64_t{1}) +
                      " disagree; each edge must be listed at both ends with the same weight");
}

}  // namespace

GraphFile read_metis(const Input& input) {
  Lines lines(input.text(), input.name, kMaxRow);
  const Header header = read_header(lines);
  GraphBuilder builder(header.nodes);
  builder.reserve(header.edges * 2);
  std::vector<std::uint64_t> line_of(header.nodes);
  std::uint64_t listed = 0;
  std::uint64_t loops = 0;
  for (NodeId u = 0; u < header.nodes; ++u) {
    do {
      if (!lines.next()) {
        lines.fail("the file ends after " + std::to_string(u) + " nodes; " +
                   std::to_string(header.nodes) + " are announced");
      }
    } while (lines.line().starts_with('%'));
    line_of[u] = lines.number();
    Fields fields(lines);
    for (std::uint64_t i = 0; i < header.numbers_per_node; ++i) fields.integer("a node's weight");
    while (!fields.at_end()) {
      const NodeId v = fields.node(1, header.nodes);
      builder.add_arc(u, v, header.edge_weights ? fields.weight() : 1);
      ++listed;
      loops += v == u;
    }
  }
  if (lines.next_content("%")) {
    lines.fail("more rows than the " + std::to_string(header.nodes) + " nodes announced");
  }
  GraphFile file{builder.build(), NodeNames::numbered(1, header.nodes), "METIS", {}};
  if (!file.graph.symmetric()) fail_asymmetric(file.graph, line_of, input.name);
  const std::uint64_t edges = (listed - loops) / 2 + loops;
  if (edges != header.edges) {
    throw Error(input.name + ": has " + std::to_string(edges) + " edges; " +
                std::to_string(header.edges) + " are announced");
  }
  if (!header.edge_weights) file.notes.push_back("no weights; each is 1");
  if (header.numbers_per_node > 0) file.notes.push_back("weights of nodes are ignored");
  return file;
}

Omissions write_metis(const GraphFile& file, const Destination& to) {
  const Graph& graph = file.graph;
  require_symmetric(graph, to.path, "METIS");
  bool weighted = false;
  for_each_edge(graph, [&](NodeId, NodeId, Weight weight) { weighted |= weight != 1; });
  TextWriter out(to.path, to.kind);
  out.put(graph.node_count()).put(' ').put(edge_count(graph)).put(weighted ? " 1\n" : "\n");
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    const char* separator = "";
    for (const Arc arc : graph.arcs(u)) {
      out.put(separator).put(std::uint64_t{arc.head} + 1);
      if (weighted) out.put(' ').put(arc.weight);
      separator = " ";
    }
    out.put('\n');
  }
  out.commit();
  return losses_of_plain_numbers(file, 1);
}

}  // namespace lodestar::formats
