// A 4-ary heap of nodes that forgets nothing: a node whose key falls is queued again, and who takes
// an entry must see whether it is stale. Half the bytes of NodeHeap and no positions to keep, so it
// is the faster one where keys seldom fall.
//
// An entry is one 64-bit number: the node in the low bits, as many as the graph needs, the key in
// the others. The key thereby loses its last bits and is rounded down: 2^-38 of its size with 16k
// nodes, 2^-32 with a million. A search that stops at a lower bound is still right, an instant
// later. Entries of equal key are taken in the order of nodes.
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
  // Not above the key that was given.
  Cost key(Entry entry) const { return detail::from_ordered_bits(entry & ~node_mask_); }

  Entry top() const { return entries_[kRoot]; }
  Cost least() const { return empty() ? kInfinity : key(top()); }
  // Whether an entry of this key would lie behind the top, by the part of the key that is kept.
  bool behind_top(Cost key) const { return pack(key, 0) > top(); }

  // To be called before up to `more` pushes: they check nothing.
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
    // The last entry nearly always belongs near the leaves: the hole goes all the way down.
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
  // The root is at 3, so that the children of i, 4i - 8 to 4i - 5, lie in one cache line. Behind
  // the end there are always three entries greater than all: a last group of children is whole.
  static constexpr std::size_t kRoot = 3;
  static constexpr Entry kNone = ~Entry{0};

  // All bits set or none, and a choice by them: compilers make branches of the plain forms, and
  // which child is least cannot be guessed.
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
