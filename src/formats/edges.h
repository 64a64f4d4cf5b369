// Named nodes and undirected edges, shared by the text formats.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lodestar/graph_io.h"

namespace lodestar::formats {

// Collects arcs between named nodes and numbers the nodes: names that are integers in ascending
// order, others alphabetically. The result does not depend on the order of lines.
//
//   NamedArcs arcs;
//   arcs.add(arcs.node("b"), arcs.node("a"), 1.5, /*both_ways=*/true);
//   arcs.build(file);
class NamedArcs {
 public:
  using Index = std::uint32_t;  // in order of appearance, not a NodeId
  static constexpr Index kNone = kNoNode;

  // The name must outlive this object; see keep().
  Index node(std::string_view name);
  Index find(std::string_view name) const;
  std::size_t node_count() const { return names_.size(); }
  // A copy of a name that lives as long as this object.
  std::string_view keep(std::string name);

  void set_point(Index node, Point point);
  bool has_point(Index node) const { return node < points_.size() && has_point_[node]; }
  std::size_t point_count() const { return point_count_; }

  void reserve(std::size_t arcs) { arcs_.reserve(arcs); }
  void add(Index tail, Index head, Weight weight, bool both_ways) {
    arcs_.push_back({tail, head, weight, both_ways});
  }

  // Metrics: the name of the weight first. The rows of arcs follow with add_metrics.
  void set_metrics(std::vector<Metric> metrics) { metrics_ = std::move(metrics); }
  // The further weights of the arc added last, and its classes, separated by blanks or semicolons.
  void add_metrics(std::span<const Weight> weights, std::string_view classes);

  // Fills in graph and names. Points are kept if every node has one.
  void build(GraphFile& file, CoordinateKind kind = CoordinateKind::kNone);

 private:
  struct RawArc {
    Index tail;
    Index head;
    Weight weight;
    bool both_ways;
  };
  NodeNames number(std::vector<NodeId>& node_of) const;
  void build_metrics(GraphFile& file, const std::vector<NodeId>& node_of) const;

  std::unordered_map<std::string_view, Index> index_;
  std::vector<std::string_view> names_;
  std::deque<std::string> kept_;
  std::vector<RawArc> arcs_;
  std::vector<Point> points_;
  std::vector<bool> has_point_;
  std::size_t point_count_ = 0;
  std::vector<Metric> metrics_;                 // empty if there are none
  std::vector<Weight> rows_;                    // [arcs] [metrics - 1]
  std::map<std::string, std::uint32_t> texts_;  // classes of an arc as written
  std::vector<std::uint32_t> arc_text_;         // [arcs]
};

// For formats of undirected edges: throws Error unless every arc has a reverse arc.
void require_symmetric(const Graph& graph, const std::string& path, const char* format);

// Calls f(u, v, weight) with u ≤ v for each edge of a symmetric graph.
template <class F>
void for_each_edge(const Graph& graph, F&& f) {
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      if (arc.head >= u) f(u, arc.head, arc.weight);
    }
  }
}
std::size_t edge_count(const Graph& graph);

// What is lost in formats that number nodes from `base` and have no coordinates.
std::vector<std::string> losses_of_plain_numbers(const GraphFile& file, std::uint64_t base);
// What is lost in formats that store names as text.
std::vector<std::string> omissions_of_text_names(const GraphFile& file);
// The classes of each kind, separated by blanks.
std::vector<std::string> class_texts(const Metrics& metrics);
// What edge lists and GraphML lose of metrics.
std::vector<std::string> omissions_of_metrics(const GraphFile& file, bool keeps_units);
std::size_t isolated_count(const Graph& graph);

}  // namespace lodestar::formats
