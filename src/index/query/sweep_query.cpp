#include "index/query/sweep_query.h"

#include <algorithm>

namespace lodestar::index {
namespace {

// Arcs up per node from which on more nodes are stalled by distance than sorting costs.
constexpr double kManyArcs = 2.1;
// Ends whose numbers differ by less than this part of all nodes are probably close.
constexpr NodeId kNearPart = 32;

}  // namespace

template <class Arcs>
SweepQuery<Arcs>::SweepQuery(const Data& data)
    : Watchable(data),
      arcs_{data.arcs_as<Arcs>(0), data.arcs_as<Arcs>(kStalls ? 0 : 1)},
      first_{data.first[0].data(), data.first[kStalls ? 0 : 1].data()},
      often_stalls_(data.first[0].back() > kManyArcs * data.nodes),
      walk_(data) {
  for (Climb& end : ends_) end.core.resize(data.core);
}

template <class Arcs>
void SweepQuery<Arcs>::begin(int end, NodeId from) {
  Climb& here = ends_[end];
  for (const NodeId u : here.entries) here.core[u].distance = kFar;
  here.entries.clear();
  here.labels.clear();
  here.waiting.clear();
  here.taken = 0;
  if (from < data_.core) {
    here.core[from] = {0, kNoLabel, kDirect};
    here.entries.push_back(from);
    return;
  }
  const std::uint32_t place = here.labels.find_or_add(from);
  here.labels[place].distance = 0;
  here.waiting.push_back((by_number_ ? std::uint64_t{from} << 32 : 0) | place);
}

// Is u reached more cheaply from above? By number, what is above may still come nearer, so that
// this is not always seen; but what is seen is true.
template <class Arcs>
[[gnu::always_inline]] inline bool SweepQuery<Arcs>::stalled(const Climb& here, NodeId u,
                                                             std::uint32_t distance) {
  std::uint32_t* place = places_.data();
  const std::uint32_t stop = first_[0][u + 1];
  for (std::uint32_t a = first_[0][u]; a != stop; ++a) {
    const UpArc<std::uint32_t> arc = arcs_[0][a];
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

// Takes the next node of an end; false if there is none. By number there must be one.
template <class Arcs>
template <bool kByNumber>
bool SweepQuery<Arcs>::climb(int end) {
  Climb& here = ends_[end];
  const ClimbLabels<std::uint32_t>& there = ends_[1 - end].labels;
  const std::uint32_t* const first = first_[end];
  const Arcs arcs = arcs_[end];
  const NodeId core = data_.core;
  std::uint32_t place;
  // The row of the next one comes while this one and one of the other end are looked at.
  if constexpr (kByNumber) {
    place = static_cast<std::uint32_t>(here.waiting.back());
    here.waiting.pop_back();
    if (!here.waiting.empty()) {
      __builtin_prefetch(arcs.at(first[static_cast<NodeId>(here.waiting.back() >> 32)]));
    }
  } else {
    if (here.taken == here.waiting.size()) return false;
    const std::uint64_t next = here.waiting[here.taken];
    if (next >> 32 >= best_) return false;
    place = static_cast<std::uint32_t>(next);
    if (++here.taken < here.waiting.size()) {
      const auto after = static_cast<std::uint32_t>(here.waiting[here.taken]);
      __builtin_prefetch(arcs.at(first[here.labels[after].node]));
    }
    if (next >> 32 != here.labels[place].distance) return true;  // it was taken at less
  }
  const NodeId u = here.labels[place].node;
  const std::uint32_t distance = here.labels[place].distance;
  ++effort.climbed;
  // Whichever end takes a node last sees what is final at both.
  const std::uint32_t other = there.find(u);
  if (other != kNoLabel && distance + there[other].distance < best_) {
    best_ = distance + there[other].distance;
    in_core_ = false;
    meet_[end] = place;
    meet_[1 - end] = other;
  }
  if (distance >= best_) return true;
  const std::uint32_t stop = first[u + 1];
  effort.climbed_arcs += stop - first[u];
  if constexpr (kStalls) {
    if (places_.size() < stop - first[u]) places_.resize(stop - first[u]);
    if (stalled(here, u, distance)) return true;
  }
  // On a symmetric graph these are the arcs just looked along: their labels are known.
  const std::uint32_t* known = places_.data();
  for (std::uint32_t arc = first[u]; arc != stop; ++arc) {
    const UpArc<std::uint32_t> up = arcs[arc];
    const NodeId head = up.head;
    const std::uint32_t reached = distance + up.weight;
    std::uint32_t at = kNoLabel;
    if constexpr (kStalls) at = *known++;
    if (reached >= best_) continue;
    if (head < core) {
      CoreLabel& label = here.core[head];
      if (reached >= label.distance) continue;
      if (label.distance == kFar) here.entries.push_back(head);
      label = {reached, place, arc};
      if constexpr (kByNumber) continue;  // cross() will see it
      if (const std::uint32_t cost = reached + ends_[1 - end].core[head].distance; cost < best_) {
        best_ = cost;
        in_core_ = true;
        meet_[0] = meet_[1] = head;
      }
      continue;
    }
    if (at == kNoLabel) at = here.labels.find_or_add_here(head);
    ClimbLabel<std::uint32_t>& label = here.labels[at];
    if (reached >= label.distance) continue;
    const bool fresh = label.distance == kNever<std::uint32_t>;
    label.distance = reached;
    label.parent = place;
    label.arc = arc;
    if (kByNumber && !fresh) continue;
    __builtin_prefetch(first + head);
    // Few wait, and new ones mostly have larger numbers and distances.
    const std::uint64_t item = std::uint64_t{kByNumber ? head : reached} << 32 | at;
    std::size_t slot = here.waiting.size();
    here.waiting.push_back(item);
    std::uint64_t* const waiting = here.waiting.data();
    const std::size_t least = kByNumber ? 0 : here.taken;
    for (; slot > least && waiting[slot - 1] > item; --slot) waiting[slot] = waiting[slot - 1];
    waiting[slot] = item;
  }
  return true;
}

// In turns, so that one end's memory comes while the other's is looked at.
template <class Arcs>
template <bool kByNumber>
void SweepQuery<Arcs>::climb_all() {
  for (bool more = true; more;) {
    more = false;
    for (const int end : {0, 1}) {
      if (kByNumber && ends_[end].waiting.empty()) continue;
      more |= climb<kByNumber>(end);
    }
  }
}

template <class Arcs>
void SweepQuery<Arcs>::cross() {
  sources_.clear();
  std::uint32_t nearest = kFar;
  for (const NodeId u : ends_[0].entries) {
    sources_.push_back({u, ends_[0].core[u].distance});
    nearest = std::min(nearest, sources_.back().distance);
  }
  for (const NodeId v : ends_[1].entries) {
    const std::uint32_t rest = ends_[1].core[v].distance;
    if (nearest + rest >= best_) continue;
    const std::uint32_t* row = data_.between_of<std::uint32_t>() + std::size_t{v} * data_.core;
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

template <class Arcs>
std::uint32_t SweepQuery<Arcs>::answer(Query query) {
  const NodeId s = data_.place[query.source], t = data_.place[query.target];
  __builtin_prefetch(first_[0] + s);
  __builtin_prefetch(first_[1] + t);
  best_ = kFar;
  in_core_ = false;
  by_number_ = !often_stalls_ && (s > t ? s - t : t - s) >= data_.nodes / kNearPart;
  begin(0, s);
  begin(1, t);
  by_number_ ? climb_all<true>() : climb_all<false>();
  cross();
  return best_;
}

// The ends take turns. By number the labels tell all of it; by distance the list of taken ones.
template <class Arcs>
bool SweepQuery<Arcs>::tell(std::vector<IndexStep>& told) const {
  std::vector<ClimbLabel<std::uint32_t>> climbed[2];
  for (const int end : {0, 1}) {
    const Climb& here = ends_[end];
    for (std::uint32_t place = 0; by_number_ && place < here.labels.size(); ++place) {
      climbed[end].push_back(here.labels[place]);
    }
    for (std::size_t i = 0; i < here.taken; ++i) {
      const auto& label = here.labels[static_cast<std::uint32_t>(here.waiting[i])];
      if (here.waiting[i] >> 32 == label.distance) climbed[end].push_back(label);
    }
    if (!by_number_) continue;
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

template <class Arcs>
NodeId SweepQuery<Arcs>::descend(int end, std::vector<PathStep>& steps) const {
  const Climb& here = ends_[end];
  const ShortcutBlock* const blocks = data_.shortcuts[kStalls ? 0 : end].data();
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
    __builtin_prefetch(blocks + arc / 64);
    steps.push_back(end == 0 ? PathStep{below.node, node, arc} : PathStep{node, below.node, arc});
    node = below.node;
    look(below);
  }
  return node;
}

template <class Arcs>
void SweepQuery<Arcs>::steps(PathSteps& steps) const {
  steps.source = descend(0, steps.up);
  descend(1, steps.down);
  if (in_core_) walk_.append(meet_[0], meet_[1], steps);
}

template class SweepQuery<PlainArcs<std::uint32_t>>;
template class SweepQuery<NarrowArcs>;

}  // namespace lodestar::index
