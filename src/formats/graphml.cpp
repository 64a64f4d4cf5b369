// GraphML as OSMnx and networkx write it: keys declare what <data> holds; edges have a length,
// nodes x and y, the graph a crs. Directed or not, parallel edges, one graph per file.
#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <pugixml.hpp>
#include <utility>

#include "formats/edges.h"
#include "formats/format.h"
#include "lodestar/detail/stop.h"

namespace lodestar::formats {
namespace {

// The key of the graph under which the writer lists its metrics.
constexpr const char* kMetricsKey = "lodestar_metrics";
constexpr const char* kWeightNames[] = {"length", "weight", "travel_time"};

// What a stop function threw while the parser ran, which exceptions must not pass through.
thread_local std::exception_ptr thrown;

// The parser asks for a page of memory every few hundred elements. It ends if there is none, which
// is the only way to stop it.
void let_parser_stop() {
  static const pugi::allocation_function usual = pugi::get_memory_allocation_function();
  static const bool once = [] {
    pugi::set_memory_management_functions(
        [](std::size_t size) -> void* {
          try {
            if (StopScope::pressed()) return nullptr;
          } catch (...) {
            thrown = std::current_exception();
            return nullptr;
          }
          return usual(size);
        },
        pugi::get_memory_deallocation_function());
    return true;
  }();
  static_cast<void>(once);
}

class GraphmlReader {
 public:
  explicit GraphmlReader(const Input& input) : input_(input) {}

  GraphFile read() {
    let_parser_stop();
    const pugi::xml_parse_result parsed = document_.load_buffer(
        input_.text().data(), input_.text().size(), pugi::parse_default, pugi::encoding_utf8);
    if (parsed.status == pugi::status_out_of_memory) {
      if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
      check_stop();
      throw std::bad_alloc();
    }
    if (!parsed) fail(parsed.offset, std::string("not well-formed XML: ") + parsed.description());
    const pugi::xml_node root = document_.child("graphml");
    if (!root) fail(0, "there is no <graphml>");
    const pugi::xml_node graph = root.child("graph");
    if (!graph) fail(root, "there is no <graph>");
    if (const auto second = graph.next_sibling("graph")) fail(second, "there is a second <graph>");
    read_keys(root, graph);
    directed_ =
        std::strcmp(graph.attribute("edgedefault").as_string("directed"), "undirected") != 0;

    std::size_t step = 0;
    for (const pugi::xml_node node : graph.children("node")) {
      check_stop(++step);
      add_node(node);
    }
    for (const pugi::xml_node edge : graph.children("edge")) {
      check_stop(++step);
      add_edge(edge);
    }
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

  void read_keys(pugi::xml_node root, pugi::xml_node graph) {
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
      if (scope == "graph" && key.name == kMetricsKey) listed_ = key;
    }
    if (const auto at = edge_keys.find("class"); at != edge_keys.end() && !at->second.is_number) {
      class_ = at->second;
    }
    const std::vector<Metric> listed = listed_metrics(graph);
    choose_weight(root, edge_keys, listed);
    choose_metrics(root, edge_keys, listed);
  }

  // "time|s|0.1;length|m|0.1", as the writer lists metrics, that of the weight first.
  std::vector<Metric> listed_metrics(pugi::xml_node graph) const {
    std::vector<Metric> out;
    const char* text = value_of(graph, listed_);
    std::string_view rest = text == nullptr ? std::string_view() : trimmed(text);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      const std::string_view one = rest.substr(0, end);
      const std::size_t unit = one.find('|'), scale = one.rfind('|');
      Metric metric;
      if (unit == scale || !check_number(one.substr(scale + 1), "a scale", &metric.scale).empty() ||
          !(metric.scale > 0)) {
        fail(graph, "metrics are listed as NAME|UNIT|SCALE, not " + quoted(one));
      }
      metric.name = one.substr(0, unit);
      metric.unit = one.substr(unit + 1, scale - unit - 1);
      out.push_back(std::move(metric));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
  }

  void choose_metrics(pugi::xml_node root, const std::map<std::string, Key>& edge_keys,
                      const std::vector<Metric>& listed) {
    const auto described = [&](const std::string& name) {
      for (const Metric& metric : listed) {
        if (metric.name == name) return metric;
      }
      return Metric{name, "", 1};
    };
    std::vector<Metric> metrics = {described(weight_.id.empty() ? "hops" : weight_.name)};
    const auto add = [&](const std::string& name) {
      const auto at = edge_keys.find(name);
      if (at == edge_keys.end()) fail(root, "no edge key is named " + quoted(name));
      metric_keys_.push_back(at->second);
      metrics.push_back(described(name));
    };
    for (const std::string& name : input_.options.metrics) {
      if (weight_.id.empty() || name != weight_.name) add(name);
    }
    if (input_.options.metrics.empty()) {
      for (const Metric& metric : listed) {
        if (metric.name != weight_.name) add(metric.name);
      }
    }
    if (!metric_keys_.empty() || !class_.id.empty()) arcs_.set_metrics(std::move(metrics));
  }

