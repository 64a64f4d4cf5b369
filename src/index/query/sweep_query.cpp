#include "index/query/sweep_query.h"

#include <algorithm>

namespace lodestar::index {

SweepQuery::SweepQuery(const Data& data) : Watchable(data), walk_(data) {
  for (Climb& end : ends_) end.core.resize(data.core);
}

void SweepQuery::begin(int end, NodeId from) {
  Climb& here = ends_[end];
  for (const NodeId u : here.entries) here.core[u].distance = kFar;
  here.entries.clear();
  here.labels.clear();
  here.waiting.clear();
  if (from < data_.core) {
    here.core[from] = {0, kNoLabel, kDirect};
    here.entries.push_back(from);
    return;
  }
  const std::uint32_t place = here.labels.find_or_add(from);
  here.labels[place].distance = 0;
  here.waiting.push_back(std::uint64_t{from} << 32 | place);
}

// Is u reached more cheaply from above? What is above it may still come nearer, so that this is
// not always seen; but what is seen is true.
bool SweepQuery::stalled(const Climb& here, int side, NodeId u, std::uint32_t distance) {
  if (!data_.symmetric) return false;
  std::uint32_t* place = places_.data();
  for (const UpArc<std::uint32_t>& arc : data_.row_of<std::uint32_t>(u, side)) {
    std::uint32_t above = kFar;
    *place = kNoLabel;
    if (arc.head < data_.core) {
      above = here.core[arc.head].distance;
    } else if ((*place = here.labels.find(arc.head)) != kNoLabel) {
      above = here.labels[*place].distance;
    }
    if (above + arc.weight < distance) return true;
    ++place;
  }
  return false;
}

// Takes the next node of an end.
void SweepQuery::climb(int end) {
  Climb& here = ends_[end];
  const ClimbLabels<std::uint32_t>& there = ends_[1 - end].labels;
  const int side = data_.symmetric ? 0 : end;
  const std::uint32_t* const first = data_.first[side].data();
  const auto* const arcs = reinterpret_cast<const UpArc<std::uint32_t>*>(data_.arcs[side].data());
  const NodeId core = data_.core;
  const auto place = static_cast<std::uint32_t>(here.waiting.back());
  here.waiting.pop_back();
  // The row of the next one comes while this one and one of the other end are looked at.
  if (!here.waiting.empty()) {
    __builtin_prefetch(arcs + first[static_cast<NodeId>(here.waiting.back() >> 32)]);
  }
  const NodeId u = here.labels[place].node;
  const std::uint32_t distance = here.labels[place].distance;
  ++effort.climbed;
  // Whichever end takes a node last sees what is final at both.
  const std::uint32_t other = there.find(u);
  if (other != kNoLabel && distance + there[other].distance < best_) {
    best_ = distance + there[other].distance;
    meet_[end] = place;
    meet_[1 - end] = other;
  }
  if (distance >= best_) return;
  const std::uint32_t stop = first[u + 1];
  effort.climbed_arcs += stop - first[u];
  places_.resize(std::max<std::size_t>(places_.size(), stop - first[u]));
  if (stalled(here, side, u, distance)) return;
  // On a symmetric graph these are the arcs just looked along: their labels are known.
  const std::uint32_t* known = data_.symmetric ? places_.data() : nullptr;
  for (std::uint32_t arc = first[u]; arc != stop; ++arc) {
    const NodeId head = arcs[arc].head;
    const std::uint32_t reached = distance + arcs[arc].weight;
    std::uint32_t at = known != nullptr ? *known++ : kNoLabel;
    if (reached >= best_) continue;
    if (head < core) {
      CoreLabel& label = here.core[head];
      if (reached >= label.distance) continue;
      if (label.distance == kFar) here.entries.push_back(head);
      label = {reached, place, arc};
      continue;
    }
    if (at == kNoLabel) at = here.labels.find_or_add(head);
    ClimbLabel<std::uint32_t>& label = here.labels[at];
    if (reached >= label.distance) continue;
    const bool fresh = label.distance == kNever<std::uint32_t>;
    label.distance = reached;
    label.parent = place;
    label.arc = arc;
    if (!fresh) continue;
    __builtin_prefetch(first + head);
    // Few wait, and new ones mostly lie above them.
    const std::uint64_t item = std::uint64_t{head} << 32 | at;
    std::size_t slot = here.waiting.size();
    here.waiting.push_back(item);
    std::uint64_t* const waiting = here.waiting.data();
    for (; slot > 0 && waiting[slot - 1] > item; --slot) waiting[slot] = waiting[slot - 1];
    waiting[slot] = item;
  }
}

void SweepQuery::cross() {
  sources_.clear();
  std::uint32_t nearest = kFar;
  for (const NodeId u : ends_[0].entries) {
    sources_.push_back({u, ends_[0].core[u].distance});
    nearest = std::min(nearest, sources_.back().distance);
  }
  for (const NodeId v : ends_[1].entries) {
    const std::uint32_t rest = ends_[1].core[v].distance;
    if (nearest + rest >= best_) continue;
    const std::uint32_t* row = data_.between.data() + std::size_t{v} * data_.core;
    std::uint32_t least = kFar;
    NodeId at = 0;
    for (const Source& source : sources_) {
      const std::uint32_t cost = source.distance + row[source.node];
      at = cost < least ? source.node : at;
      least = std::min(cost, least);
    }
    effort.expanded_arcs += sources_.size();
    if (least + rest >= best_) continue;
    best_ = least + rest;
    in_core_ = true;
    meet_[0] = at;
    meet_[1] = v;
  }
}

std::uint32_t SweepQuery::answer(Query query) {
  const NodeId s = data_.place[query.source], t = data_.place[query.target];
  __builtin_prefetch(&data_.first[0][s]);
  __builtin_prefetch(&data_.first[data_.symmetric ? 0 : 1][t]);
  best_ = kFar;
  in_core_ = false;
  begin(0, s);
  begin(1, t);
  // In turns, so that one end's memory comes while the other's is looked at.
  while (!ends_[0].waiting.empty() || !ends_[1].waiting.empty()) {
    for (const int end : {0, 1}) {
      if (!ends_[end].waiting.empty()) climb(end);
    }
  }
  cross();
  return best_;
}

// An end takes its nodes by falling numbers, in turns with the other: the labels tell all of it.
bool SweepQuery::tell(std::vector<IndexStep>& told) const {
  std::vector<ClimbLabel<std::uint32_t>> climbed[2];
  for (const int end : {0, 1}) {
    const ClimbLabels<std::uint32_t>& labels = ends_[end].labels;
    for (std::uint32_t place = 0; place < labels.size(); ++place) {
      climbed[end].push_back(labels[place]);
    }
    std::sort(climbed[end].begin(), climbed[end].end(),
              [](const auto& one, const auto& other) { return one.node > other.node; });
  }
  const std::size_t turns = std::max(climbed[0].size(), climbed[1].size());
  for (std::size_t turn = 0; turn < turns; ++turn) {
    for (const int end : {0, 1}) {
      if (turn >= climbed[end].size()) continue;
      const ClimbLabel<std::uint32_t>& label = climbed[end][turn];
      const NodeId parent =
          label.parent == kNoLabel ? kNoNode : data_.original[ends_[end].labels[label.parent].node];
      told.push_back({data_.original[label.node], data_.cost_of(label.distance), parent,
                      end == 0 ? Direction::kForward : Direction::kBackward});
    }
  }
  return true;
}

NodeId SweepQuery::descend(int end, std::vector<PathStep>& steps) const {
  const Climb& here = ends_[end];
  const auto side = static_cast<std::uint8_t>(data_.symmetric ? 0 : end);
  NodeId node = meet_[end];
  std::uint32_t parent = 0, arc = 0;
  const auto look = [&](const auto& label) {
    parent = label.parent;
    arc = label.arc;
  };
  if (in_core_) {
    look(here.core[node]);
  } else {
    look(here.labels[meet_[end]]);
    node = here.labels[meet_[end]].node;
  }
  while (parent != kNoLabel) {
    const ClimbLabel<std::uint32_t>& below = here.labels[parent];
    __builtin_prefetch(&data_.shortcuts[side][arc / 64]);
    steps.push_back({below.node, node, arc, side, end == 1 && data_.symmetric});
    node = below.node;
    look(below);
  }
  return node;
}

NodeId SweepQuery::steps(std::vector<PathStep>& steps) const {
  const NodeId source = descend(0, steps);
  std::reverse(steps.begin(), steps.end());
  if (in_core_) walk_.append(meet_[0], meet_[1], steps);
  descend(1, steps);
  return source;
}

}  // namespace lodestar::index
