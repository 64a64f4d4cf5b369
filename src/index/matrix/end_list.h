// The entries and hubs of many nodes: copied from labels, or climbed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "index/data.h"
#include "index/matrix/item.h"

namespace lodestar::index {

template <class W>
struct EndView {
  std::span<const Item<W>> entries, hubs;
};

template <class W>
class EndList {
 public:
  // Nodes are ids of the graph. End 0: distances from the nodes; end 1: to them.
  EndList(const Data& data, std::span<const NodeId> nodes, int end, unsigned threads);

  std::size_t size() const { return size_; }
  EndView<W> operator[](std::size_t i) const {
    const Part& part = parts_[i / kPart];
    const Place &at = part.places[i % kPart], &next = part.places[i % kPart + 1];
    const Item<W>* items = part.items.data();
    return {{items + at.entries, items + at.hubs}, {items + at.hubs, items + next.entries}};
  }

 private:
  static constexpr std::size_t kPart = 256;  // nodes made by one thread at a time
  struct Place {
    std::size_t entries = 0, hubs = 0;  // where they begin
  };
  struct Part {
    std::vector<Place> places;
    std::vector<Item<W>> items;
  };
  std::size_t size_ = 0;
  std::vector<Part> parts_;
};

}  // namespace lodestar::index
