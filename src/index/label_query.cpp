#include "index/label_query.h"

#include <algorithm>

namespace lodestar::index {

void LabelQuery::across_the_core(LabelView from, LabelView to) {
  const std::size_t core = data_.core;
  const std::uint32_t* between = data_.between.data();
  const std::uint64_t* const from_end = from.hub();
  const std::uint64_t* const to_end = to.hub();
  for (const std::uint64_t* t = to.entry(); t != to_end; ++t) {
    const std::uint32_t* row = between + key_of(*t) * core;
    std::uint32_t least = kFar, at = 0;
    for (const std::uint64_t* s = from.entry(); s != from_end; ++s) {
      const std::uint32_t cost = distance_of(*s) + row[key_of(*s)];
      at = cost < least ? key_of(*s) : at;
      least = std::min(cost, least);
    }
    // `least` is the distance from s to this node of the core: on a symmetric graph less what t is
    // away from it a bound.
    if (least > distance_of(*t)) least_ = std::max(least_, least - distance_of(*t));
    if (least + distance_of(*t) < best_) {
      best_ = least + distance_of(*t);
      from_ = at;
      to_ = key_of(*t);
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

std::uint32_t LabelQuery::answer(Query query) {
  query_ = query;
  const LabelView from = label_of(query.source, 0), to = label_of(query.target, 1);
  __builtin_prefetch(from.header);
  __builtin_prefetch(to.header);
  best_ = kFar;
  least_ = 0;
  over_hub_ = false;
  across_the_core(from, to);
  if (!data_.symmetric || least_ <= from.reach() + to.reach()) over_hubs(from, to);
  return best_;
}

NodeId LabelQuery::climb(NodeId u, int end, bool hub, std::uint32_t key,
                         std::vector<PathStep>& steps) const {
  const int side = data_.symmetric ? 0 : end;
  // A sound file has fewer steps than nodes; a damaged one may lead in circles.
  for (NodeId left = data_.nodes; left > 0; --left) {
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
    steps.push_back({u, head, data_.first[side][u] + arc, static_cast<std::uint8_t>(side),
                     end == 1 && data_.symmetric});
    u = head;
  }
  return u;
}

NodeId LabelQuery::steps(std::vector<PathStep>& steps) const {
  const NodeId source = data_.place[query_.source], target = data_.place[query_.target];
  climb(source, 0, over_hub_, from_, steps);
  if (!over_hub_) walk_.append(from_, to_, steps);
  const auto down = static_cast<std::ptrdiff_t>(steps.size());
  climb(target, 1, over_hub_, over_hub_ ? from_ : to_, steps);
  std::reverse(steps.begin() + down, steps.end());
  return source;
}

}  // namespace lodestar::index
