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
    if (arc.both_ways) {
      builder.add_edge(node_of[arc.tail], node_of[arc.head], arc.weight);
    } else {
      builder.add_arc(node_of[arc.tail], node_of[arc.head], arc.weight);
    }
  }
  if (kind != CoordinateKind::kNone && point_count_ == names_.size()) {
    std::vector<Point> points(names_.size());
    for (std::size_t i = 0; i < points.size(); ++i) points[node_of[i]] = points_[i];
    builder.set_points(kind, std::move(points));
  }
  file.graph = builder.build();
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

std::size_t isolated_count(const Graph& graph) {
  std::size_t count = 0;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    count += graph.degree(v) == 0 && graph.degree(v, Direction::kBackward) == 0;
  }
  return count;
}

}  // namespace lodestar::formats
