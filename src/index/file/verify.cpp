// Checks an index against its graph, arc by arc.
#include <algorithm>
#include <cmath>

#include "index/core_distances.h"
#include "index/data.h"
#include "index/labels/labels.h"
#include "lodestar/index.h"
#include "lodestar/search.h"

namespace lodestar {
namespace {

using index::Data;
using index::UpArc;

template <class W>
class Verifier {
 public:
  explicit Verifier(const Data& data) : data_(data) {}

  std::size_t run() {
    std::size_t wrong = 0;
    for (int side = 0; side < data_.sides(); ++side) {
      for (NodeId u = 0; u < data_.nodes; ++u) {
        std::uint32_t arc = data_.first[side][u];
        for (const UpArc<W>& up : data_.row_of<W>(u, side)) {
          const bool good = weighs(u, arc++, up, side) && (u >= data_.core || feasible(u, up));
          wrong += good ? 0 : 1;
        }
      }
    }
    wrong += bad_distances();
    for (int side = 0; data_.labelled && side < data_.sides(); ++side) wrong += bad_labels(side);
    return wrong;
  }

 private:
  // A core distance is 0 from a node to itself, otherwise the minimum over its arcs.
  std::size_t bad_distances() const {
    std::size_t wrong = 0;
    for (NodeId v = 0; !data_.between.empty() && v < data_.core; ++v) {
      const W* to = data_.template between_of<W>() + std::size_t{v} * data_.core;
      for (NodeId u = 0; u < data_.core; ++u) {
        W least = u == v ? 0 : index::kUnreached<W>;
        for (const UpArc<W>& arc : data_.template row_of<W>(u, 0)) {
          least = std::min<W>(least, to[arc.head] + arc.weight);
        }
        wrong += to[u] != least || !leads(u, v);
      }
    }
    return wrong;
  }

  // Whether the next arcs lead from u to v in as many steps as the core has nodes, and each of them
  // takes what it costs off the distance.
  bool leads(NodeId u, NodeId v) const {
    const std::size_t core = data_.core;
    if (data_.next.empty()) return true;
    const W* to = data_.template between_of<W>() + v * core;
    const std::uint8_t* next = data_.next.data() + v * core;
    if (to[u] == index::kUnreached<W>) return true;
    for (std::size_t left = core; u != v; --left) {
      if (next[u] == index::kNoNext || left == 0) return false;
      const UpArc<W> arc = data_.template row_of<W>(u, 0)[next[u]];
      if (to[arc.head] + arc.weight != to[u]) return false;
      u = arc.head;
    }
    return true;
  }

  // Every item equals that of the head of its arc plus the weight; the item of the node itself is
  // 0.
  std::size_t bad_labels(int side) const {
    std::size_t wrong = 0;
    const auto view = [&](NodeId u) { return index::label_of<W>(data_, data_.original[u], side); };
    for (NodeId u = 0; data_.paths && u < data_.nodes; ++u) {
      const auto label = view(u);
      const auto row = data_.template row_of<W>(u, side);
      for (auto* item = label.entry(); item != label.end(); ++item) {
        const std::uint8_t arc =
            data_.label_arcs[side]
                            [static_cast<std::size_t>(item - index::label_items<W>(data_, side))];
        if (arc == index::kOwnItem) {
          wrong += item->distance() != 0;
          continue;
        }
        bool found = false;
        if (arc < row.size()) {
          const bool hub = item >= label.hub();
          const auto above = view(row[arc].head);
          const auto* const end = hub ? above.end() : above.hub();
          for (auto* other = hub ? above.hub() : above.entry(); other != end; ++other) {
            found |=
                other->key == item->key && other->distance() + row[arc].weight == item->distance();
          }
        }
        wrong += found ? 0 : 1;
      }
    }
    return wrong;
  }

  Cost cost_of(W weight) const { return data_.cost_of(static_cast<double>(weight)); }

  // Whether the weights of the arcs it represents add up to its weight.
  bool weighs(NodeId u, std::uint32_t arc, const UpArc<W>& up, int side) {
    const NodeId tail = data_.original[side == 0 ? u : up.head];
    const NodeId end = data_.original[side == 0 ? up.head : u];
    path_.assign(1, tail);
    if (!data_.paths) return true;  // nothing to compare with
    if (const std::optional<index::PathRange> range = data_.range_of(side, arc); !range) {
      path_.push_back(end);
    } else {
      const std::int64_t step = range->backward ? -1 : 1;
      std::int64_t at = range->at;
      if (data_.words[range->at] != tail) return false;
      while (path_.back() != end) {
        at += step;
        if (at < 0 || at >= static_cast<std::int64_t>(data_.words.size())) return false;
        path_.push_back(data_.words[static_cast<std::size_t>(at)]);
      }
      if (range->length != std::min<std::size_t>(path_.size() - 1, index::kLong)) return false;
    }
    const Cost sum = path_cost(data_.graph, path_), said = cost_of(up.weight);
    return data_.exact ? sum == said : std::abs(sum - said) <= 1e-9 * said;
  }

  bool feasible(NodeId u, const UpArc<W>& up) const {
    for (std::uint32_t i = 0; i < data_.potential_count; ++i) {
      const std::int32_t rise = data_.potentials[std::size_t{up.head} * data_.row + i] -
                                data_.potentials[std::size_t{u} * data_.row + i];
      const double steep = data_.potential_unit * (data_.both_ways ? std::abs(rise) : rise);
      if (steep > cost_of(up.weight)) return false;
    }
    return true;
  }

  const Data& data_;
  std::vector<NodeId> path_;
};

}  // namespace

std::size_t Index::verify() const {
  if (data_->metric) return data_->metric->count_wrong(data_->graph);
  return data_->wide ? Verifier<double>(*data_).run() : Verifier<std::uint32_t>(*data_).run();
}

}  // namespace lodestar
