#include "index/labels/label_query.h"

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
  for (const std::uint64_t* label : {from.header, to.header}) {  // entries fill two lines or so
    __builtin_prefetch(label);
    __builtin_prefetch(label + 8);
  }
  best_ = kFar;
  least_ = 0;
  over_hub_ = false;
  across_the_core(from, to);
  if (!data_.symmetric || least_ <= from.reach() + to.reach()) over_hubs(from, to);
  return best_;
}

void LabelQuery::climb() const {
  struct Rise {
    NodeId at;
    std::uint32_t key;  // of the item that leads up
    int side;
    bool rises = true;
    const std::uint64_t* label = nullptr;
  };
  Rise ends[2] = {{data_.place[query_.source], from_, 0},
                  {data_.place[query_.target], over_hub_ ? from_ : to_, data_.symmetric ? 0 : 1}};
  for (auto& steps : climbed_) steps.clear();
  // Each step waits for memory several times over. Both ends do so together, as far as they can.
  // A sound file has fewer steps than nodes; a damaged one may lead in circles.
  for (NodeId left = data_.nodes; left > 0 && (ends[0].rises || ends[1].rises); --left) {
    for (Rise& end : ends) {
      if (!end.rises) continue;
      const std::uint32_t label = data_.label_at[end.side][data_.original[end.at]];
      end.label = data_.labels[end.side].data() + label;
      __builtin_prefetch(end.label);
      __builtin_prefetch(end.label + 8);
      __builtin_prefetch(data_.label_arcs[end.side].data() + label);
      __builtin_prefetch(data_.row_of<std::uint32_t>(end.at, end.side).data());
    }
    for (Rise& end : ends) {
      if (!end.rises) continue;
      const LabelView label{end.label};
      const std::uint64_t* item = over_hub_ ? label.hub() : label.entry();
      const std::uint64_t* const stop = over_hub_ ? label.end() : label.hub();
      while (item != stop && key_of(*item) != end.key) ++item;
      end.rises = item != stop;
      if (!end.rises) continue;
      const std::uint8_t arc =
          data_
              .label_arcs[end.side][static_cast<std::size_t>(item - data_.labels[end.side].data())];
      const auto row = data_.row_of<std::uint32_t>(end.at, end.side);
      end.rises = arc < row.size();  // not kOwnItem
      if (!end.rises) continue;
      const NodeId head = row[arc].head;
      __builtin_prefetch(&data_.original[head]);
      __builtin_prefetch(&data_.first[end.side][head]);
      const bool down = &end == &ends[1];
      climbed_[down ? 1 : 0].push_back({end.at, head, data_.first[end.side][end.at] + arc,
                                        static_cast<std::uint8_t>(end.side),
                                        down && data_.symmetric});
      end.at = head;
    }
  }
}

NodeId LabelQuery::steps(std::vector<PathStep>& steps) const {
  climb();
  steps.assign(climbed_[0].begin(), climbed_[0].end());
  if (!over_hub_) walk_.append(from_, to_, steps);
  steps.insert(steps.end(), climbed_[1].rbegin(), climbed_[1].rend());
  return data_.place[query_.source];
}

}  // namespace lodestar::index
