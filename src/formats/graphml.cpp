// GraphML as OSMnx and networkx write it: keys declare what <data> holds; edges have a length,
// nodes x and y, the graph a crs. Directed or not, parallel edges, one graph per file.
#include <algorithm>
#include <cstring>
#include <map>
#include <pugixml.hpp>

#include "formats/edges.h"
#include "formats/format.h"
#include "formats/scanner.h"
#include "formats/text_writer.h"

namespace lodestar::formats {
namespace {

constexpr const char* kWeightNames[] = {"length", "weight", "travel_time"};

class GraphmlReader {
 public:
  explicit GraphmlReader(const Input& input) : input_(input) {}

  GraphFile read() {
    const pugi::xml_parse_result parsed = document_.load_buffer(
        input_.text().data(), input_.text().size(), pugi::parse_default, pugi::encoding_utf8);
    if (!parsed) fail(parsed.offset, std::string("not well-formed XML: ") + parsed.description());
    const pugi::xml_node root = document_.child("graphml");
    if (!root) fail(0, "there is no <graphml>");
    const pugi::xml_node graph = root.child("graph");
    if (!graph) fail(root, "there is no <graph>");
    if (const auto second = graph.next_sibling("graph")) fail(second, "there is a second <graph>");
    read_keys(root);
    directed_ =
        std::strcmp(graph.attribute("edgedefault").as_string("directed"), "undirected") != 0;

    for (const pugi::xml_node node : graph.children("node")) add_node(node);
    for (const pugi::xml_node edge : graph.children("edge")) add_edge(edge);
    if (const auto odd = graph.child("hyperedge")) fail(odd, "hyperedges are not supported");

    GraphFile file;
    file.format = "GraphML";
    if (weight_.id.empty()) {
      file.notes.push_back("no weights; each is 1");
    } else {
      file.notes.push_back("weight is " + quoted(weight_.name));
    }
    if (arcs_.point_count() > 0 && arcs_.point_count() < arcs_.node_count()) {
      file.notes.push_back("coordinates ignored: only " + std::to_string(arcs_.point_count()) +
                           " nodes have them");
    }
    arcs_.build(file, arcs_.point_count() > 0 ? kind_of(graph) : CoordinateKind::kNone);
    return file;
  }

 private:
  struct Key {
    std::string id;
    std::string name;
    const char* fallback = nullptr;  // <default>
    bool is_number = false;
  };

  // Line numbers are counted only for an error.
  [[noreturn]] void fail(std::ptrdiff_t offset, const std::string& message) const {
    const std::string_view before =
        input_.text().substr(0, offset > 0 ? static_cast<std::size_t>(offset) : 0);
    const auto breaks = std::count(before.begin(), before.end(), '\n');
    throw Error::at(input_.name, static_cast<std::uint64_t>(breaks) + 1, message);
  }
  [[noreturn]] void fail(pugi::xml_node node, const std::string& message) const {
    fail(node.offset_debug(), message);
  }

  void read_keys(pugi::xml_node root) {
    std::map<std::string, Key> edge_keys;
    for (const pugi::xml_node node : root.children("key")) {
      const std::string scope = node.attribute("for").as_string("all");
      Key key{node.attribute("id").as_string(), node.attribute("attr.name").as_string()};
      const std::string_view type = node.attribute("attr.type").as_string();
      key.is_number = type == "int" || type == "long" || type == "float" || type == "double";
      if (const auto fallback = node.child("default")) key.fallback = fallback.child_value();
      if (scope == "edge" || scope == "all") edge_keys[key.name] = key;
      if (scope == "node" || scope == "all") {
        if (key.name == "x" || (x_.id.empty() && key.name == "lon")) x_ = key;
        if (key.name == "y" || (y_.id.empty() && key.name == "lat")) y_ = key;
      }
      if (scope == "graph" && key.name == "crs") crs_ = key;
    }
    const auto take = [&](const std::string& name) {
      const auto at = edge_keys.find(name);
      if (weight_.id.empty() && at != edge_keys.end()) weight_ = at->second;
    };
    const std::string& wanted = input_.options.weight;
    if (!wanted.empty()) {
      take(wanted);
      if (weight_.id.empty() && wanted != kNoWeight) {
        fail(root, "no edge key is named " + quoted(wanted));
      }
      return;
    }
    for (const char* name : kWeightNames) take(name);
    if (!weight_.id.empty()) return;
    // Using weights of 1 although the file has others would silently give another graph.
    std::string numbers;
    for (const auto& [name, key] : edge_keys) {
      if (key.is_number) numbers += (numbers.empty() ? "" : ", ") + quoted(name);
    }
    if (!numbers.empty()) {
      fail(root, "no edge key is known to hold the weight; choose one of " + numbers +
                     " with --weight, or --weight none for edges that cost 1 each");
    }
  }

  // Null if there is none.
  static const char* value_of(pugi::xml_node node, const Key& key) {
    if (key.id.empty()) return nullptr;
    for (const pugi::xml_node data : node.children("data")) {
      if (key.id == data.attribute("key").as_string()) return data.child_value();
    }
    return key.fallback;
  }