  void choose_weight(pugi::xml_node root, const std::map<std::string, Key>& edge_keys,
                     const std::vector<Metric>& listed) {
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
    if (!listed.empty()) {
      take(listed[0].name);
      if (weight_.id.empty()) fail(root, "no edge key is named " + quoted(listed[0].name));
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
    const Weight weight = weight_.id.empty() ? 1 : weight_of(edge, weight_);
    const bool directed = edge.attribute("directed").as_bool(directed_);
    arcs_.add(source, target, weight, !directed);
    if (metric_keys_.empty() && class_.id.empty()) return;
    row_.clear();
    for (const Key& key : metric_keys_) row_.push_back(weight_of(edge, key));
    const char* classes = value_of(edge, class_);
    arcs_.add_metrics(row_, classes == nullptr ? "" : classes);
  }

  Weight weight_of(pugi::xml_node edge, const Key& key) const {
    Weight weight = 0;
    const char* text = value_of(edge, key);
    if (text == nullptr) fail(edge, "the edge has no " + quoted(key.name));
    const std::string problem = check_weight(trimmed(text), &weight);
    if (!problem.empty()) fail(edge, problem);
    return weight;
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
  Key listed_;
  Key class_;
  std::vector<Key> metric_keys_;
  std::vector<Weight> row_;
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
  const Metrics& metrics = file.metrics;
  TextWriter out(to.path, to.kind);
  out.put("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
  out.put("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  const auto put_key = [&](const std::string& id, const char* scope, const std::string& name,
                           const char* type) {
    out.put("  <key id=\"").put(id).put("\" for=\"").put(scope).put("\" attr.name=\"").put(name);
    out.put("\" attr.type=\"").put(type).put("\"/>\n");
  };
  // Keys of edges; the first is that of the weight.
  std::vector<std::string> keys = {"length"};
  if (metrics.empty()) put_key("length", "edge", "length", "double");
  std::string listed;
  for (std::size_t i = 0; i < metrics.metrics.size(); ++i) {
    const Metric& metric = metrics.metrics[i];
    if ((metric.name + metric.unit).find_first_of("|;") != std::string::npos) {
      throw Error(to.path + ": the metric '" + metric.name +
                  "' has a | or ; in its name or unit, which GraphML cannot store; write .lsg");
    }
    keys.resize(i + 1);
    keys[i] = "m" + std::to_string(i);
    put_key(keys[i], "edge", escaped(metric.name, to.path), "double");
    char scale[32];
    const auto end = std::to_chars(scale, scale + sizeof scale, metric.scale).ptr;
    listed += (i == 0 ? "" : ";") + metric.name + "|" + metric.unit + "|" +
              std::string(scale, static_cast<std::size_t>(end - scale));
  }
  if (!metrics.arc_kind.empty()) put_key("class", "edge", "class", "string");
  if (!metrics.empty()) put_key(kMetricsKey, "graph", kMetricsKey, "string");
  if (graph.has_coordinates()) {
    put_key("x", "node", "x", "double");
    put_key("y", "node", "y", "double");
    put_key("crs", "graph", "crs", "string");
  }
  // The metrics of an edge may differ in its two directions.
  const bool symmetric = graph.symmetric() && metrics.empty();
  out.put("  <graph edgedefault=\"").put(symmetric ? "undirected" : "directed").put("\">\n");
  if (!metrics.empty()) {
    out.put("    <data key=\"").put(kMetricsKey).put("\">").put(escaped(listed, to.path));
    out.put("</data>\n");
  }
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
  const std::vector<std::string> classes = class_texts(metrics);
  std::size_t index = 0;
  const auto put_edge = [&](NodeId u, NodeId v, Weight weight) {
    out.put("    <edge source=\"").put(escaped(file.names.name(u), to.path));
    out.put("\" target=\"").put(escaped(file.names.name(v), to.path)).put("\">");
    const auto put_weight = [&](const std::string& key, Weight value) {
      out.put("<data key=\"").put(key).put("\">").put(value).put("</data>");
    };
    put_weight(keys[0], weight);
    for (std::size_t k = 0; k < metrics.columns.size(); ++k) {
      put_weight(keys[k + 1], metrics.columns[k][index]);
    }
    if (!metrics.arc_kind.empty() && !classes[metrics.arc_kind[index]].empty()) {
      const std::string& text = classes[metrics.arc_kind[index]];
      out.put("<data key=\"class\">").put(escaped(text, to.path)).put("</data>");
    }
    out.put("</edge>\n");
    ++index;
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
  Omissions omissions = omissions_of_text_names(file);
  for (std::string& loss : omissions_of_metrics(file, true)) omissions.push_back(std::move(loss));
  return omissions;
}

}  // namespace lodestar::formats
