#include "index/core_query.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace lodestar::index {
namespace {

// 16 bytes at a time; compilers turn these into one register on x86 and Arm.
typedef std::int32_t Lanes __attribute__((vector_size(16)));

constexpr std::int32_t kClamp = 1 << 29;

}  // namespace

template <class W>
CoreQuery<W>::CoreQuery(const Data& data)
    : data_(data),
      row_(data.row),
      per_unit_(data.table_unit / data.unit),
      core_(data.core),
      most_(data.row),
      least_(data.row) {
  for (Climb& end : ends_) end.labels.resize(data.nodes);
}

template <class W>
void CoreQuery<W>::begin(NodeId s, NodeId t) {
  if (++run_ == 0) {  // after 2^32 queries the stamps repeat
    for (Climb& end : ends_) std::fill(end.labels.begin(), end.labels.end(), Label{});
    std::fill(core_.begin(), core_.end(), CoreLabel{});
    run_ = 1;
  }
  effort = {};
  // Longer than any distance, and short enough that sums below it stay within 32 bits.
  best_ = std::is_same_v<W, double> ? kNever<W> : static_cast<W>(2 * kLongest32);
  meeting_ = Meeting::kNone;
  for (int end = 0; end < 2; ++end) {
    const NodeId node = end == 0 ? s : t;
    ends_[end].queue.clear();
    ends_[end].entries.clear();
    ends_[end].labels[node] = {0, run_, kNoNode, 0};
    if (node < data_.core) {
      ends_[end].entries.push_back(node);
    } else {
      ends_[end].queue.push(0, node);
    }
  }
  queue_.clear();
  queued_.clear();
}

template <class W>
void CoreQuery<W>::climb() {
  for (;;) {
    int end = -1;
    W least = best_;
    for (const int e : {0, 1}) {
      if (ends_[e].queue.empty() || !(ends_[e].queue.top().key() < least)) continue;
      least = ends_[e].queue.top().key();
      end = e;
    }
    if (end < 0) return;
    const auto top = ends_[end].queue.pop();
    if (top.key() == ends_[end].labels[top.tag()].distance) settle(end, top.tag(), top.key());
  }
}

template <class W>
void CoreQuery<W>::settle(int end, NodeId u, W distance) {
  Climb& here = ends_[end];
  const std::vector<Label>& there = ends_[1 - end].labels;
  const int along = data_.symmetric ? 0 : end;
  const int against = data_.symmetric ? 0 : 1 - end;
  ++effort.climbed;
  if (watch != nullptr) tell(u, distance, here.labels[u].parent, static_cast<Direction>(end));
  if (there[u].run == run_) {
    const W cost = distance + there[u].distance;
    if (cost < best_) {
      best_ = cost;
      meeting_ = Meeting::kBelow;
      meet_ = u;
    }
  }
  const auto up = data_.template row_of<W>(u, along);
  effort.climbed_arcs += up.size();
  for (const UpArc<W>& arc : data_.template row_of<W>(u, against)) {
    const Label& above = here.labels[arc.head];
    if (above.run == run_ && above.distance + arc.weight < distance) return;  // stalled
  }
  std::uint32_t index = data_.first[along][u];
  for (const UpArc<W>& arc : up) {
    const W reached = distance + arc.weight;
    Label& label = here.labels[arc.head];
    if (label.run == run_ ? reached < label.distance : reached < best_) {
      if (arc.head >= data_.core) {
        here.queue.push(reached, arc.head);
      } else if (label.run != run_) {
        here.entries.push_back(arc.head);
      }
      label = {reached, run_, u, index};
    }
    ++index;
  }
}

template <class W>
void CoreQuery<W>::tell(NodeId u, W distance, NodeId parent, Direction side) const {
  const Cost cost = static_cast<double>(distance) * (data_.wide ? 1 : data_.unit);
  watch->push_back(
      {data_.original[u], cost, parent == kNoNode ? kNoNode : data_.original[parent], side});
}

