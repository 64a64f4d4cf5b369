// A 4-ary heap of nodes that can be moved and removed: the queue of A*, focal search and closure.
// Bidirectional search and the index use queues without positions (lazy_heap.h, min_heap.h).
//
// Four children of 16 bytes are one cache line, and the tree is half as deep as a binary one;
// positions are kept apart in 4 bytes a node, so that sifting touches little memory.
// Clearing costs what is still queued, never O(n): a stale position is told by looking.
//
// An entry is held as one 128-bit number (key, tie, node), so that a comparison is a subtraction
// and choosing the least of four children needs no branch: a search spends most of its time in
// pop, and there a wrong guess of the processor costs more than the comparison.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lodestar/detail/ordered_bits.h"
#include "lodestar/types.h"

namespace lodestar {

// Smaller comes first; equal keys go by `tie`, then by node, so that the order is total. A search
// passes -g as tie: among equal f the node nearest the target comes first.
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
  // The i-th of size() nodes, in no particular order.
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

  // v must be queued; its key may go either way.
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

  // Gives every queued node the entry that entry_of(v) makes.
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

  // The last entry takes the empty place. It nearly always belongs near the leaves, so the hole
  // goes all the way down first and the entry then rises the little it has to.
  void remove_at(std::size_t at) {
    const Packed last = entries_.back();
    entries_.pop_back();
    if (at == entries_.size()) return;
    for (std::size_t child; (child = least_child(at)) < entries_.size(); at = child) {
      place(at, entries_[child]);
    }
    sift_up(at, last);
  }

  // The least of up to four children of `at`; an index beyond the end when there is none.
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
