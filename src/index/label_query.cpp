#include "index/label_query.h"

#include <algorithm>

namespace lodestar::index {

void LabelQuery::across_the_core(LabelView from, LabelView to) {
  const std::size_t core = data_.core;
  const std::uint32_t* between = data_.between.data();
  const std::uint64_t* const from_end = from.hub();
  const std::uint64_t* const to_end = to.hub();
  // A row of the table serves one node of the outer loop.
  if (data_.symmetric) {
    for (const std::uint64_t* t = to.entry(); t != to_end; ++t) {
      const std::uint32_t* row = between + key_of(*t) * core;
      std::uint32_t least = kFar, at = 0;
      for (const std::uint64_t* s = from.entry(); s != from_end; ++s) {
        const std::uint32_t cost = distance_of(*s) + row[key_of(*s)];
        at = cost < least ? key_of(*s) : at;
        least = std::min(cost, least);
      }
      // `least` is the distance of s and this node of the core: |least - d| bounds the answer.
      if (least > distance_of(*t)) least_ = std::max(least_, least - distance_of(*t));
      if (least + distance_of(*t) < best_) {
        best_ = least + distance_of(*t);
        from_ = at;
        to_ = key_of(*t);
      }
    }
    return;
  }
  for (const std::uint64_t* s = from.entry(); s != from_end; ++s) {
    const std::uint32_t* row = between + key_of(*s) * core;
    for (const std::uint64_t* t = to.entry(); t != to_end; ++t) {
      const std::uint32_t cost = distance_of(*s) + row[key_of(*t)] + distance_of(*t);
      if (cost < best_) {
        best_ = cost;
        from_ = key_of(*s);
        to_ = key_of(*t);
      }
    }
  }
}

void LabelQuery::over_hubs(LabelView from, LabelView to) {
  const std::uint64_t* s = from.hub();
  const std::uint64_t* t = to.hub();
  const std::uint64_t* const s_end = from.end();
  const std::uint64_t* const t_end = to.end();
  while (s != s_end && t != t_end) {
    const std::uint32_t a = key_of(*s), b = key_of(*t);
    if (a == b) {
      const std::uint32_t cost = distance_of(*s) + distance_of(*t);
      if (cost < best_) {
        best_ = cost;
        over_hub_ = true;
        from_ = a;
      }
    }
    s += a <= b;
    t += b <= a;
  }
}

SearchResult LabelQuery::run(Query query) {
  query_ = query;
  effort = {};
  watched_ = watch != nullptr;
  if (watched_) {
    // Labels settle nothing; whoever wants to watch sees the search they stand for.
    if (!search_) search_ = std::make_unique<CoreQuery<std::uint32_t>>(data_);
    search_->watch = watch;
    const SearchResult found = search_->run(query);
    search_->watch = nullptr;
    effort = search_->effort;
    return found;
  }
  const LabelView from = label_of(query.source, 0), to = label_of(query.target, 1);
  __builtin_prefetch(from.header);
  __builtin_prefetch(to.header);
  best_ = kFar;
  least_ = 0;
  over_hub_ = false;
  across_the_core(from, to);
  if (!data_.symmetric || least_ <= from.reach() + to.reach()) over_hubs(from, to);
  SearchResult result;
  if (best_ == kFar) return result;
  result.cost = data_.cost_of(best_);
  result.lower_bound = result.cost;
  return result;
}

NodeId LabelQuery::climb(NodeId u, int end, bool hub, std::uint32_t key) const {
  const int side = data_.symmetric ? 0 : end;
  // A sound file has fewer steps than nodes; a damaged one may lead in circles.
  for (NodeId steps = 0; steps < data_.nodes; ++steps) {
    const LabelView label = label_of(data_.original[u], end);
    const std::uint64_t* item = hub ? label.hub() : label.entry();
    const std::uint64_t* const stop = hub ? label.end() : label.hub();
    while (item != stop && key_of(*item) != key) ++item;
    if (item == stop) return u;
    const std::uint8_t arc =
        data_.label_arcs[side][static_cast<std::size_t>(item - data_.labels[side].data())];
    const auto row = data_.row_of<std::uint32_t>(u, side);
    if (arc >= row.size()) return u;  // kOwnItem
    const NodeId head = row[arc].head;
    steps_.push_back({u, head, data_.first[side][u] + arc, static_cast<std::uint8_t>(side),
                      end == 1 && data_.symmetric});
    u = head;
  }
  return u;
}

// Backwards from `to` in the tree of `from`.
void LabelQuery::cross(NodeId from, NodeId to) const {
  const std::size_t core = data_.core;
  for (NodeId steps = 0; to != from && steps < core; ++steps) {
    const std::uint16_t before = data_.before[from * core + to];
    if (before == kNoBefore) return;
    const auto row = data_.row_of<std::uint32_t>(before, 0);
    const auto arc =
        std::lower_bound(row.begin(), row.end(), to,
                         [](const UpArc<std::uint32_t>& a, NodeId head) { return a.head < head; });
    if (arc == row.end() || arc->head != to) return;
    steps_.push_back({before, to,
                      data_.first[0][before] + static_cast<std::uint32_t>(arc - row.begin()), 0,
                      false});
    to = before;
  }
}

void LabelQuery::path(std::vector<NodeId>& nodes) const {
  if (watched_) {
    search_->path(nodes);
    return;
  }
  nodes.clear();
  if (best_ == kFar) return;
  if (!data_.paths) {
    throw Error("the index was built without paths; build it again with them");
  }
  steps_.clear();
  const NodeId source = data_.place[query_.source], target = data_.place[query_.target];
  climb(source, 0, over_hub_, from_);
  if (!over_hub_) {
    const auto middle = static_cast<std::ptrdiff_t>(steps_.size());
    cross(from_, to_);
    std::reverse(steps_.begin() + middle, steps_.end());
  }
  const auto down = static_cast<std::ptrdiff_t>(steps_.size());
  climb(target, 1, over_hub_, over_hub_ ? from_ : to_);
  std::reverse(steps_.begin() + down, steps_.end());
  append_steps(data_, source, steps_, nodes);
}

}  // namespace lodestar::index
