#include "index/labels/labels.h"

#include <algorithm>
#include <memory>
#include <set>

#include "base/huge_pages.h"
#include "index/core_distances.h"
#include "index/labels/levels.h"
#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"
#include "lodestar/rng.h"

namespace lodestar::index {
namespace {

template <class Distance>
struct OwnedLabels {
  LargeVector<std::uint32_t> at[2];
  LargeVector<LabelItem<Distance>> labels[2];
  std::vector<std::uint8_t> arcs[2];
};

void require(bool good, const char* why) {
  if (!good) throw Error(std::string("labels do not fit this graph: ") + why);
}

template <class Distance>
class LabelBuilder {
 public:
  explicit LabelBuilder(const Data& data)
      : data_(data),
        owned_(std::make_shared<OwnedLabels<Distance>>()),
        place_(data.nodes, 0),
        seen_(data.core, 0),
        near_(data.core, 0) {
    for (int side = 0; side < data.sides(); ++side) rows_[side].resize(data.nodes);
  }

  std::shared_ptr<OwnedLabels<Distance>> run() {
    order();
    label_the_core();
    // By number: what is above has a smaller one, and lies close by.
    for (NodeId u = data_.core; u < data_.nodes; ++u) {
      if (u % 64 == 0) check_stop();
      for (int side = 0; side < data_.sides(); ++side) label(u, side);
    }
    for (int side = 0; side < data_.sides(); ++side) lay_out(side);
    return owned_;
  }

  // The same for some nodes, and what they take on average.
  LabelSample sample(NodeId samples) {
    std::vector<bool> wanted(data_.nodes, false);
    std::vector<NodeId> chosen;
    Rng rng(mix64(samples));
    while (chosen.size() < samples) {
      chosen.push_back(rng.below(data_.nodes));
      wanted[chosen.back()] = true;
    }
    // Arcs up lead to smaller numbers.
    for (NodeId u = data_.nodes; u-- > data_.core;) {
      for (int side = 0; wanted[u] && side < data_.sides(); ++side) {
        for (const auto& arc : data_.template row_of<Distance>(u, side)) wanted[arc.head] = true;
      }
    }
    order();
    label_the_core();
    const std::set<NodeId> timed(chosen.begin(), chosen.end());
    double seconds = 0;
    for (NodeId u = data_.core; u < data_.nodes; ++u) {
      if (!wanted[u]) continue;
      const auto begin = Clock::now();
      for (int side = 0; side < data_.sides(); ++side) label(u, side);
      if (timed.contains(u)) seconds += seconds_since(begin);
    }
    std::size_t bytes = 0;
    const std::size_t item = sizeof(LabelItem<Distance>) + (data_.paths ? 1 : 0);
    for (const NodeId u : chosen) {
      for (int side = 0; side < data_.sides(); ++side) {
        const Row& row = rows_[side][u];
        bytes += sizeof(std::uint32_t) + item * (std::size_t{1} + row.entries + row.hubs);
      }
    }
    return {static_cast<double>(bytes) / samples,
            seconds / static_cast<double>(timed.size()) * data_.nodes};
  }

 private:
  struct Item {
    std::uint32_t key;
    Distance distance;
    std::uint8_t arc;
  };
  // A label as it was made: in pool_, entries first.
  struct Row {
    std::uint64_t begin = 0;
    std::uint32_t entries = 0;
    std::uint32_t hubs = 0;
  };
  std::span<const Item> entries_of(NodeId u, int side) const {
    const Row& row = rows_[side][u];
    return {pool_[side].data() + row.begin, row.entries};
  }
  std::span<const Item> hubs_of(NodeId u, int side) const {
    const Row& row = rows_[side][u];
    return {pool_[side].data() + row.begin + row.entries, row.hubs};
  }

  void order() {
    auto levels = levels_of(data_);
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      for (const NodeId u : *level) {
        place_[u] = static_cast<std::uint32_t>(from_top_.size());
        from_top_.push_back(u);
      }
    }
  }

  void label_the_core() {
    for (NodeId u = 0; u < data_.core; ++u) {
      for (int side = 0; side < data_.sides(); ++side) {
        entries_.assign(1, {u, 0, kOwnItem});
        hubs_.clear();
        keep(u, side);
      }
    }
  }

  // From u to v on side 0, from v to u on side 1.
  Distance core_distance(NodeId u, NodeId v, int side) const {
    const std::size_t core = data_.core;
    const Distance* between = data_.template between_of<Distance>();
    return side == 0 ? between[v * core + u] : between[u * core + v];
  }

  void label(NodeId x, int side) {
    gather(x, side);
    // Entries, the nearest first: one that lies behind another one is of no use. The table has 0 on
    // its diagonal, so of several ways to one node the shortest stays.
    std::sort(entries_.begin(), entries_.end(), [](const Item& a, const Item& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.key < b.key;
    });
    std::size_t kept = 0;
    for (const Item& item : entries_) {
      bool behind = false;
      for (std::size_t k = 0; k < kept && !behind; ++k) {
        behind =
            entries_[k].distance + core_distance(entries_[k].key, item.key, side) <= item.distance;
      }
      if (!behind) entries_[kept++] = item;
    }
    entries_.resize(kept);
    ++run_;
    // Hubs, the highest first.
    std::sort(hubs_.begin(), hubs_.end(), [](const Item& a, const Item& b) {
      return a.key != b.key ? a.key < b.key : a.distance < b.distance;
    });
    kept = 0;
    std::uint32_t last = kNoNode;
    for (const Item& item : hubs_) {
      if (item.key == last) continue;
      last = item.key;
      if (item.arc == kOwnItem || !explained(item, kept, side)) hubs_[kept++] = item;
    }
    hubs_.resize(kept);
    keep(x, side);
  }