template <class W>
void CoreQuery<W>::bound_target() {
  if (row_ == 0) return;
  std::fill(most_.begin(), most_.end(), std::numeric_limits<std::int32_t>::max());
  std::fill(least_.begin(), least_.end(), std::numeric_limits<std::int32_t>::min());
  for (const NodeId v : ends_[1].entries) {
    const W dt = ends_[1].labels[v].distance;
    std::int32_t units;
    if constexpr (std::is_same_v<W, double>) {
      units = static_cast<std::int32_t>(std::min(dt / data_.table_unit, double{kClamp}));
    } else {
      units =
          static_cast<std::int32_t>(std::min(static_cast<double>(dt) / per_unit_, double{kClamp}));
    }
    const std::int32_t* f = data_.table.data() + std::size_t{v} * row_;
    for (std::uint32_t i = 0; i < row_; ++i) {
      most_[i] = std::min(most_[i], f[i] + units);
      least_[i] = std::max(least_[i], f[i] - units);
    }
  }
}

template <class W>
template <bool kBothWays>
W CoreQuery<W>::bound_at(NodeId u) const {
  const auto* f = reinterpret_cast<const Lanes*>(data_.table.data() + std::size_t{u} * row_);
  const auto* tp = reinterpret_cast<const Lanes*>(most_.data());
  const auto* tm = reinterpret_cast<const Lanes*>(least_.data());
  Lanes most{};
  for (std::uint32_t k = 0; k < row_ / 4; ++k) {
    const Lanes rise = tp[k] - f[k];
    most = most > rise ? most : rise;
    if constexpr (kBothWays) {
      const Lanes fall = f[k] - tm[k];
      most = most > fall ? most : fall;
    }
  }
  std::int32_t best = 0;
  for (int lane = 0; lane < 4; ++lane) best = most[lane] > best ? most[lane] : best;
  if constexpr (std::is_same_v<W, double>) return best * data_.table_unit;
  // No distance is longer than kClamp, and a consistent bound cut off at a constant stays one.
  return static_cast<W>(std::min(best * per_unit_, double{kClamp}));
}

template <class W>
typename CoreQuery<W>::CoreLabel& CoreQuery<W>::core_label(NodeId u) {
  CoreLabel& label = core_[u];
  if (label.run != run_) label = {kNever<W>, 0, kNever<W>, run_, kNoNode, 0, false};
  return label;
}

template <class W>
void CoreQuery<W>::reach(NodeId u, W distance, NodeId parent, std::uint32_t arc) {
  CoreLabel& label = core_label(u);
  if (!(distance < label.distance)) return;
  if (!label.bounded) {
    label.bound = row_ == 0 ? 0 : bound_of(u);
    label.bounded = true;
  }
  label.distance = distance;
  label.parent = parent;
  label.arc = arc;
  if (label.to_target != kNever<W> && distance + label.to_target < best_) {
    best_ = distance + label.to_target;
    meeting_ = Meeting::kCore;
    meet_ = u;
  }
  const W key = distance + label.bound;
  if (!(key < best_)) return;
  queue_.push(key, ~static_cast<std::uint32_t>(queued_.size()));
  queued_.push_back(u);
}

template <class W>
void CoreQuery<W>::cross() {
  if (ends_[0].entries.empty() || ends_[1].entries.empty()) return;
  bound_target();
  for (const NodeId v : ends_[1].entries) core_label(v).to_target = ends_[1].labels[v].distance;
  for (const NodeId u : ends_[0].entries) reach(u, ends_[0].labels[u].distance, kNoNode, 0);
  while (!queue_.empty() && queue_.top().key() < best_) {
    const auto top = queue_.pop();
    const NodeId u = queued_[~top.tag()];
    const W distance = core_[u].distance;
    if (top.key() != distance + core_[u].bound) continue;  // an old entry
    const auto arcs = data_.template row_of<W>(u, 0);
    ++effort.expanded;
    if (watch != nullptr) {
      const NodeId parent = core_[u].parent;
      tell(u, distance, parent == kNoNode ? ends_[0].labels[u].parent : parent,
           Direction::kForward);
    }
    effort.expanded_arcs += arcs.size();
    std::uint32_t index = data_.first[0][u];
    for (const UpArc<W>& arc : arcs) reach(arc.head, distance + arc.weight, u, index++);
  }
}

