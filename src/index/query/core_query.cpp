#include "index/query/core_query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "index/core_bound.h"

namespace lodestar::index {
namespace {

constexpr std::int32_t kClamp = 1 << 29;

}  // namespace

template <class W, class Arcs>
CoreQuery<W, Arcs>::CoreQuery(const Data& data)
    : data_(data),
      arcs_{data.arcs_as<Arcs>(0), data.arcs_as<Arcs>(data.symmetric ? 0 : 1)},
      row_(data.row),
      per_unit_(data.potential_unit / data.unit * data.parts),
      core_arcs_(data.first[0][data.core]),
      core_(data.core),
      most_(data.row),
      least_(data.row) {}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::prefetch_row(int side, NodeId u) const {
  __builtin_prefetch(arcs_[side].at(data_.first[side][u]));
}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::begin(NodeId s, NodeId t) {
  run_.next([&] { std::fill(core_.begin(), core_.end(), CoreLabel{}); });
  effort = {};
  // Longer than any distance, and short enough that sums below it stay within 32 bits.
  best_ = std::is_same_v<W, double> ? kNever<W> : static_cast<W>(2 * kLongest32);
  meeting_ = Meeting::kNone;
  queue_.clear();
  queued_.clear();
  for (int end = 0; end < 2; ++end) {
    ends_[end].queue.clear();
    ends_[end].entries.clear();
    ends_[end].labels.clear();
  }
  for (int end = 0; end < 2; ++end) {
    const NodeId node = end == 0 ? s : t;
    prefetch_row(data_.symmetric ? 0 : end, node);
    if (node < data_.core) {
      enter(end, node, 0, kNoLabel, kDirect);
    } else {
      const std::uint32_t place = ends_[end].labels.find_or_add(node);
      ends_[end].labels[place].distance = 0;
      ends_[end].queue.push(0, place);
    }
  }
}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::meet(W cost, Meeting meeting, std::uint32_t at) {
  best_ = cost;
  meeting_ = meeting;
  meet_ = at;
}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::climb() {
  for (;;) {
    int end = -1;
    W least = best_;
    for (const int e : {0, 1}) {
      if (ends_[e].queue.empty() || !(ends_[e].queue.top().key() < least)) continue;
      least = ends_[e].queue.top().key();
      end = e;
    }
    if (end < 0) return;
    Climb& here = ends_[end];
    const auto top = here.queue.pop();
    // The row of the next one comes while this one is looked at.
    if (!here.queue.empty()) {
      prefetch_row(data_.symmetric ? 0 : end, here.labels[here.queue.top().tag()].node);
    }
    if (top.key() == here.labels[top.tag()].distance) settle(end, top.tag());
  }
}

// Reached more cheaply from above?
template <class W, class Arcs>
bool CoreQuery<W, Arcs>::stalled(int end, NodeId u, W distance) const {
  const ClimbLabels<W>& labels = ends_[end].labels;
  for (const UpArc<W>& arc : row(u, data_.symmetric ? 0 : 1 - end)) {
    W above = kNever<W>;
    if (arc.head < data_.core) {
      const CoreLabel& label = core_[arc.head];
      if (label.run == run_) above = end == 0 ? label.distance : label.to_target;
    } else if (const std::uint32_t place = labels.find(arc.head); place != kNoLabel) {
      above = labels[place].distance;
    }
    if (above != kNever<W> && above + arc.weight < distance) return true;
  }
  return false;
}

// The same on a symmetric graph, where the arcs to look back along are those up: notes where their
// heads' labels are, since relaxing needs them too.
template <class W, class Arcs>
bool CoreQuery<W, Arcs>::stalled_here(const Climb& here, int end, ArcRow<Arcs> up, W distance) {
  places_.resize(std::max(places_.size(), up.size()));
  std::uint32_t* place = places_.data();
  for (const UpArc<W>& arc : up) {
    W above = kNever<W>;
    *place = kNoLabel;
    if (arc.head < data_.core) {
      const CoreLabel& label = core_[arc.head];
      if (label.run == run_) above = end == 0 ? label.distance : label.to_target;
    } else if ((*place = here.labels.find(arc.head)) != kNoLabel) {
      above = here.labels[*place].distance;
    }
    if (above != kNever<W> && above + arc.weight < distance) return true;
    ++place;
  }
  return false;
}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::settle(int end, std::uint32_t place) {
  Climb& here = ends_[end];
  const ClimbLabels<W>& there = ends_[1 - end].labels;
  const NodeId u = here.labels[place].node;
  const W distance = here.labels[place].distance;
  const int along = data_.symmetric ? 0 : end;
  ++effort.climbed;
  if (watch != nullptr) {
    const std::uint32_t parent = here.labels[place].parent;
    tell(u, distance, parent == kNoLabel ? kNoNode : here.labels[parent].node,
         static_cast<Direction>(end));
  }
  if (const std::uint32_t other = there.find(u); other != kNoLabel) {
    const W cost = distance + there[other].distance;
    if (cost < best_) {
      meet(cost, Meeting::kBelow, end == 0 ? place : other);
      meet_there_ = end == 0 ? other : place;
    }
  }
  const auto up = row(u, along);
  effort.climbed_arcs += up.size();
  if (data_.symmetric ? stalled_here(here, end, up, distance) : stalled(end, u, distance)) return;
  std::uint32_t index = data_.first[along][u];
  const std::uint32_t* known = data_.symmetric ? places_.data() : nullptr;
  for (const UpArc<W>& arc : up) {
    const W reached = distance + arc.weight;
    if (reached < best_) {
      if (arc.head < data_.core) {
        enter(end, arc.head, reached, place, index);
      } else {
        std::uint32_t at = known != nullptr ? *known : kNoLabel;
        if (at == kNoLabel) at = here.labels.find_or_add(arc.head);
        ClimbLabel<W>& label = here.labels[at];
        if (reached < label.distance) {
          if (label.distance == kNever<W>) __builtin_prefetch(&data_.first[along][arc.head]);
          label.distance = reached;
          label.parent = place;
          label.arc = index;
          here.queue.push(reached, at);
        }
      }
    }
    ++index;
    if (known != nullptr) ++known;
  }
}

// Labels a node of the core from below.
template <class W, class Arcs>
void CoreQuery<W, Arcs>::enter(int end, NodeId u, W distance, std::uint32_t parent,
                               std::uint32_t arc) {
  CoreLabel& label = core_label(u);
  W& mine = end == 0 ? label.distance : label.to_target;
  if (!(distance < mine)) return;
  if (mine == kNever<W>) ends_[end].entries.push_back(u);
  mine = distance;
  (end == 0 ? label.parent : label.target_parent) = parent;
  (end == 0 ? label.arc : label.target_arc) = arc;
  const W other = end == 0 ? label.to_target : label.distance;
  if (other != kNever<W> && distance + other < best_) meet(distance + other, Meeting::kCore, u);
}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::tell(NodeId u, W distance, NodeId parent, Direction side) const {
  const Cost cost = data_.cost_of(static_cast<double>(distance));
  watch->push_back(
      {data_.original[u], cost, parent == kNoNode ? kNoNode : data_.original[parent], side});
}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::bound_target() {
  if (row_ == 0) return;
  std::fill(most_.begin(), most_.end(), std::numeric_limits<std::int32_t>::max());
  std::fill(least_.begin(), least_.end(), std::numeric_limits<std::int32_t>::min());
  for (const NodeId v : ends_[1].entries) {
    const W dt = core_[v].to_target;
    const auto units =
        static_cast<std::int32_t>(std::min(static_cast<double>(dt) / per_unit_, double{kClamp}));
    const std::int32_t* f = data_.potentials.data() + std::size_t{v} * row_;
    for (std::uint32_t i = 0; i < row_; ++i) {
      most_[i] = std::min(most_[i], f[i] + units);
      least_[i] = std::max(least_[i], f[i] - units);
    }
  }
}

template <class W, class Arcs>
W CoreQuery<W, Arcs>::bound_of(NodeId u) const {
  const std::int32_t* f = data_.potentials.data() + std::size_t{u} * row_;
  const std::int32_t best = data_.both_ways ? both_bound(f, most_.data(), least_.data(), row_)
                                            : rise_bound(f, most_.data(), row_);
  if constexpr (std::is_same_v<W, double>) {
    // Keys of decimals are whole numbers of parts, and the product is rounded.
    return data_.parts == 1 ? best * per_unit_ : std::floor(best * per_unit_);
  }
  // No distance is longer than kClamp, and a consistent bound cut off at a constant stays one.
  return static_cast<W>(std::min(best * per_unit_, double{kClamp}));
}

template <class W, class Arcs>
typename CoreQuery<W, Arcs>::CoreLabel& CoreQuery<W, Arcs>::core_label(NodeId u) {
  CoreLabel& label = core_[u];
  if (label.run != run_) {
    label = {kNever<W>, kNever<W>, kNever<W>, run_, kNoLabel, kDirect, kNoLabel, kDirect};
  }
  return label;
}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::enqueue(NodeId u, CoreLabel& label) {
  if (label.bound == kNever<W>) label.bound = row_ == 0 || by_distance_ ? 0 : bound_of(u);
  const W key = label.distance + label.bound;
  if (!(key < best_)) return;
  queue_.push(key, ~static_cast<std::uint32_t>(queued_.size()));
  queued_.push_back(u);
}

// Keys of doubles are rounded: beside a large bound a small distance does not show, and a node is
// taken again and again. By distance alone each is taken once more at most.
template <class W, class Arcs>
void CoreQuery<W, Arcs>::drop_bounds() {
  by_distance_ = true;
  std::vector<NodeId> nodes = queued_;
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  queue_.clear();
  queued_.clear();
  for (const NodeId u : nodes) {
    core_[u].bound = 0;
    enqueue(u, core_[u]);
  }
}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::cross() {
  if (ends_[0].entries.empty() || ends_[1].entries.empty()) return;
  // Close ends have often met at less than a path across the core can cost.
  W least = kNever<W>, rest = kNever<W>;
  for (const NodeId u : ends_[0].entries) least = std::min(least, core_[u].distance);
  for (const NodeId v : ends_[1].entries) rest = std::min(rest, core_[v].to_target);
  if (!(least + rest < best_)) return;
  bound_target();
  by_distance_ = false;
  for (const NodeId u : ends_[0].entries) enqueue(u, core_[u]);
  const std::uint64_t patience = 7 * std::uint64_t{data_.core};  // with the climbs 10 n in all
  while (!queue_.empty() && queue_.top().key() < best_) {
    if constexpr (std::is_same_v<W, double>) {
      if (effort.expanded == patience && !by_distance_) [[unlikely]] {
        drop_bounds();
        continue;
      }
    }
    const auto top = queue_.pop();
    const NodeId u = queued_[~top.tag()];
    const W distance = core_[u].distance;
    if (top.key() != distance + core_[u].bound) continue;  // an old entry
    const auto arcs = row(u, 0);
    ++effort.expanded;
    if (watch != nullptr) {
      const CoreLabel& label = core_[u];
      NodeId parent = label.parent;
      if (parent != kNoLabel && !from_core(label)) parent = ends_[0].labels[parent].node;
      tell(u, distance, parent, Direction::kForward);
    }
    effort.expanded_arcs += arcs.size();
    std::uint32_t index = data_.first[0][u];
    for (const UpArc<W>& arc : arcs) {
      CoreLabel& label = core_label(arc.head);
      const W reached = distance + arc.weight;
      if (reached < label.distance) {
        label.distance = reached;
        label.parent = u;
        label.arc = index;
        if (label.to_target != kNever<W> && reached + label.to_target < best_) {
          meet(reached + label.to_target, Meeting::kCore, arc.head);
        }
        enqueue(arc.head, label);
      }
      ++index;
    }
  }
}

template <class W, class Arcs>
SearchResult CoreQuery<W, Arcs>::run(Query query) {
  begin(data_.place[query.source], data_.place[query.target]);
  climb();
  cross();
  SearchResult result;
  result.expansions = effort.climbed + effort.expanded;
  if (meeting_ == Meeting::kNone) return result;
  result.cost = data_.cost_of(static_cast<double>(best_));
  if (data_.rounded() && data_.paths) {
    path(scratch_);
    result.cost = path_cost(data_.graph, scratch_);
  }
  result.lower_bound = result.cost;
  return result;
}

template <class W, class Arcs>
void CoreQuery<W, Arcs>::path(std::vector<NodeId>& nodes) const {
  if (meeting_ == Meeting::kNone) {
    nodes.clear();
    return;
  }
  if (!data_.paths) {
    throw Error("the index was built without paths; build it again with paths");
  }
  steps_.clear();
  const bool core = meeting_ == Meeting::kCore;
  NodeId at = meet_;
  if (core) {
    for (; core_[at].parent != kNoLabel && from_core(core_[at]); at = core_[at].parent) {
      steps_.core.push_back({core_[at].parent, at, core_[at].arc});
    }
    std::reverse(steps_.core.begin(), steps_.core.end());
  }
  const auto descend = [&](int end, NodeId from, std::uint32_t parent, std::uint32_t arc) {
    const ClimbLabels<W>& labels = ends_[end].labels;
    const ShortcutBlock* const blocks = data_.shortcuts[data_.symmetric ? 0 : end].data();
    std::vector<PathStep>& steps = end == 0 ? steps_.up : steps_.down;
    while (parent != kNoLabel) {
      const ClimbLabel<W>& below = labels[parent];
      __builtin_prefetch(blocks + arc / 64);
      steps.push_back(end == 0 ? PathStep{below.node, from, arc} : PathStep{from, below.node, arc});
      from = below.node;
      arc = below.arc;
      parent = below.parent;
    }
    return from;
  };
  if (core) {
    steps_.source = descend(0, at, core_[at].parent, core_[at].arc);
    descend(1, meet_, core_[meet_].target_parent, core_[meet_].target_arc);
  } else {
    const ClimbLabel<W>&here = ends_[0].labels[meet_], &there = ends_[1].labels[meet_there_];
    steps_.source = descend(0, here.node, here.parent, here.arc);
    descend(1, there.node, there.parent, there.arc);
  }
  writer_.write(data_, steps_, nodes);
}

std::unique_ptr<Runner> make_core_query(const Data& data) {
  if (data.wide) return std::make_unique<CoreQuery<double>>(data);
  if (data.symmetric) return std::make_unique<CoreQuery<std::uint32_t>>(data);
  return std::make_unique<CoreQuery<std::uint32_t, NarrowArcs>>(data);
}

template class CoreQuery<std::uint32_t>;
template class CoreQuery<std::uint32_t, NarrowArcs>;
template class CoreQuery<double>;

}  // namespace lodestar::index
