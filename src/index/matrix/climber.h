// The climb of one node: its distances to the nodes above it, for matrices and one-to-all.
//
// Dijkstra along up-arcs. Nodes of the core are labelled and not expanded: the entries. Settled
// nodes below the core are hubs. Stalled nodes, which are cheaper to reach from above, are neither
// expanded nor hubs; their distances are no shortest ones, so no shortest path has them as its
// highest node with this distance. With core distances, entries behind another entry are left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/min_heap.h"
#include "index/data.h"
#include "index/matrix/item.h"
#include "index/query/climb_labels.h"

namespace lodestar::index {

template <class W>
class Climber {
 public:
  explicit Climber(const Data& data) : data_(data) {}

  struct Start {
    NodeId node;  // number of the index
    W distance = 0;
  };

  // End 0: distances from the starts; end 1: to them. The minimum over all starts.
  void run(std::span<const Start> starts, int end) {
    if constexpr (std::is_same_v<W, std::uint32_t>) {
      if (!data_.symmetric) {
        run_as<NarrowArcs>(starts, end);
        return;
      }
    }
    run_as<PlainArcs<W>>(starts, end);
  }
  void run(NodeId from, int end) {
    const Start start{from, 0};
    run({&start, 1}, end);
  }

  std::span<const Item<W>> entries() const { return entries_; }
  std::span<const Item<W>> hubs() const { return hubs_; }

 private:
  template <class Arcs>
  void run_as(std::span<const Start> starts, int end) {
    labels_.clear();
    queue_.clear();
    hubs_.clear();
    entries_.clear();
    for (const Start& start : starts) {
      const std::uint32_t place = labels_.find_or_add(start.node);
      if (start.distance < labels_[place].distance) {
        labels_[place].distance = start.distance;
        if (start.node >= data_.core) queue_.push(start.distance, place);
      }
    }
    const int along = data_.symmetric ? 0 : end, against = data_.symmetric ? 0 : 1 - end;
    const auto up = data_.template arcs_as<Arcs>(along);
    const auto down = data_.template arcs_as<Arcs>(against);
    while (!queue_.empty() && queue_.top().key() < kUnreached<W>) {
      const auto top = queue_.pop();
      const W distance = labels_[top.tag()].distance;
      if (top.key() != distance) continue;
      const NodeId u = labels_[top.tag()].node;
      const auto* const below = data_.first[against].data() + u;
      if (stalled(row_between(down, below[0], below[1]), distance)) continue;
      hubs_.push_back({u, distance});
      const auto* const first = data_.first[along].data() + u;
      for (const UpArc<W>& arc : row_between(up, first[0], first[1])) {
        const std::uint32_t place = labels_.find_or_add(arc.head);
        const W reached = distance + arc.weight;
        if (reached >= labels_[place].distance) continue;
        labels_[place].distance = reached;
        if (arc.head >= data_.core) queue_.push(reached, place);
      }
    }
    for (std::uint32_t place = 0; place < labels_.size(); ++place) {
      const ClimbLabel<W>& label = labels_[place];
      if (label.node < data_.core && label.distance < kUnreached<W>) {
        entries_.push_back({label.node, label.distance});
      }
    }
    if (!data_.between.empty()) drop_redundant(end);
  }

  template <class Row>
  bool stalled(const Row& above, W distance) const {
    for (const UpArc<W>& arc : above) {
      const std::uint32_t place = labels_.find(arc.head);
      if (place != kNoLabel && labels_[place].distance < kUnreached<W> &&
          labels_[place].distance + arc.weight < distance) {
        return true;
      }
    }
    return false;
  }

  // The nearest first, each is compared with those kept. The diagonal of core distances is 0, so
  // an entry must not be compared with itself.
  void drop_redundant(int end) {
    const std::size_t core = data_.core;
    const W* const between = data_.template between_of<W>();
    std::sort(entries_.begin(), entries_.end(), [](const Item<W>& a, const Item<W>& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.key < b.key;
    });
    std::size_t kept = 0;
    for (const Item<W>& item : entries_) {
      const bool behind = std::any_of(
          entries_.begin(), entries_.begin() + static_cast<long>(kept), [&](const Item<W>& nearer) {
            const W across = end == 0 ? between[item.key * core + nearer.key]
                                      : between[nearer.key * core + item.key];
            return nearer.distance + across <= item.distance;
          });
      if (!behind) entries_[kept++] = item;
    }
    entries_.resize(kept);
  }

  const Data& data_;
  ClimbLabels<W> labels_;
  MinHeap<W> queue_;  // of labels
  std::vector<Item<W>> entries_, hubs_;
};

}  // namespace lodestar::index