template <class W>
SearchResult CoreQuery<W>::run(Query query) {
  query_ = query;
  begin(data_.place[query.source], data_.place[query.target]);
  climb();
  cross();
  SearchResult result;
  result.expansions = effort.climbed + effort.expanded;
  if (meeting_ == Meeting::kNone) return result;
  if constexpr (std::is_same_v<W, double>) {
    result.cost = best_;
    if (!data_.exact && data_.paths) {
      path(scratch_);
      result.cost = path_cost(data_.graph, scratch_);
    }
  } else {
    result.cost = data_.unit * static_cast<double>(best_);
  }
  result.lower_bound = result.cost;
  return result;
}

// Appends what lies behind the arc's first node on the way, its last node included. Side 0:
// u → head, side 1: head → u. `reversed`: walked from its end to its beginning.
template <class W>
void CoreQuery<W>::append_up(NodeId u, std::uint32_t arc, NodeId head, int side, bool reversed,
                             std::vector<NodeId>& nodes) const {
  const NodeId tail_id = data_.original[side == 0 ? u : head];
  const NodeId end_id = data_.original[side == 0 ? head : u];
  const std::uint32_t range = data_.range[side][arc];
  if (range == kDirect) {
    nodes.push_back(reversed ? tail_id : end_id);
    return;
  }
  // From the tail to the end as it stands; turned round afterwards if need be.
  const std::size_t before = nodes.size();
  const std::int64_t step = (range & kBackward) != 0 ? -1 : 1;
  const auto size = static_cast<std::int64_t>(data_.words.size());
  for (std::int64_t at = range & ~kBackward;;) {
    at += step;
    if (at < 0 || at >= size) break;  // a damaged file; the path will not add up
    const NodeId node = data_.words[static_cast<std::size_t>(at)];
    if (node == end_id) break;
    nodes.push_back(node);
  }
  if (reversed) std::reverse(nodes.begin() + static_cast<std::ptrdiff_t>(before), nodes.end());
  nodes.push_back(reversed ? tail_id : end_id);
}

template <class W>
void CoreQuery<W>::path(std::vector<NodeId>& nodes) const {
  nodes.clear();
  if (meeting_ == Meeting::kNone) return;
  if (!data_.paths) {
    throw Error("the index was built without paths; build it again with them");
  }
  // From the meeting back to the source, turned round; then on to the target.
  NodeId at = meet_;
  nodes.push_back(data_.original[at]);
  if (meeting_ == Meeting::kCore) {
    while (core_[at].parent != kNoNode) {
      const CoreLabel& label = core_[at];
      append_up(label.parent, label.arc, at, 0, true, nodes);
      at = label.parent;
    }
  }
  while (ends_[0].labels[at].parent != kNoNode) {
    const Label& label = ends_[0].labels[at];
    append_up(label.parent, label.arc, at, 0, true, nodes);
    at = label.parent;
  }
  std::reverse(nodes.begin(), nodes.end());
  at = meet_;
  while (ends_[1].labels[at].parent != kNoNode) {
    const Label& label = ends_[1].labels[at];
    if (data_.symmetric) {
      append_up(label.parent, label.arc, at, 0, true, nodes);
    } else {
      append_up(label.parent, label.arc, at, 1, false, nodes);
    }
    at = label.parent;
  }
}

std::unique_ptr<Runner> make_runner(const Data& data) {
  if (data.wide) return std::make_unique<CoreQuery<double>>(data);
  return std::make_unique<CoreQuery<std::uint32_t>>(data);
}

template class CoreQuery<std::uint32_t>;
template class CoreQuery<double>;

}  // namespace lodestar::index
