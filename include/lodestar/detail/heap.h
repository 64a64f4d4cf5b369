// A 4-ary heap of nodes with decrease-key and removal: the queue of A*, focal search and closure.
// Bidirectional search and the index use heaps without positions, which are faster there
// (lazy_heap.h, src/base/min_heap.h).
//
// Four children of 16 bytes fill a cache line, and the tree has half the depth of a binary one.
// Positions are stored separately in 4 bytes per node, so that sifting touches little memory.
// Outdated positions are recognised, so clearing takes time proportional to the queue, not O(n).
//
// An entry is one 128-bit number (key, tie, node). A comparison is then a subtraction, and the
// smallest of four children is selected without a branch. A search spends most of its time in pop,
// where a mispredicted branch costs more than a comparison.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lodestar/detail/ordered_bits.h"
#include "lodestar/types.h"

namespace lodestar {

// Ordered by key, then by tie, then by node, so the order is total. A search passes -g as tie, so
// that among nodes of equal f the one nearest to the target comes first.
struct HeapEntry {
  Cost key;
  float tie;
  NodeId node;
};

class NodeHeap {
 public:
  explicit NodeHeap(NodeId nodes = 0) : position_(nodes, 0) {}

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }
  HeapEntry top() const { return unpack(entries_.front()); }
  // The i-th node, in no particular order.
  NodeId node_at(std::size_t i) const { return node_of(entries_[i]); }

  bool contains(NodeId v) const {
    return position_[v] < entries_.size() && node_of(entries_[position_[v]]) == v;
  }
  // v must be queued.
  HeapEntry entry(NodeId v) const { return unpack(entries_[position_[v]]); }

  // v must not be queued.
  void push(HeapEntry entry) {
    const Packed packed = pack(entry);
    entries_.push_back(packed);
    sift_up(entries_.size() - 1, packed);
  }

  // v must be queued; its key may rise or fall.
  void update(HeapEntry entry) {
    const std::size_t at = position_[entry.node];
    const Packed packed = pack(entry);
    if (packed < entries_[at]) {
      sift_up(at, packed);
    } else {
      sift_down(at, packed);
    }
  }

  void push_or_update(HeapEntry entry) {
    if (contains(entry.node)) {
      update(entry);
    } else {
      push(entry);
    }
  }

  // Replaces the entry of every queued node v by entry_of(v).
  template <class EntryOf>
  void rekey(EntryOf&& entry_of) {
    std::vector<Packed> old;
    old.swap(entries_);
    for (const Packed packed : old) push(entry_of(node_of(packed)));
  }

  HeapEntry pop() {
    assert(!entries_.empty());
    const Packed top = entries_.front();
    remove_at(0);
    return unpack(top);
  }

  // v must be queued.
  void erase(NodeId v) { remove_at(position_[v]); }

 private:
  __extension__ using Packed = unsigned __int128;

  static Packed pack(const HeapEntry& entry) {
    return static_cast<Packed>(detail::ordered_bits(entry.key)) << 64 |
           (static_cast<std::uint64_t>(detail::ordered_bits(entry.tie)) << 32 | entry.node);
  }
  static HeapEntry unpack(Packed packed) {
    return {detail::from_ordered_bits(static_cast<std::uint64_t>(packed >> 64)),
            detail::from_ordered_bits(static_cast<std::uint32_t>(packed >> 32)), node_of(packed)};
  }
  static NodeId node_of(Packed packed) { return static_cast<NodeId>(packed); }

  void place(std::size_t at, Packed packed) {
    entries_[at] = packed;
    position_[node_of(packed)] = static_cast<NodeId>(at);
  }

  void sift_up(std::size_t at, Packed packed) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!(packed < entries_[parent])) break;
      place(at, entries_[parent]);
      at = parent;
    }
    place(at, packed);
  }

  void sift_down(std::size_t at, Packed packed) {
    for (std::size_t child; (child = least_child(at)) < entries_.size(); at = child) {
      if (!(entries_[child] < packed)) break;
      place(at, entries_[child]);
    }
    place(at, packed);
  }

  // The last entry fills the gap. It nearly always belongs near the leaves, so the gap moves down
  // to a leaf first, and then the entry moves up.
  void remove_at(std::size_t at) {
    const Packed last = entries_.back();
    entries_.pop_back();
    if (at == entries_.size()) return;
    for (std::size_t child; (child = least_child(at)) < entries_.size(); at = child) {
      place(at, entries_[child]);
    }
    sift_up(at, last);
  }

  // The smallest of up to four children of `at`; an index beyond the end if there is none.
  std::size_t least_child(std::size_t at) const {
    const std::size_t child = 4 * at + 1;
    const std::size_t size = entries_.size();
    const Packed* e = entries_.data();
    if (child + 4 <= size) {
      const std::size_t a = child + (e[child + 1] < e[child]);
      const std::size_t b = child + 2 + (e[child + 3] < e[child + 2]);
      return e[b] < e[a] ? b : a;
    }
    std::size_t best = child;
    for (std::size_t c = child + 1; c < size; ++c) best = e[c] < e[best] ? c : best;
    return best;
  }

  std::vector<Packed> entries_;
  std::vector<NodeId> position_;
};

}  // namespace lodestar
