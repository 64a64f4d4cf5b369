// A 4-ary heap of nodes without decrease-key: a node whose key falls is pushed again, and the
// caller skips outdated entries. Entries have half the size of those of NodeHeap and positions are
// not tracked, so it is faster if keys seldom fall, as in bidirectional search.
//
// An entry is one 64-bit number with the node in the low bits and the key in the others. The key is
// rounded down to the remaining bits: by 2^-38 of its size with 16k nodes, 2^-32 with a million. A
// search that stops at a lower bound remains correct. Entries of equal key are ordered by node.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lodestar/detail/ordered_bits.h"
#include "lodestar/types.h"

namespace lodestar {

class LazyHeap {
 public:
  using Entry = std::uint64_t;

  explicit LazyHeap(NodeId nodes = 0)
      : node_mask_((std::uint64_t{1} << std::bit_width(nodes)) - 1) {
    reserve(60);
  }

  bool empty() const { return end_ == kRoot; }
  std::size_t size() const { return end_ - kRoot; }
  void clear() {
    std::fill_n(entries_.begin(), end_, kNone);
    end_ = kRoot;
  }

  Entry pack(Cost key, NodeId v) const { return (detail::ordered_bits(key) & ~node_mask_) | v; }
  NodeId node(Entry entry) const { return static_cast<NodeId>(entry & node_mask_); }
  // The key of the entry, rounded down.
  Cost key(Entry entry) const { return detail::from_ordered_bits(entry & ~node_mask_); }

  Entry top() const { return entries_[kRoot]; }
  Cost least() const { return empty() ? kInfinity : key(top()); }
  // Whether an entry with this key, rounded down, would come after the top.
  bool behind_top(Cost key) const { return pack(key, 0) > top(); }

  // Must be called before up to `more` pushes, which do not check the capacity.
  void reserve(std::size_t more) {
    if (end_ + more + 4 > entries_.size()) entries_.resize(2 * (end_ + more + 4), kNone);
  }
  void push(Entry entry) {
    assert(end_ + 4 < entries_.size());
    sift_up(end_++, entry);
  }

  Entry pop() {
    assert(!empty());
    Entry* const e = entries_.data();
    const Entry top = e[kRoot];
    const std::size_t end = --end_;
    const Entry last = e[end];
    e[end] = kNone;
    if (end == kRoot) return top;
    // The last entry nearly always belongs near the leaves, so the gap moves down to a leaf first.
    std::size_t at = kRoot;
    for (std::size_t child; (child = 4 * at - 8) < end;) {
      const Entry* const c = e + child;
      const std::uint64_t i = less(c[1], c[0]), j = less(c[3], c[2]);
      const Entry left = chosen(c[0], c[1], i), right = chosen(c[2], c[3], j);
      const std::uint64_t k = less(right, left);
      e[at] = chosen(left, right, k);
      at = child + chosen(i & 1, 2 + (j & 1), k);
    }
    sift_up(at, last);
    return top;
  }

 private:
  // The root is at 3, so that the children of i, 4i - 8 to 4i - 5, share a cache line. At least
  // three entries after the end are kNone, so that every group of children is complete.
  static constexpr std::size_t kRoot = 3;
  static constexpr Entry kNone = ~Entry{0};

  // Branch-free comparison and selection by bit masks. Compilers turn the plain forms into
  // branches, which are unpredictable here.
  static std::uint64_t less(Entry a, Entry b) { return 0 - std::uint64_t{a < b}; }
  static std::uint64_t chosen(std::uint64_t a, std::uint64_t b, std::uint64_t second) {
    return a ^ ((a ^ b) & second);
  }

  void sift_up(std::size_t at, Entry entry) {
    Entry* const e = entries_.data();
    while (at > kRoot) {
      const std::size_t parent = at / 4 + 2;
      if (e[parent] <= entry) break;
      e[at] = e[parent];
      at = parent;
    }
    e[at] = entry;
  }

  std::vector<Entry> entries_;
  std::size_t end_ = kRoot;
  std::uint64_t node_mask_;
};

}  // namespace lodestar
