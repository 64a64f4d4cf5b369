// A 4-ary heap of (key, node) packed into one 64-bit number: equal keys go by node, so the order
// is the same everywhere. Old entries stay in it; who pops skips what is settled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lodestar/types.h"

namespace lodestar {

class PackedHeap {
 public:
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }

  void push(std::uint32_t key, NodeId node) {
    const std::uint64_t entry = std::uint64_t{key} << 32 | node;
    std::size_t at = entries_.size();
    entries_.push_back(entry);
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (entries_[parent] <= entry) break;
      entries_[at] = entries_[parent];
      at = parent;
    }
    entries_[at] = entry;
  }

  struct Top {
    std::uint32_t key;
    NodeId node;
  };
  Top pop() {
    const std::uint64_t top = entries_.front();
    const std::uint64_t last = entries_.back();
    entries_.pop_back();
    const std::size_t size = entries_.size();
    if (size > 0) {
      std::size_t at = 0;
      for (std::size_t child = 1; child < size; child = 4 * at + 1) {
        std::size_t best = child;
        const std::size_t end = child + 4 < size ? child + 4 : size;
        for (std::size_t c = child + 1; c < end; ++c) {
          if (entries_[c] < entries_[best]) best = c;
        }
        if (entries_[best] >= last) break;
        entries_[at] = entries_[best];
        at = best;
      }
      entries_[at] = last;
    }
    return {static_cast<std::uint32_t>(top >> 32), static_cast<NodeId>(top)};
  }

 private:
  std::vector<std::uint64_t> entries_;
};

}  // namespace lodestar
