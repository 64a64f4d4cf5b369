#include "index/hierarchy/elimination.h"

#include <algorithm>
#include <string>

#include "lodestar/cch.h"
#include "lodestar/detail/stop.h"

namespace lodestar::index {

ArcIndex Elimination::find(NodeId u, NodeId v) const {
  const auto begin = head.begin() + first[u], end = head.begin() + first[u + 1];
  const auto found = std::lower_bound(begin, end, v);
  return found != end && *found == v ? static_cast<ArcIndex>(found - head.begin()) : kNoNode;
}

std::size_t Elimination::bytes() const {
  return 4 * (rank.size() + node.size() + first.size() + head.size() + first_low.size() +
              2 * low.size() + tail.size() + parent.size());
}

Elimination eliminate(const PlainTopology& graph, std::span<const NodeId> order,
                      std::size_t most_arcs) {
  const NodeId n = graph.size();
  Elimination made;
  made.node.assign(order.begin(), order.end());
  made.rank.resize(n);
  for (NodeId i = 0; i < n; ++i) made.rank[order[i]] = i;
  made.parent.assign(n, kNoNode);
  made.first.reserve(n + 1);
  made.first.push_back(0);
  // A node's heads are its own neighbours above and those its children hand on: the lowest head of
  // a node, its parent, takes over the others.
  std::vector<std::vector<NodeId>> handed(n);
  for (NodeId u = 0; u < n; ++u) {
    check_stop(u);
    std::vector<NodeId>& heads = handed[u];
    for (const NodeId v : graph.of(order[u])) {
      if (made.rank[v] > u) heads.push_back(made.rank[v]);
    }
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    made.head.insert(made.head.end(), heads.begin(), heads.end());
    made.tail.insert(made.tail.end(), heads.size(), u);
    if (made.head.size() > most_arcs) {
      throw TooManyShortcuts("eliminating the nodes of this graph takes more than " +
                             std::to_string(most_arcs) +
                             " shortcuts: it has no small separators; use another method");
    }
    made.first.push_back(static_cast<ArcIndex>(made.head.size()));
    if (!heads.empty()) {
      const NodeId parent = made.parent[u] = heads.front();
      handed[parent].insert(handed[parent].end(), heads.begin() + 1, heads.end());
    }
    std::vector<NodeId>().swap(heads);
  }
  made.first_low.assign(n + 1, 0);
  for (const NodeId x : made.head) ++made.first_low[x + 1];
  for (NodeId x = 0; x < n; ++x) made.first_low[x + 1] += made.first_low[x];
  made.low.resize(made.head.size());
  std::vector<ArcIndex> at(made.first_low.begin(), made.first_low.end() - 1);
  made.low_tail.resize(made.head.size());
  for (ArcIndex a = 0; a < made.head.size(); ++a) {
    made.low_tail[at[made.head[a]]] = made.tail[a];
    made.low[at[made.head[a]]++] = a;
  }
  return made;
}

std::vector<NodeId> postorder(const Elimination& e) {
  const NodeId n = e.size();
  std::vector<NodeId> below(n, 1), end(n), order(n);
  for (NodeId x = 0; x < n; ++x) {
    if (e.parent[x] != kNoNode) below[e.parent[x]] += below[x];
  }
  // From the roots down: a subtree takes the last places that its parent has left.
  NodeId free = n;
  for (NodeId x = n; x-- > 0;) {
    NodeId& last = e.parent[x] == kNoNode ? free : end[e.parent[x]];
    order[last - 1] = e.node[x];
    end[x] = last - 1;
    last -= below[x];
  }
  return order;
}

}  // namespace lodestar::index