  // What the heads of the arcs up know, that much farther away.
  void gather(NodeId x, int side) {
    entries_.clear();
    hubs_.assign(1, {place_[x], 0, kOwnItem});
    const auto row = data_.template row_of<Distance>(x, side);
    require(row.size() < kOwnItem, "a node has 255 arcs up");
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto arc = static_cast<std::uint8_t>(i);
      const NodeId y = row[i].head;
      for (const Item& item : entries_of(y, side)) {
        entries_.push_back({item.key, item.distance + row[i].weight, arc});
      }
      for (const Item& item : hubs_of(y, side)) {
        hubs_.push_back({item.key, item.distance + row[i].weight, arc});
      }
    }
  }

  // Is the hub reached as cheaply through the core, or through one of the first `kept` hubs?
  bool explained(const Item& item, std::size_t kept, int side) {
    const NodeId y = from_top_[item.key];
    const int other = data_.symmetric ? 0 : 1 - side;
    for (const Item& entry : entries_of(y, other)) {
      if (to_core(entry.key, side) + entry.distance <= item.distance) return true;
    }
    const auto theirs = hubs_of(y, other);
    auto their = theirs.begin();
    for (std::size_t k = 0; k < kept; ++k) {
      while (their != theirs.end() && their->key < hubs_[k].key) ++their;
      if (their == theirs.end()) return false;
      if (their->key == hubs_[k].key && their->distance + hubs_[k].distance <= item.distance) {
        return true;
      }
    }
    return false;
  }

  // From the node at hand to v in the core, by its entries.
  Distance to_core(NodeId v, int side) {
    if (seen_[v] == run_) return near_[v];
    Distance least = kUnreached<Distance>;
    for (const Item& entry : entries_) {
      least = std::min(least, entry.distance + core_distance(entry.key, v, side));
    }
    seen_[v] = run_;
    near_[v] = least;
    return least;
  }

  void keep(NodeId x, int side) {
    require(entries_.size() < 0xffff && hubs_.size() < 0xffff, "a label has 2^16 items");
    rows_[side][x] = {pool_[side].size(), static_cast<std::uint32_t>(entries_.size()),
                      static_cast<std::uint32_t>(hubs_.size())};
    pool_[side].insert(pool_[side].end(), entries_.begin(), entries_.end());
    pool_[side].insert(pool_[side].end(), hubs_.begin(), hubs_.end());
  }

  // In the order of the index: neighbours' labels lie close together.
  void lay_out(int side) {
    const std::size_t size = pool_[side].size() + data_.nodes;
    require(size < 0xffffffffu, "there are 2^32 items");
    auto& labels = owned_->labels[side];
    auto& arcs = owned_->arcs[side];
    labels.reserve(size);
    arcs.reserve(size);
    owned_->at[side].resize(data_.nodes);
    for (NodeId u = 0; u < data_.nodes; ++u) {
      check_stop(u);
      owned_->at[side][data_.original[u]] = static_cast<std::uint32_t>(labels.size());
      const auto entries = entries_of(u, side), hubs = hubs_of(u, side);
      Distance reach = 0;
      for (const Item& item : hubs) reach = std::max(reach, item.distance);
      labels.push_back({static_cast<std::uint32_t>(entries.size() | hubs.size() << 16), reach});
      arcs.push_back(0);
      for (const auto items : {entries, hubs}) {
        for (const Item& item : items) {
          labels.push_back({item.key, item.distance});
          arcs.push_back(item.arc);
        }
      }
    }
    pool_[side] = {};
    if (!data_.paths) arcs = {};
  }

  const Data& data_;
  std::shared_ptr<OwnedLabels<Distance>> owned_;
  std::vector<NodeId> from_top_;      // below the core, arcs up lead to the front
  std::vector<std::uint32_t> place_;  // in from_top_
  std::vector<Row> rows_[2];
  std::vector<Item> pool_[2];
  std::vector<Item> entries_, hubs_;  // of the node at hand
  std::vector<std::uint64_t> seen_;   // by node of the core: the run in which near_ was made
  std::vector<Distance> near_;
  std::uint64_t run_ = 0;
};

}  // namespace

NodeId label_core(NodeId nodes) {
  if (nodes < 1000) return nodes / 4;
  if (nodes < 30'000) return 250;
  return nodes < 2'000'000 ? 500 : 1000;
}

LabelSample sample_labels(const Data& data, NodeId samples) {
  if (data.nodes == 0 || samples == 0) return {};
  return data.wide ? LabelBuilder<double>(data).sample(samples)
                   : LabelBuilder<std::uint32_t>(data).sample(samples);
}

namespace {

template <class Distance>
void make_labels(Data& data) {
  const std::shared_ptr<OwnedLabels<Distance>> owned = LabelBuilder<Distance>(data).run();
  for (int side = 0; side < data.sides(); ++side) {
    data.label_at[side] = owned->at[side];
    data.labels[side] = std::as_bytes(std::span(owned->labels[side]));
    data.label_arcs[side] = owned->arcs[side];
  }
  data.label_keeper = owned;
}

}  // namespace

void add_labels(Data& data) {
  require(data.core < kMostDistances, "its core has 2^16 nodes; choose a smaller one");
  add_core_distances(data);
  data.wide ? make_labels<double>(data) : make_labels<std::uint32_t>(data);
  data.labelled = true;
}

}  // namespace lodestar::index