  static std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
  }

  void add_node(pugi::xml_node node) {
    const pugi::xml_attribute id = node.attribute("id");
    if (!id) fail(node, "a node without id");
    if (node.child("graph")) fail(node, "graphs within nodes are not supported");
    if (arcs_.find(id.value()) != NamedArcs::kNone) {
      fail(node, "node " + quoted(id.value()) + " is listed twice");
    }
    const NamedArcs::Index v = arcs_.node(id.value());
    const char* x = value_of(node, x_);
    const char* y = value_of(node, y_);
    if (x == nullptr || y == nullptr) return;
    const auto coordinate = [&](const char* text) {
      double value = 0;
      const std::string problem = check_number(trimmed(text), "a coordinate", &value);
      if (!problem.empty()) fail(node, problem);
      return value;
    };
    arcs_.set_point(v, {coordinate(x), coordinate(y)});
  }

  void add_edge(pugi::xml_node edge) {
    const auto end = [&](const char* attribute) {
      const char* name = edge.attribute(attribute).as_string();
      const NamedArcs::Index v = arcs_.find(name);
      if (v == NamedArcs::kNone) {
        fail(edge, std::string("the edge's ") + attribute + " " + quoted(name) + " is no node");
      }
      return v;
    };
    const NamedArcs::Index source = end("source");
    const NamedArcs::Index target = end("target");
    Weight weight = 1;
    if (!weight_.id.empty()) {
      const char* text = value_of(edge, weight_);
      if (text == nullptr) fail(edge, "the edge has no " + quoted(weight_.name));
      const std::string problem = check_weight(trimmed(text), &weight);
      if (!problem.empty()) fail(edge, problem);
    }
    const bool directed = edge.attribute("directed").as_bool(directed_);
    arcs_.add(source, target, weight, !directed);
  }

  CoordinateKind kind_of(pugi::xml_node graph) const {
    const char* text = value_of(graph, crs_);
    if (text == nullptr) return CoordinateKind::kPlane;
    const std::string_view crs = trimmed(text);
    if (crs.find("4326") != std::string_view::npos) return CoordinateKind::kDegrees;
    return crs == "grid" ? CoordinateKind::kGrid : CoordinateKind::kPlane;
  }

  const Input& input_;
  pugi::xml_document document_;
  NamedArcs arcs_;
  Key weight_;
  Key x_;
  Key y_;
  Key crs_;
  bool directed_ = true;
};

std::string escaped(const std::string& text, const std::string& path) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 32) {
      throw Error(path +
                  ": a node name contains a control character, which XML cannot store; write .lsg");
    }
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

GraphFile read_graphml(const Input& input) {
  return GraphmlReader(input).read();
}

Omissions write_graphml(const GraphFile& file, const Destination& to) {
  const Graph& graph = file.graph;
  TextWriter out(to.path, to.kind);
  out.put("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
  out.put("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  const auto put_key = [&](const char* id, const char* scope, const char* name, const char* type) {
    out.put("  <key id=\"").put(id).put("\" for=\"").put(scope).put("\" attr.name=\"").put(name);
    out.put("\" attr.type=\"").put(type).put("\"/>\n");
  };
  put_key("length", "edge", "length", "double");
  if (graph.has_coordinates()) {
    put_key("x", "node", "x", "double");
    put_key("y", "node", "y", "double");
    put_key("crs", "graph", "crs", "string");
  }
  const bool symmetric = graph.symmetric();
  out.put("  <graph edgedefault=\"").put(symmetric ? "undirected" : "directed").put("\">\n");
  const CoordinateKind kind = graph.coordinate_kind();
  if (kind != CoordinateKind::kNone) {
    out.put("    <data key=\"crs\">");
    out.put(kind == CoordinateKind::kDegrees ? "epsg:4326"
            : kind == CoordinateKind::kGrid  ? "grid"
                                             : "plane");
    out.put("</data>\n");
  }
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    out.put("    <node id=\"").put(escaped(file.names.name(v), to.path)).put('"');
    if (kind == CoordinateKind::kNone) {
      out.put("/>\n");
      continue;
    }
    const Point p = graph.points()[v];
    out.put("><data key=\"x\">").put(p.x).put("</data><data key=\"y\">").put(p.y);
    out.put("</data></node>\n");
  }
  const auto put_edge = [&](NodeId u, NodeId v, Weight weight) {
    out.put("    <edge source=\"").put(escaped(file.names.name(u), to.path));
    out.put("\" target=\"").put(escaped(file.names.name(v), to.path));
    out.put("\"><data key=\"length\">").put(weight).put("</data></edge>\n");
  };
  if (symmetric) {
    for_each_edge(graph, put_edge);
  } else {
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const Arc arc : graph.arcs(u)) put_edge(u, arc.head, arc.weight);
    }
  }
  out.put("  </graph>\n</graphml>\n");
  out.commit();
  return omissions_of_text_names(file);
}

}  // namespace lodestar::formats
