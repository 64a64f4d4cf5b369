#include "index/hierarchy/plain_topology.h"

#include <algorithm>

namespace lodestar::index {

PlainTopology plain_topology(const Graph& graph) {
  PlainTopology plain;
  plain.first.reserve(graph.node_count() + 1);
  std::vector<NodeId> heads;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    plain.first.push_back(static_cast<ArcIndex>(plain.heads.size()));
    heads.clear();
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      for (const Arc arc : graph.arcs(u, direction)) {
        if (arc.head != u) heads.push_back(arc.head);
      }
      if (graph.symmetric()) break;
    }
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    plain.heads.insert(plain.heads.end(), heads.begin(), heads.end());
  }
  plain.first.push_back(static_cast<ArcIndex>(plain.heads.size()));
  return plain;
}

}  // namespace lodestar::index
