#include "index/hierarchy/nested_dissection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "index/hierarchy/plain_topology.h"
#include "index/hierarchy/vertex_cut.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {
namespace {

constexpr double kEnds = 0.25;  // share of the nodes at each end of a sweep

using Keys = std::vector<float>;

// A part of the graph that is to be ordered, with its own numbers for nodes.
struct Part {
  PlainTopology graph;
  std::vector<NodeId> nodes;  // their names in the whole graph
};

class Dissection {
 public:
  explicit Dissection(const Graph& graph) : whole_(graph), local_(graph.node_count(), kNoNode) {}

  std::vector<NodeId> run() {
    order_.resize(whole_.node_count());
    end_ = order_.size();
    Part all{plain_topology(whole_), std::vector<NodeId>(whole_.node_count())};
    for (NodeId v = 0; v < all.nodes.size(); ++v) all.nodes[v] = v;
    // Written from the back: the last separator first.
    open_.push_back(std::move(all));
    while (!open_.empty()) {
      check_stop();
      const Part part = std::move(open_.back());
      open_.pop_back();
      split(part);
    }
    return std::move(order_);
  }

 private:
  void put(NodeId node) { order_[--end_] = node; }

  void split(const Part& part) {
    const NodeId n = part.graph.size();
    if (n == 0) return;
    std::vector<char> gone(n, 0);
    if (n <= 2) {
      for (const NodeId v : part.nodes) put(v);
      return;
    }
    if (open_components(part, gone)) return;
    for (const NodeId v : separator_of(part)) {
      gone[v] = 1;
      put(part.nodes[v]);
    }
    open_components(part, gone, true);
  }

  // Opens the components of what is not gone. Without `always` only if there are several.
  bool open_components(const Part& part, const std::vector<char>& gone, bool always = false) {
    const NodeId n = part.graph.size();
    std::vector<NodeId> component;
    std::vector<char> seen(gone);
    for (NodeId root = 0; root < n; ++root) {
      if (seen[root]) continue;
      component.assign(1, root);
      seen[root] = 1;
      for (std::size_t i = 0; i < component.size(); ++i) {
        for (const NodeId v : part.graph.of(component[i])) {
          if (seen[v]) continue;
          seen[v] = 1;
          component.push_back(v);
        }
      }
      if (!always && component.size() == n) return false;
      open_.push_back(extract(part, component));
    }
    return true;
  }

  Part extract(const Part& part, std::vector<NodeId>& component) {
    std::sort(component.begin(), component.end());
    for (NodeId i = 0; i < component.size(); ++i) local_[component[i]] = i;
    Part made;
    made.nodes.reserve(component.size());
    made.graph.first.reserve(component.size() + 1);
    for (const NodeId u : component) {
      made.nodes.push_back(part.nodes[u]);
      made.graph.first.push_back(static_cast<ArcIndex>(made.graph.heads.size()));
      for (const NodeId v : part.graph.of(u)) {
        if (local_[v] != kNoNode) made.graph.heads.push_back(local_[v]);
      }
    }
    made.graph.first.push_back(static_cast<ArcIndex>(made.graph.heads.size()));
    for (const NodeId u : component) local_[u] = kNoNode;
    return made;
  }

  // The smallest of the cuts of all sweeps, measured by its size over the smaller side it leaves.
  std::vector<NodeId> separator_of(const Part& part) {
    const NodeId n = part.graph.size();
    std::vector<NodeId> sorted(n), best;
    double best_worth = 0;
    const auto ends = std::max<NodeId>(1, static_cast<NodeId>(kEnds * n));
    for (const Keys& keys : sweeps(part)) {
      check_stop();
      for (NodeId v = 0; v < n; ++v) sorted[v] = v;
      const auto before = [&](NodeId u, NodeId v) {
        return keys[u] != keys[v] ? keys[u] < keys[v] : u < v;
      };
      std::nth_element(sorted.begin(), sorted.begin() + ends, sorted.end(), before);
      std::nth_element(sorted.begin() + ends, sorted.end() - ends, sorted.end(), before);
      const std::span<const NodeId> all(sorted);
      const std::size_t most = best.empty() ? n : 2 * best.size();
      if (!cut_.run(part.graph, all.first(ends), all.last(ends), most)) continue;
      const double worth = static_cast<double>(cut_.smaller_side() + 1) /
                           static_cast<double>(cut_.separator().size());
      if (!best.empty() && worth <= best_worth) continue;
      best_worth = worth;
      best.assign(cut_.separator().begin(), cut_.separator().end());
    }
    return best;
  }

  std::vector<Keys> sweeps(const Part& part) {
    return whole_.has_coordinates() ? by_coordinates(part) : by_hops(part);
  }

  std::vector<Keys> by_coordinates(const Part& part) const {
    constexpr int kDirections = 4;
    std::vector<Keys> result;
    const auto points = whole_.points();
    for (int i = 0; i < kDirections; ++i) {
      const double angle = std::numbers::pi * i / kDirections;
      const double x = std::cos(angle), y = std::sin(angle);
      Keys& keys = result.emplace_back();
      keys.reserve(part.nodes.size());
      for (const NodeId v : part.nodes) {
        keys.push_back(static_cast<float>(x * points[v].x + y * points[v].y));
      }
    }
    return result;
  }

  // Hops from a minus hops from b for pairs of four nodes: a is far from anywhere, b far from a, c
  // far from both, d far from c.
  static std::vector<Keys> by_hops(const Part& part) {
    const NodeId n = part.graph.size();
    const auto farthest = [](const Keys& keys) {
      return static_cast<NodeId>(std::max_element(keys.begin(), keys.end()) - keys.begin());
    };
    std::array<Keys, 4> from;
    from[0] = hops(part.graph, farthest(hops(part.graph, 0)));
    from[1] = hops(part.graph, farthest(from[0]));
    Keys nearer(n);
    for (NodeId v = 0; v < n; ++v) nearer[v] = std::min(from[0][v], from[1][v]);
    from[2] = hops(part.graph, farthest(nearer));
    from[3] = hops(part.graph, farthest(from[2]));
    std::vector<Keys> result;
    for (const auto& [a, b] : {std::pair{0, 1}, {2, 3}, {0, 2}, {1, 2}}) {
      Keys& keys = result.emplace_back(n);
      for (NodeId v = 0; v < n; ++v) keys[v] = from[a][v] - from[b][v];
    }
    return result;
  }

  static Keys hops(const PlainTopology& graph, NodeId root) {
    Keys keys(graph.size(), -1);
    std::vector<NodeId> queue(1, root);
    keys[root] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const NodeId v : graph.of(queue[i])) {
        if (keys[v] >= 0) continue;
        keys[v] = keys[queue[i]] + 1;
        queue.push_back(v);
      }
    }
    return keys;
  }

  const Graph& whole_;
  std::vector<NodeId> order_;
  std::size_t end_ = 0;  // where the next node of the order goes, from the back
  std::vector<Part> open_;
  std::vector<NodeId> local_;
  VertexCut cut_;
};

}  // namespace

std::vector<NodeId> nested_dissection_order(const Graph& graph) {
  return Dissection(graph).run();
}

}  // namespace lodestar::index
