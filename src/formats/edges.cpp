#include "formats/edges.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

namespace lodestar::formats {
namespace {

// Only the canonical form of to_string counts, so that the number determines the text.
std::optional<std::uint64_t> as_number(std::string_view text) {
  if (text.empty() || text.size() > 19 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// Calls use(name) for every class of "motorway toll" or "motorway;toll".
template <class Use>
void for_each_class(std::string_view text, Use&& use) {
  constexpr std::string_view kBetween = " \t\r\n,;";
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kBetween), text.size()));
    if (text.empty()) return;
    const std::size_t end = std::min(text.find_first_of(kBetween), text.size());
    use(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

NamedArcs::Index NamedArcs::node(std::string_view name) {
  const auto [at, added] = index_.try_emplace(name, static_cast<Index>(names_.size()));
  if (added) {
    if (names_.size() >= kNoNode) throw Error("more than 2^32 - 2 nodes");
    names_.push_back(name);
  }
  return at->second;
}

NamedArcs::Index NamedArcs::find(std::string_view name) const {
  const auto at = index_.find(name);
  return at == index_.end() ? kNone : at->second;
}

std::string_view NamedArcs::keep(std::string name) {
  if (const auto at = index_.find(name); at != index_.end()) return at->first;
  return kept_.emplace_back(std::move(name));
}

void NamedArcs::set_point(Index node, Point point) {
  if (node >= points_.size()) {
    points_.resize(names_.size());
    has_point_.resize(names_.size());
  }
  point_count_ += !has_point_[node];
  has_point_[node] = true;
  points_[node] = point;
}

NodeNames NamedArcs::number(std::vector<NodeId>& node_of) const {
  const std::size_t n = names_.size();
  std::vector<std::uint64_t> numbers(n);
  bool numeric = true;
  for (std::size_t i = 0; numeric && i < n; ++i) {
    const auto number = as_number(names_[i]);
    numeric = number.has_value();
    if (numeric) numbers[i] = *number;
  }
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return numeric ? numbers[a] < numbers[b] : names_[a] < names_[b];
  });
  node_of.resize(n);
  for (std::size_t v = 0; v < n; ++v) node_of[order[v]] = static_cast<NodeId>(v);

  if (n == 0) return NodeNames::numbered(0, 0);
  const auto count = static_cast<NodeId>(n);
  if (numeric && numbers[order.back()] - numbers[order.front()] == n - 1) {
    return NodeNames::numbered(numbers[order.front()], count);
  }
  std::vector<std::string> names(n);
  for (std::size_t v = 0; v < n; ++v) names[v] = names_[order[v]];
  return NodeNames::table(names);
}

void NamedArcs::build(GraphFile& file, CoordinateKind kind) {
  std::vector<NodeId> node_of;
  file.names = number(node_of);
  GraphBuilder builder(static_cast<NodeId>(names_.size()));
  builder.reserve(arcs_.size());
  for (const RawArc& arc : arcs_) {
    builder.add(node_of[arc.tail], node_of[arc.head], arc.weight, arc.both_ways);
  }
  if (kind != CoordinateKind::kNone && point_count_ == names_.size()) {
    std::vector<Point> points(names_.size());
    for (std::size_t i = 0; i < points.size(); ++i) points[node_of[i]] = points_[i];
    builder.set_points(kind, std::move(points));
  }
  file.graph = builder.build();
  if (!metrics_.empty()) build_metrics(file, node_of);
}

void NamedArcs::add_metrics(std::span<const Weight> weights, std::string_view classes) {
  rows_.insert(rows_.end(), weights.begin(), weights.end());
  const auto next = static_cast<std::uint32_t>(texts_.size());
  arc_text_.push_back(texts_.try_emplace(std::string(classes), next).first->second);
}

void NamedArcs::build_metrics(GraphFile& file, const std::vector<NodeId>& node_of) const {
  std::vector<ListedArc> listed;
  listed.reserve(arcs_.size());
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    const NodeId tail = node_of[arcs_[i].tail], head = node_of[arcs_[i].head];
    listed.push_back({tail, head, arcs_[i].weight, i});
    if (arcs_[i].both_ways && tail != head) listed.push_back({head, tail, arcs_[i].weight, i});
  }
  const std::vector<std::size_t> places = places_by_arc(std::move(listed));
  MetricsBuilder builder(metrics_[0]);
  const std::size_t width = metrics_.size() - 1;
  for (std::size_t k = 0; k < width; ++k) {
    std::vector<Weight> column;
    column.reserve(places.size());
    for (const std::size_t place : places) column.push_back(rows_[place * width + k]);
    builder.add(metrics_[k + 1], std::move(column));
  }
  // Classes in alphabetical order, so that the order of lines does not matter.
  std::map<std::string, std::size_t, std::less<>> classes;
  for (const auto& [text, number] : texts_) {
    for_each_class(text, [&](std::string_view name) { classes.emplace(name, 0); });
  }
  if (classes.size() > Metrics::kMostClasses) {
    file.notes.push_back("classes ignored: there are " + std::to_string(classes.size()) +
                         ", and a graph can have 64");
  } else if (!classes.empty()) {
    std::vector<std::string> names;
    for (auto& [name, number] : classes) {
      number = names.size();
      names.push_back(name);
    }
    KindTable kinds;
    std::vector<std::uint16_t> kind_of_text(texts_.size());
    for (const auto& [text, number] : texts_) {
      ArcKind kind;
      for_each_class(text, [&](std::string_view name) {
        kind.classes |= std::uint64_t{1} << classes.find(name)->second;
      });
      kind_of_text[number] = kinds.find(kind);
    }
    std::vector<std::uint16_t> arc_kind;
    arc_kind.reserve(places.size());
    for (const std::size_t place : places) arc_kind.push_back(kind_of_text[arc_text_[place]]);
    builder.set_kinds(std::move(names), kinds.kinds(), std::move(arc_kind));
  }
  file.metrics = std::move(builder).build(file.graph);
}

