// A block of nodes side by side in the lanes of vector registers, and their distances to any other
// node at once.
//
// rows()[u] holds the distances between node u of the core and every lane. The distances to a node
// with entries (u, d) are the minimum of d + rows()[u]. Pairs that meet below the core share a hub:
// a hub of many lanes has a row as well, a hub of few lanes has a list (lane, distance).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/matrix/core_rows.h"
#include "index/matrix/end_list.h"
#include "index/matrix/kernel.h"

namespace lodestar::index {

template <class W>
class LaneBlock {
 public:
  LaneBlock(const Data& data, const CoreRows<W>& core_rows) : data_(data), core_rows_(core_rows) {}

  // Lane k is node begin + k of the list, whose end is `end`.
  void fill(const EndList<W>& list, std::size_t begin, std::size_t count, int end);

  std::size_t stride() const { return stride_; }
  // Distances between all lanes and a node of the other end; least[stride()].
  void distances(const EndView<W>& other, W* least);

 private:
  struct Slot {
    std::uint32_t key = kNoNode;
    std::uint32_t count = 0;
    std::uint32_t begin = 0;  // of the list, or a row
    bool row = false;
  };
  struct Near {
    std::uint32_t lane;
    W distance;
  };
  void fill_core(const EndList<W>& list, std::size_t begin, std::size_t count, int end);
  void fill_hubs(const EndList<W>& list, std::size_t begin, std::size_t count);
  static std::uint64_t hash_of(std::uint32_t key) { return key * 0x9e3779b97f4a7c15ull; }
  std::size_t word_of(std::uint32_t key) const { return hash_of(key) >> 32 & (known_.size() - 1); }
  static std::uint64_t bit_of(std::uint32_t key) {
    return std::uint64_t{1} << (hash_of(key) >> 58);
  }
  Slot& slot_of(std::uint32_t key) {
    std::size_t slot = hash_of(key) >> 32 & mask_;
    while (slots_[slot].key != key && slots_[slot].key != kNoNode) slot = (slot + 1) & mask_;
    return slots_[slot];
  }

  const Data& data_;
  const CoreRows<W>& core_rows_;
  std::size_t stride_ = 0;
  std::vector<W> rows_;  // [core + hubs with rows][stride]
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  // A bit per hash of a hub, eight per hub: most hubs of other nodes are recognized as unknown
  // without a look into slots_, which is too large for the first-level cache.
  std::vector<std::uint64_t> known_;
  std::vector<Near> near_;
  std::vector<Item<W>> terms_;
  std::vector<Item<W>> lists_;  // slots with lists that the other node meets
  std::vector<W> columns_;      // [kLaneStep][core]
  typename CoreRows<W>::Scratch scratch_;
};

}  // namespace lodestar::index
