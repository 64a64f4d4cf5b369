// .cedge: `EDGE U V LENGTH` per undirected edge; .cnode: `NODE X Y`. Ids are words. With a
// .cnode file the nodes are those in it, otherwise those of the edges.
#include "formats/edges.h"
#include "formats/format.h"

namespace lodestar::formats {
namespace {

void read_nodes(const Input& input, NamedArcs& arcs) {
  Lines lines(input.text(), input.name);
  while (lines.next_content("#")) {
    Fields fields(lines);
    const std::string_view name = fields.next();
    const NamedArcs::Index v = arcs.node(name);
    if (arcs.has_point(v)) lines.fail("node " + quoted(name) + " is listed twice");
    const double x = fields.number("a coordinate");
    arcs.set_point(v, {x, fields.number("a coordinate")});
    fields.finish();
  }
}

}  // namespace

GraphFile read_cedge(const Input& input, const Input* nodes) {
  GraphFile file;
  file.format = "cedge";
  NamedArcs arcs;
  if (nodes != nullptr) read_nodes(*nodes, arcs);
  Lines lines(input.text(), input.name);
  while (lines.next_content("#")) {
    Fields fields(lines);
    fields.next();  // the edge's own id
    const auto node = [&] {
      const std::string_view name = fields.next();
      if (name.empty()) lines.fail("`EDGE U V LENGTH` expected");
      if (nodes == nullptr) return arcs.node(name);
      const NamedArcs::Index v = arcs.find(name);
      if (v == NamedArcs::kNone) lines.fail("node " + quoted(name) + " is not in " + nodes->name);
      return v;
    };
    const NamedArcs::Index u = node();
    const NamedArcs::Index v = node();
    arcs.add(u, v, fields.weight(), true);
    fields.finish();
  }
  arcs.build(file, nodes != nullptr ? CoordinateKind::kPlane : CoordinateKind::kNone);
  return file;
}

GraphFile read_cedge_alone(const Input& input) {
  return read_cedge(input, nullptr);
}

Omissions write_cedge(const GraphFile& file, const Destination& to) {
  const Graph& graph = file.graph;
  require_symmetric(graph, to.path, ".cedge");
  Omissions omissions = omissions_of_text_names(file);
  bool words = true;
  if (file.names.kind() == NodeNames::Kind::kTable) {
    for (NodeId v = 0; words && v < graph.node_count(); ++v) {
      const std::string name = file.names.name(v);
      words = !name.empty() && name.front() != '#' &&
              name.find_first_of(" \t\r\n") == std::string::npos;
    }
  }
  if (!words) omissions.push_back("node names; nodes are numbered from 0");
  const auto name = [&](NodeId v) { return words ? file.names.name(v) : std::to_string(v); };

  if (graph.has_coordinates() && !to.has_siblings()) {
    omissions.push_back(kNoSibling);
  } else if (graph.has_coordinates()) {
    const Destination beside = to.sibling(".cnode");
    TextWriter out(beside.path, beside.kind);
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      out.put(name(v)).put(' ').put(graph.points()[v].x).put(' ').put(graph.points()[v].y);
      out.put('\n');
    }
    out.commit();
    if (graph.coordinate_kind() != CoordinateKind::kPlane) {
      omissions.push_back("the kind of coordinates; they read back as a plane's");
    }
  } else if (const std::size_t isolated = isolated_count(graph); isolated > 0) {
    omissions.push_back("nodes without arcs: " + std::to_string(isolated));
  }
  TextWriter out(to.path, to.kind);
  std::uint64_t edge = 0;
  for_each_edge(graph, [&](NodeId u, NodeId v, Weight weight) {
    out.put(edge++).put(' ').put(name(u)).put(' ').put(name(v)).put(' ').put(weight).put('\n');
  });
  out.commit();
  return omissions;
}

}  // namespace lodestar::formats
