#include "index/labels/label_query.h"

#include <algorithm>
#include <type_traits>

namespace lodestar::index {

template <class W>
void LabelQuery<W>::across_the_core(View from, View to) {
  const std::size_t core = data_.core;
  const W* between = data_.template between_of<W>();
  const Item* const from_end = from.hub();
  const Item* const to_end = to.hub();
  for (const Item* t = to.entry(); t != to_end; ++t) {
    const W* row = between + t->key * core;
    W least = kUnreached<W>;
    std::uint32_t at = 0;
    for (const Item* s = from.entry(); s != from_end; ++s) {
      const W cost = s->distance() + row[s->key];
      at = cost < least ? s->key : at;
      least = std::min(cost, least);
    }
    if (least + t->distance() < best_) {
      best_ = least + t->distance();
      from_ = at;
      to_ = t->key;
    }
    // `least` is the distance from s to this node of the core: on a symmetric graph less what t is
    // away from it a bound. Of doubles a little less, since sums are rounded and the difference may
    // be small beside them.
    if constexpr (std::is_same_v<W, double>) least *= 1 - 1e-9;
    if (least > t->distance()) least_ = std::max(least_, least - t->distance());
  }
}

template <class W>
void LabelQuery<W>::over_hubs(View from, View to) {
  const Item* s = from.hub();
  const Item* t = to.hub();
  const Item* const s_end = from.end();
  const Item* const t_end = to.end();
  while (s != s_end && t != t_end) {
    const std::uint32_t a = s->key, b = t->key;
    if (a == b) {
      const W cost = s->distance() + t->distance();
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

template <class W>
W LabelQuery<W>::answer(Query query) {
  query_ = query;
  const View from = label_of<W>(data_, query.source, 0);
  const View to = label_of<W>(data_, query.target, data_.symmetric ? 0 : 1);
  for (const Item* label : {from.header, to.header}) {  // entries fill two lines or so
    __builtin_prefetch(label);
    __builtin_prefetch(label + 8);
  }
  best_ = kUnreached<W>;
  least_ = 0;
  over_hub_ = false;
  across_the_core(from, to);
  if (!data_.symmetric || least_ <= from.reach() + to.reach()) over_hubs(from, to);
  return best_;
}

template <class W>
void LabelQuery<W>::climb(PathSteps& steps) const {
  struct Rise {
    NodeId at;
    std::uint32_t key;  // of the item that leads up
    int side;
    bool rises = true;
    const Item* label = nullptr;
  };
  Rise ends[2] = {{data_.place[query_.source], from_, 0},
                  {data_.place[query_.target], over_hub_ ? from_ : to_, data_.symmetric ? 0 : 1}};
  const AnyArcs<W> rows[2] = {data_.template arcs_as<AnyArcs<W>>(0),
                              data_.template arcs_as<AnyArcs<W>>(data_.symmetric ? 0 : 1)};
  // Each step waits for memory several times over. Both ends do so together, as far as they can.
  // A sound file has fewer steps than nodes; a damaged one may lead in circles.
  for (NodeId left = data_.nodes; left > 0 && (ends[0].rises || ends[1].rises); --left) {
    for (Rise& end : ends) {
      if (!end.rises) continue;
      const std::uint32_t label = data_.label_at[end.side][data_.original[end.at]];
      end.label = label_items<W>(data_, end.side) + label;
      __builtin_prefetch(end.label);
      __builtin_prefetch(end.label + 8);
      __builtin_prefetch(data_.label_arcs[end.side].data() + label);
      __builtin_prefetch(rows[end.side].at(data_.first[end.side][end.at]));
    }
    for (Rise& end : ends) {
      if (!end.rises) continue;
      const View label{end.label};
      const Item* item = over_hub_ ? label.hub() : label.entry();
      const Item* const stop = over_hub_ ? label.end() : label.hub();
      while (item != stop && item->key != end.key) ++item;
      end.rises = item != stop;
      if (!end.rises) continue;
      const std::uint8_t arc =
          data_.label_arcs[end.side]
                          [static_cast<std::size_t>(item - label_items<W>(data_, end.side))];
      const auto row = data_.template row_of<W>(end.at, end.side);
      end.rises = arc < row.size();  // not kOwnItem
      if (!end.rises) continue;
      const NodeId head = row[arc].head;
      __builtin_prefetch(data_.original.at(head));
      __builtin_prefetch(&data_.first[end.side][head]);
      const std::uint32_t number = data_.first[end.side][end.at] + arc;
      if (&end == &ends[0]) {
        steps.up.push_back({end.at, head, number});
      } else {
        steps.down.push_back({head, end.at, number});
      }
      end.at = head;
    }
  }
}

template <class W>
void LabelQuery<W>::steps(PathSteps& steps) const {
  climb(steps);
  std::reverse(steps.up.begin(), steps.up.end());
  std::reverse(steps.down.begin(), steps.down.end());
  if (!over_hub_) walk_.append(from_, to_, steps);
  steps.source = data_.place[query_.source];
}

template class LabelQuery<std::uint32_t>;
template class LabelQuery<double>;

}  // namespace lodestar::index