void require_symmetric(const Graph& graph, const std::string& path, const char* format) {
  if (graph.symmetric()) return;
  throw Error(path + ": " + format +
              " stores only undirected graphs, but this graph has one-way arcs; write .gr, .csv, "
              ".mtx, .graphml or .lsg instead");
}

std::size_t edge_count(const Graph& graph) {
  std::size_t count = 0;
  for_each_edge(graph, [&](NodeId, NodeId, Weight) { ++count; });
  return count;
}

std::vector<std::string> losses_of_plain_numbers(const GraphFile& file, std::uint64_t base) {
  std::vector<std::string> omissions;
  if (file.names.kind() != NodeNames::Kind::kNumbered || file.names.base() != base) {
    omissions.push_back("node names; nodes are numbered from " + std::to_string(base));
  }
  if (file.graph.has_coordinates()) omissions.push_back("coordinates");
  return omissions;
}

std::vector<std::string> omissions_of_text_names(const GraphFile& file) {
  if (file.names.kind() != NodeNames::Kind::kCells) return {};
  return {"the grid; its cells stay as names"};
}

std::vector<std::string> class_texts(const Metrics& metrics) {
  std::vector<std::string> texts;
  for (const ArcKind& kind : metrics.kinds) {
    std::string& text = texts.emplace_back();
    for (const std::string_view name : metrics.classes_of(kind)) {
      text.append(text.empty() ? "" : " ").append(name);
    }
  }
  return texts;
}

std::vector<std::string> omissions_of_metrics(const GraphFile& file, bool keeps_units) {
  std::vector<std::string> omissions;
  const Metrics& metrics = file.metrics;
  const auto has_unit = [](const Metric& metric) {
    return !metric.unit.empty() || metric.scale != 1;
  };
  if (!keeps_units && (std::any_of(metrics.metrics.begin(), metrics.metrics.end(), has_unit) ||
                       (!metrics.empty() && metrics.metrics[0].name != "weight"))) {
    omissions.push_back("the name of the weights, " + metrics.metrics[0].name +
                        ", and the units of metrics; .lsg and .graphml store them");
  }
  const auto has_limit = [](const ArcKind& kind) {
    return std::min({kind.max_height, kind.max_width, kind.max_weight}) < ArcKind::kNoLimit;
  };
  if (std::any_of(metrics.kinds.begin(), metrics.kinds.end(), has_limit)) {
    omissions.push_back("limits of height, width and weight; .lsg stores them");
  }
  return omissions;
}

std::size_t isolated_count(const Graph& graph) {
  std::size_t count = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    count += graph.degree(v) == 0 && graph.degree(v, Direction::kBackward) == 0;
  }
  return count;
}

}  // namespace lodestar::formats
