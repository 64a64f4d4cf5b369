// The labels of one end's climb: a list, and a small hash table from nodes to places in it.
//
// A climb labels a hundred nodes or two out of millions. An array over all nodes would cost a cache
// miss for each of them; these fit the first-level cache whatever the size of the graph, and a
// searcher needs no memory in proportion to it.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "index/units.h"
#include "lodestar/detail/run_number.h"
#include "lodestar/types.h"

namespace lodestar::index {

inline constexpr std::uint32_t kNoLabel = 0xffffffffu;

template <class W>
struct ClimbLabel {
  NodeId node = kNoNode;
  W distance = 0;
  std::uint32_t parent = kNoLabel;  // a place in the list
  std::uint32_t arc = 0;            // from the parent
};

template <class W>
class ClimbLabels {
 public:
  ClimbLabels() : slots_(kFirstSlots) {}

  void clear() {
    list_.clear();
    run_.next([&] { slots_.assign(slots_.size(), Slot{}); });
  }

  // The place of a node's label; kNoLabel when it has none.
  std::uint32_t find(NodeId node) const { return slots_[slot_of(node)].place(run_); }

  // The same, with a label of infinite distance made if there is none.
  std::uint32_t find_or_add(NodeId node) {
    std::size_t slot = slot_of(node);
    const std::uint32_t found = slots_[slot].place(run_);
    if (found != kNoLabel) return found;
    if (2 * list_.size() >= slots_.size()) {
      grow();
      slot = slot_of(node);
    }
    const auto place = static_cast<std::uint32_t>(list_.size());
    slots_[slot] = {node, run_, place};
    list_.push_back({node, kNever<W>, kNoLabel, 0});
    return place;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(list_.size()); }
  ClimbLabel<W>& operator[](std::uint32_t place) { return list_[place]; }
  const ClimbLabel<W>& operator[](std::uint32_t place) const { return list_[place]; }

 private:
  struct Slot {
    NodeId node = 0;
    std::uint32_t run = 0;
    std::uint32_t at = 0;
    std::uint32_t place(std::uint32_t now) const { return run == now ? at : kNoLabel; }
  };
  static constexpr std::size_t kFirstSlots = 512;

  // Where the node's slot is, or the empty one where it would be.
  std::size_t slot_of(NodeId node) const {
    const std::size_t mask = slots_.size() - 1;
    // The upper half of a product depends on all bits of the node.
    std::size_t slot = (std::uint64_t{node} * 0x9e3779b97f4a7c15ull) >> 32 & mask;
    while (slots_[slot].run == run_ && slots_[slot].node != node) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    slots_.assign(4 * slots_.size(), Slot{});
    for (std::uint32_t i = 0; i < list_.size(); ++i) {
      slots_[slot_of(list_[i].node)] = {list_[i].node, run_, i};
    }
  }

  std::vector<Slot> slots_;
  std::vector<ClimbLabel<W>> list_;
  detail::RunNumber run_;
};

}  // namespace lodestar::index
