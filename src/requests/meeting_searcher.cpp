#include "requests/meeting_searcher.h"

namespace lodestar::requests {

MeetingSearcher::MeetingSearcher(NodeId nodes)
    : labels_(nodes), unit_queues_{UnitQueue(nodes), UnitQueue(nodes)} {}

void MeetingSearcher::begin_run() {
  run_.next([&] {
    for (Label& label : labels_) label.run = 0;
  });
  meeting_ = kNoNode;
}

std::vector<NodeId> MeetingSearcher::path() const {
  std::vector<NodeId> nodes;
  if (meeting_ == kNoNode) return nodes;
  for (NodeId v = meeting_; v != kNoNode; v = labels_[v].parent[0]) nodes.push_back(v);
  std::reverse(nodes.begin(), nodes.end());
  for (NodeId v = labels_[meeting_].parent[1]; v != kNoNode; v = labels_[v].parent[1]) {
    nodes.push_back(v);
  }
  return nodes;
}

std::vector<ArcIndex> MeetingSearcher::arcs(const ArcIndex* forward_arc) const {
  std::vector<ArcIndex> arcs;
  if (meeting_ == kNoNode) return arcs;
  for (NodeId v = meeting_; labels_[v].parent[0] != kNoNode; v = labels_[v].parent[0]) {
    arcs.push_back(labels_[v].arc[0]);
  }
  std::reverse(arcs.begin(), arcs.end());
  for (NodeId v = meeting_; labels_[v].parent[1] != kNoNode; v = labels_[v].parent[1]) {
    arcs.push_back(forward_arc[labels_[v].arc[1]]);
  }
  return arcs;
}

}  // namespace lodestar::requests
