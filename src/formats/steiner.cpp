// PACE treewidth graphs (`p tw NODES EDGES`, then `U V`) and SteinLib (`SECTION Graph`, then
// `E U V WEIGHT`). Both are undirected and number nodes from 1.

#include "formats/edges.h"
#include "formats/format.h"

namespace lodestar::formats {
namespace {

// Reads the lines of `SECTION Graph` up to its END.
class SteinGraph {
 public:
  explicit SteinGraph(Lines& lines) : lines_(lines) {}

  GraphBuilder read() {
    while (lines_.next_content("")) {
      Fields fields(lines_);
      const std::string_view word = fields.next();
      if (same_word(word, "end")) return finish();
      if (same_word(word, "nodes")) {
        if (has_nodes_) lines_.fail("`Nodes` is given twice");
        has_nodes_ = true;
        builder_.grow_to(checked_node_count(fields.integer("the number of nodes"), lines_));
      } else if (same_word(word, "edges") || same_word(word, "arcs")) {
        if (has_count_) lines_.fail("the number of edges is given twice");
        has_count_ = true;
        announced_ = fields.integer("the number of edges");
        check_announced(announced_, 8, "edges", lines_);  // "E 1 1 0\n"
      } else if (same_word(word, "e") || same_word(word, "a")) {
        add(fields, same_word(word, "e"));
      } else {
        lines_.fail("`E U V WEIGHT` or END expected, found " + quoted(lines_.line()));
      }
      fields.finish();
    }
    lines_.fail("the file ends inside SECTION Graph");
  }

 private:
  void add(Fields& fields, bool edge) {
    if (!has_nodes_ || !has_count_) lines_.fail("`Nodes` and `Edges` must come first");
    const NodeId u = fields.node(1, builder_.node_count());
    const NodeId v = fields.node(1, builder_.node_count());
    const Weight weight = fields.weight();
    if (++edges_ > announced_) {
      lines_.fail("more edges than the " + std::to_string(announced_) + " announced");
    }
    builder_.add(u, v, weight, edge);
  }
  GraphBuilder finish() {
    if (!has_nodes_ || !has_count_) lines_.fail("`Nodes` or `Edges` is missing");
    if (edges_ != announced_) {
      lines_.fail("the section ends after " + std::to_string(edges_) + " edges; " +
                  std::to_string(announced_) + " are announced");
    }
    return std::move(builder_);
  }

  Lines& lines_;
  GraphBuilder builder_;
  bool has_nodes_ = false;
  bool has_count_ = false;
  std::uint64_t announced_ = 0;
  std::uint64_t edges_ = 0;
};

void skip_section(Lines& lines, const std::string& section) {
  while (lines.next()) {
    if (same_word(Fields(lines).next(), "end")) return;
  }
  lines.fail("the file ends inside SECTION " + section);
}

}  // namespace

GraphFile read_pace(const Input& input) {
  Lines lines(input.text(), input.name);
  if (!lines.next_content("c")) lines.fail("the file is empty; `p tw NODES EDGES` expected");
  Fields header(lines);
  if (header.next() != "p" || header.next() != "tw") lines.fail("`p tw NODES EDGES` expected");
  const NodeId nodes = checked_node_count(header.integer("the number of nodes"), lines);
  const std::uint64_t announced = header.integer("the number of edges");
  header.finish();
  check_announced(announced, 4, "edges", lines);  // "1 1\n"

  GraphBuilder builder(nodes);
  builder.reserve(announced * 2);
  std::uint64_t edges = 0;
  while (lines.next_content("c")) {
    Fields fields(lines);
    const NodeId u = fields.node(1, nodes);
    builder.add_edge(u, fields.node(1, nodes), 1);
    fields.finish();
    if (++edges > announced) {
      lines.fail("more edges than the " + std::to_string(announced) + " announced");
    }
  }
  if (edges != announced) {
    lines.fail("the file ends after " + std::to_string(edges) + " edges; " +
               std::to_string(announced) + " are announced");
  }
  return {builder.build(), NodeNames::numbered(1, nodes), "PACE", {"no weights; each is 1"}};
}

GraphFile read_steinlib(const Input& input) {
  Lines lines(input.text(), input.name);
  GraphFile file;
  file.format = "SteinLib";
  bool found = false;
  while (lines.next_content("#")) {
    Fields fields(lines);
    const std::string_view word = fields.next();
    if (same_word(word, "eof")) break;
    if (same_word(word, "33d32945") && lines.number() == 1) continue;
    if (!same_word(word, "section")) {
      lines.fail("`SECTION …` or EOF expected, found " + quoted(lines.line()));
    }
    const std::string section(fields.next());
    if (!same_word(section, "graph")) {
      skip_section(lines, section);
      file.notes.push_back("section " + quoted(section) + " ignored");
      continue;
    }
    if (found) lines.fail("SECTION Graph is given twice");
    found = true;
    file.graph = SteinGraph(lines).read().build();
  }
  if (!found) lines.fail("SECTION Graph is missing");
  file.names = NodeNames::numbered(1, file.graph.node_count());
  return file;
}

Omissions write_pace(const GraphFile& file, const Destination& to) {
  const Graph& graph = file.graph;
  require_symmetric(graph, to.path, "PACE");
  for_each_edge(graph, [&](NodeId, NodeId, Weight weight) {
    if (weight != 1)
      throw Error(to.path +
                  ": PACE graphs have no weights, but this graph has weights other than 1; write "
                  ".stp or .gr");
  });
  TextWriter out(to.path, to.kind);
  out.put("p tw ").put(graph.node_count()).put(' ').put(edge_count(graph)).put('\n');
  for_each_edge(graph, [&](NodeId u, NodeId v, Weight) {
    out.put(std::uint64_t{u} + 1).put(' ').put(std::uint64_t{v} + 1).put('\n');
  });
  out.commit();
  return losses_of_plain_numbers(file, 1);
}

Omissions write_steinlib(const GraphFile& file, const Destination& to) {
  const Graph& graph = file.graph;
  require_symmetric(graph, to.path, "SteinLib");
  TextWriter out(to.path, to.kind);
  out.put("SECTION Graph\nNodes ").put(graph.node_count());
  out.put("\nEdges ").put(edge_count(graph)).put('\n');
  for_each_edge(graph, [&](NodeId u, NodeId v, Weight weight) {
    out.put("E ").put(std::uint64_t{u} + 1).put(' ').put(std::uint64_t{v} + 1);
    out.put(' ').put(weight).put('\n');
  });
  out.put("END\n\nEOF\n");
  out.commit();
  return losses_of_plain_numbers(file, 1);
}

}  // namespace lodestar::formats
