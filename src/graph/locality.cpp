#include "graph/locality.h"

#include <algorithm>
#include <numeric>

#include "lodestar/detail/stop.h"

namespace lodestar {
namespace {

// An undirected graph without weights, made coarser level by level.
struct Level {
  std::vector<ArcIndex> first;
  std::vector<NodeId> heads;
  NodeId size() const { return static_cast<NodeId>(first.size() - 1); }
};

Level finest(const Graph& graph) {
  Level level;
  level.first.reserve(graph.node_count() + 1);
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    check_stop(u);
    level.first.push_back(static_cast<ArcIndex>(level.heads.size()));
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      for (const Arc arc : graph.arcs(u, direction)) {
        if (arc.head != u) level.heads.push_back(arc.head);
      }
      if (graph.symmetric()) break;
    }
  }
  level.first.push_back(static_cast<ArcIndex>(level.heads.size()));
  return level;
}

// Grows clusters of up to `most` nodes breadth-first; returns each node's cluster.
std::vector<NodeId> clusters(const Level& level, NodeId most, NodeId& count) {
  std::vector<NodeId> cluster(level.size(), kNoNode);
  std::vector<NodeId> queue;
  count = 0;
  for (NodeId root = 0; root < level.size(); ++root) {
    check_stop(root);
    if (cluster[root] != kNoNode) continue;
    queue.assign(1, root);
    cluster[root] = count;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (ArcIndex a = level.first[queue[at]]; a < level.first[queue[at] + 1]; ++a) {
        if (queue.size() == most) break;
        if (cluster[level.heads[a]] != kNoNode) continue;
        cluster[level.heads[a]] = count;
        queue.push_back(level.heads[a]);
      }
    }
    ++count;
  }
  return cluster;
}

// members[first[c] … first[c+1]) = the nodes of cluster c, ascending.
struct Members {
  std::vector<NodeId> first, nodes;
  Members(const std::vector<NodeId>& cluster, NodeId count)
      : first(count + 1, 0), nodes(cluster.size()) {
    for (const NodeId c : cluster) ++first[c + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<NodeId> at(first.begin(), first.end() - 1);
    for (NodeId v = 0; v < cluster.size(); ++v) nodes[at[cluster[v]]++] = v;
  }
};

Level coarser(const Level& level, const std::vector<NodeId>& cluster, const Members& members) {
  Level result;
  std::vector<NodeId> seen(members.first.size() - 1, kNoNode);
  for (NodeId c = 0; c + 1 < members.first.size(); ++c) {
    result.first.push_back(static_cast<ArcIndex>(result.heads.size()));
    for (NodeId i = members.first[c]; i < members.first[c + 1]; ++i) {
      const NodeId u = members.nodes[i];
      for (ArcIndex a = level.first[u]; a < level.first[u + 1]; ++a) {
        const NodeId other = cluster[level.heads[a]];
        if (other == c || seen[other] == c) continue;
        seen[other] = c;
        result.heads.push_back(other);
      }
    }
  }
  result.first.push_back(static_cast<ArcIndex>(result.heads.size()));
  return result;
}

}  // namespace

std::vector<NodeId> locality_order(const Graph& graph) {
  constexpr NodeId kClusterSize = 32;
  std::vector<Members> hierarchy;
  Level level = finest(graph);
  for (;;) {
    NodeId count = 0;
    const std::vector<NodeId> cluster = clusters(level, kClusterSize, count);
    if (count == level.size()) break;  // nothing left to join
    hierarchy.emplace_back(cluster, count);
    level = coarser(level, cluster, hierarchy.back());
  }
  std::vector<NodeId> order(level.size());
  std::iota(order.begin(), order.end(), NodeId{0});
  for (; !hierarchy.empty(); hierarchy.pop_back()) {
    const Members& members = hierarchy.back();
    std::vector<NodeId> finer;
    finer.reserve(members.nodes.size());
    for (const NodeId c : order) {
      finer.insert(finer.end(), members.nodes.begin() + members.first[c],
                   members.nodes.begin() + members.first[c + 1]);
    }
    order = std::move(finer);
  }
  return order;
}

}  // namespace lodestar
