#include "lodestar/graph_stats.h"

#include <algorithm>
#include <cmath>

namespace lodestar {
namespace {

void count_sizes(Components& components) {
  std::vector<NodeId> size(components.count);
  for (const std::uint32_t c : components.of) ++size[c];
  components.largest = size.empty() ? 0 : *std::max_element(size.begin(), size.end());
}

// Tarjan's algorithm with an explicit stack, because long paths would overflow the call stack.
class StrongSearch {
 public:
  explicit StrongSearch(const Graph& graph)
      : graph_(graph), seen_(graph.node_count()), low_(graph.node_count()) {
    out_.of.assign(graph.node_count(), kUnassigned);
  }

  Components run() {
    for (NodeId root = 0; root < graph_.node_count(); ++root) {
      if (seen_[root] == 0) search(root);
    }
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kUnassigned = kNoNode;
  struct Frame {
    NodeId node;
    std::uint32_t next_arc;
  };

  void open(NodeId v) {
    seen_[v] = low_[v] = ++clock_;
    waiting_.push_back(v);
    frames_.push_back({v, 0});
  }

  void search(NodeId root) {
    open(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const NodeId u = frame.node;
      const ArcRange arcs = graph_.arcs(u);
      if (frame.next_arc < arcs.size()) {
        const NodeId v = arcs[frame.next_arc++].head;
        if (seen_[v] == 0) {
          open(v);
        } else if (out_.of[v] == kUnassigned) {
          low_[u] = std::min(low_[u], seen_[v]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        NodeId& low = low_[frames_.back().node];
        low = std::min(low, low_[u]);
      }
      if (low_[u] == seen_[u]) close(u);
    }
  }

  // u is the root of its component; all nodes above it on the stack belong to the component.
  void close(NodeId u) {
    NodeId v;
    do {
      v = waiting_.back();
      waiting_.pop_back();
      out_.of[v] = out_.count;
    } while (v != u);
    ++out_.count;
  }

  const Graph& graph_;
  std::vector<std::uint32_t> seen_;  // when, from 1; 0 = not yet
  std::vector<std::uint32_t> low_;   // earliest waiting node reachable
  std::vector<NodeId> waiting_;
  std::vector<Frame> frames_;
  std::uint32_t clock_ = 0;
  Components out_;
};

}  // namespace

Components weak_components(const Graph& graph) {
  Components out;
  out.of.assign(graph.node_count(), kNoNode);
  std::vector<NodeId> queue;
  for (NodeId root = 0; root < graph.node_count(); ++root) {
    if (out.of[root] != kNoNode) continue;
    const auto reach = [&](NodeId v) {
      if (out.of[v] != kNoNode) return;
      out.of[v] = out.count;
      queue.push_back(v);
    };
    reach(root);
    while (!queue.empty()) {
      const NodeId u = queue.back();
      queue.pop_back();
      for (const Arc arc : graph.arcs(u)) reach(arc.head);
      if (graph.symmetric()) continue;
      for (const Arc arc : graph.arcs(u, Direction::kBackward)) reach(arc.head);
    }
    ++out.count;
  }
  count_sizes(out);
  return out;
}

Components strong_components(const Graph& graph) {
  if (graph.symmetric()) return weak_components(graph);
  Components out = StrongSearch(graph).run();
  count_sizes(out);
  return out;
}

GraphStats graph_stats(const Graph& graph) {
  GraphStats stats;
  const NodeId n = graph.node_count();
  const Graph by_head = graph.ordered(ArcOrder::kByHead);
  stats.min_weight = kInfinity;
  stats.min_degree = n > 0 ? graph.degree(0) : 0;
  for (NodeId u = 0; u < n; ++u) {
    const ArcRange arcs = by_head.arcs(u);
    stats.min_degree = std::min(stats.min_degree, arcs.size());
    stats.max_degree = std::max(stats.max_degree, arcs.size());
    stats.isolated += arcs.empty() && graph.degree(u, Direction::kBackward) == 0;
    NodeId before = kNoNode;
    for (const Arc arc : arcs) {
      stats.self_loops += arc.head == u;
      stats.parallel_arcs += arc.head == before;
      stats.zero_weights += arc.weight == 0;
      stats.whole_weights = stats.whole_weights && arc.weight == std::floor(arc.weight);
      stats.min_weight = std::min(stats.min_weight, arc.weight);
      stats.max_weight = std::max(stats.max_weight, arc.weight);
      before = arc.head;
    }
  }
  if (graph.arc_count() == 0) stats.min_weight = 0;
  if (!graph.points().empty()) stats.box_low = stats.box_high = graph.points()[0];
  for (const Point& p : graph.points()) {
    stats.box_low = {std::min(stats.box_low.x, p.x), std::min(stats.box_low.y, p.y)};
    stats.box_high = {std::max(stats.box_high.x, p.x), std::max(stats.box_high.y, p.y)};
  }
  const Components weak = weak_components(graph);
  stats.weak = {weak.count, weak.largest};
  stats.strong = stats.weak;
  if (!graph.symmetric()) {
    const Components strong = strong_components(graph);
    stats.strong = {strong.count, strong.largest};
  }
  return stats;
}

std::vector<std::string> oddities(const GraphStats& stats) {
  std::vector<std::string> out;
  const auto add = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) out.push_back(std::to_string(count) + " " + (count == 1 ? one : many));
  };
  add(stats.self_loops, "self-loop", "self-loops");
  add(stats.parallel_arcs, "arc parallel to another", "arcs parallel to another");
  add(stats.zero_weights, "arc of weight 0", "arcs of weight 0");
  add(stats.isolated, "node without arcs", "nodes without arcs");
  return out;
}

}  // namespace lodestar
