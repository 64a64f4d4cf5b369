#include "bench/competitors/fastmap.h"

#include <algorithm>
#include <limits>

#include "base/min_heap.h"
#include "lodestar/rng.h"
#include "potentials/integer_graph.h"

namespace lodestar::eval {
namespace {

constexpr std::int32_t kUnreached = std::numeric_limits<std::int32_t>::max();
constexpr int kPivotTurns = 3;  // looking for two nodes far apart

// What is left of the weights once coordinates have been taken off.
class Remainder {
 public:
  Remainder(const Graph& graph, double unit) : graph_(graph, unit) {
    first_.push_back(0);
    for (NodeId u = 0; u < graph_.node_count(); ++u) {
      for (const IntegerArc& arc : graph_.arcs(u, Direction::kForward)) arcs_.push_back(arc);
      first_.push_back(static_cast<ArcIndex>(arcs_.size()));
    }
  }

  // Distances from `root`; the last node settled is the farthest.
  NodeId distances(NodeId root, std::vector<std::int32_t>& d) {
    d.assign(graph_.node_count(), kUnreached);
    d[root] = 0;
    queue_.clear();
    queue_.push(0, root);
    NodeId last = root;
    while (!queue_.empty()) {
      const auto top = queue_.pop();
      const std::uint32_t key = top.key();
      const NodeId u = top.tag();
      if (key != static_cast<std::uint32_t>(d[u])) continue;
      last = u;
      for (ArcIndex a = first_[u]; a < first_[u + 1]; ++a) {
        const std::int64_t through = std::int64_t{key} + arcs_[a].weight;
        if (through >= d[arcs_[a].head] || through > IntegerGraph::kRange) continue;
        d[arcs_[a].head] = static_cast<std::int32_t>(through);
        queue_.push(static_cast<std::uint32_t>(through), arcs_[a].head);
      }
    }
    return last;
  }

  void take_off(const std::vector<std::int32_t>& p) {
    for (NodeId u = 0; u < graph_.node_count(); ++u) {
      for (ArcIndex a = first_[u]; a < first_[u + 1]; ++a) {
        arcs_[a].weight -= static_cast<std::uint32_t>(std::abs(p[u] - p[arcs_[a].head]));
      }
    }
  }

 private:
  IntegerGraph graph_;
  std::vector<ArcIndex> first_;
  std::vector<IntegerArc> arcs_;
  MinHeap<std::uint32_t> queue_;
};

}  // namespace

FastMap::FastMap(const Graph& graph, std::uint32_t dimensions, std::uint64_t seed)
    : dimensions_(dimensions), values_(std::size_t{graph.node_count()} * dimensions, 0) {
  if (!graph.symmetric()) throw Error("FastMap needs an undirected graph");
  if (graph.node_count() == 0) return;
  const std::vector<NodeId> part = largest_part_nodes(graph);
  unit_ = choose_unit(graph, longest_distance_bound(graph, part.front()));
  Remainder remainder(graph, unit_);
  Rng rng(seed);
  std::vector<std::int32_t> from_a, from_b, p(graph.node_count());
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    NodeId b = part[rng.below(static_cast<std::uint32_t>(part.size()))], a = b;
    for (int turn = 0; turn < kPivotTurns; ++turn) {
      a = b;
      b = remainder.distances(a, from_a);
    }
    remainder.distances(b, from_b);
    const std::int32_t apart = from_a[b];
    for (NodeId v = 0; v < graph.node_count(); ++v) {
      // Halves rounded down: the difference between neighbours stays at most their whole weight.
      // Other parts are at 0 throughout.
      const bool reached = from_a[v] != kUnreached && from_b[v] != kUnreached;
      p[v] = reached ? (from_a[v] + apart - from_b[v]) / 2 : 0;
      values_[std::size_t{v} * dimensions + i] = p[v];
    }
    remainder.take_off(p);
  }
}

}  // namespace lodestar::eval
