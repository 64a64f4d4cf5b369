// The labels of the climb from one end: a list, and a small hash table from nodes to positions.
//
// A climb labels one or two hundred nodes out of millions. An array over all nodes would cause a
// cache miss for each of them. The hash table fits the first-level cache for graphs of any size,
// and a searcher needs no memory in proportion to the graph.
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
  std::uint32_t parent = kNoLabel;  // a position in the list
  std::uint32_t arc = 0;            // from the parent
};

template <class W>
class ClimbLabels {
 public:
  ClimbLabels() : slots_(kFirstSlots), list_(kFirstSlots / 2) {}

  void clear() {
    used_ = 0;
    run_.next([&] { slots_.assign(slots_.size(), Slot{}); });
  }

  // The position of a node's label; kNoLabel if it has none.
  [[gnu::always_inline]] std::uint32_t find(NodeId node) const {
    return slots_[slot_of(node)].place(run_);
  }

  // The same; adds a label of infinite distance if there is none.
  [[gnu::noinline]] std::uint32_t find_or_add(NodeId node) { return find_or_add_here(node); }
  // Without a call, for loops that have room for it: beside a heap a call is faster.
  [[gnu::always_inline]] std::uint32_t find_or_add_here(NodeId node) {
    std::size_t slot = slot_of(node);
    const std::uint32_t found = slots_[slot].place(run_);
    if (found != kNoLabel) return found;
    if (used_ == list_.size()) [[unlikely]] {
      grow();
      slot = slot_of(node);
    }
    const std::uint32_t place = used_++;
    slots_[slot] = {node, run_, place};
    list_[place] = {node, kNever<W>, kNoLabel, 0};
    return place;
  }

  std::uint32_t size() const { return used_; }
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

  // The slot of the node, or the empty slot where it belongs.
  std::size_t slot_of(NodeId node) const {
    const std::size_t mask = slots_.size() - 1;
    // The upper half of a product depends on all bits of the node.
    std::size_t slot = (std::uint64_t{node} * 0x9e3779b97f4a7c15ull) >> 32 & mask;
    while (slots_[slot].run == run_ && slots_[slot].node != node) slot = (slot + 1) & mask;
    return slot;
  }

  [[gnu::noinline]] void grow() {
    slots_.assign(4 * slots_.size(), Slot{});
    list_.resize(slots_.size() / 2);
    for (std::uint32_t i = 0; i < used_; ++i) {
      slots_[slot_of(list_[i].node)] = {list_[i].node, run_, i};
    }
  }

  std::vector<Slot> slots_;
  std::vector<ClimbLabel<W>> list_;  // as many as half of the slots may hold
  std::uint32_t used_ = 0;
  detail::RunNumber run_;
};

}  // namespace lodestar::index
