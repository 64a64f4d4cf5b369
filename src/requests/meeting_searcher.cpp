#include "requests/meeting_searcher.h"

namespace lodestar::requests {

MeetingSearcher::MeetingSearcher(NodeId nodes)
    : labels_(nodes), slot_of_(nodes), unit_queues_{UnitQueue(nodes), UnitQueue(nodes)} {}

std::vector<NodeId> MeetingSearcher::path() const {
  std::vector<NodeId> nodes;
  if (meeting_ == kNoSlot) return nodes;
  for (Slot at = meeting_; at != kNoSlot; at = labels_[at].parent[0]) {
    nodes.push_back(labels_[at].node);
  }
  std::reverse(nodes.begin(), nodes.end());
  for (Slot at = labels_[meeting_].parent[1]; at != kNoSlot; at = labels_[at].parent[1]) {
    nodes.push_back(labels_[at].node);
  }
  return nodes;
}

std::vector<ArcIndex> MeetingSearcher::arcs(const ArcIndex* forward_arc) const {
  std::vector<ArcIndex> arcs;
  if (meeting_ == kNoSlot) return arcs;
  for (Slot at = meeting_; labels_[at].parent[0] != kNoSlot; at = labels_[at].parent[0]) {
    arcs.push_back(labels_[at].arc[0]);
  }
  std::reverse(arcs.begin(), arcs.end());
  for (Slot at = meeting_; labels_[at].parent[1] != kNoSlot; at = labels_[at].parent[1]) {
    arcs.push_back(forward_arc[labels_[at].arc[1]]);
  }
  return arcs;
}

}  // namespace lodestar::requests
