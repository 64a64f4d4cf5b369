// A 4-ary heap of nodes that can be moved and removed: the queue of every search here.
//
// Four children of 16 bytes are one cache line, and the tree is half as deep as a binary one;
// positions are kept apart in 4 bytes a node, so that sifting touches little memory.
// Clearing costs what is still queued, never O(n): a stale position is told by looking.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include "lodestar/types.h"

namespace lodestar {

// Smaller comes first; equal keys go by `tie`. A search passes -g there, so that among equal f
// the node nearest the target comes first. A float is enough: it only has to be the same each run.
struct HeapEntry {
  Cost key;
  float tie;
  NodeId node;

  friend bool operator<(const HeapEntry& a, const HeapEntry& b) {
    return a.key < b.key || (a.key == b.key && a.tie < b.tie);
  }
};
static_assert(sizeof(HeapEntry) == 16);

class NodeHeap {
 public:
  explicit NodeHeap(NodeId nodes = 0) : position_(nodes, 0) {}

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  void clear() { entries_.clear(); }
  const HeapEntry& top() const { return entries_.front(); }
  const std::vector<HeapEntry>& entries() const { return entries_; }

  bool contains(NodeId v) const {
    return position_[v] < entries_.size() && entries_[position_[v]].node == v;
  }
  const HeapEntry& entry(NodeId v) const { return entries_[position_[v]]; }

  // v must not be queued.
  void push(HeapEntry entry) {
    entries_.push_back(entry);
    sift_up(entries_.size() - 1, entry);
  }

  // v must be queued; its key may go either way.
  void update(HeapEntry entry) {
    const std::size_t at = position_[entry.node];
    if (entry < entries_[at]) {
      sift_up(at, entry);
    } else {
      sift_down(at, entry);
    }
  }

  void push_or_update(HeapEntry entry) {
    if (contains(entry.node)) {
      update(entry);
    } else {
      push(entry);
    }
  }

  HeapEntry pop() {
    assert(!entries_.empty());
    const HeapEntry top = entries_.front();
    const HeapEntry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sift_down(0, last);
    return top;
  }

  void erase(NodeId v) {
    const std::size_t at = position_[v];
    const HeapEntry last = entries_.back();
    entries_.pop_back();
    if (at == entries_.size()) return;
    if (last < entries_[at]) {
      sift_up(at, last);
    } else {
      sift_down(at, last);
    }
  }

 private:
  void place(std::size_t at, const HeapEntry& entry) {
    entries_[at] = entry;
    position_[entry.node] = static_cast<NodeId>(at);
  }

  void sift_up(std::size_t at, const HeapEntry& entry) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!(entry < entries_[parent])) break;
      place(at, entries_[parent]);
      at = parent;
    }
    place(at, entry);
  }

  void sift_down(std::size_t at, const HeapEntry& entry) {
    const std::size_t size = entries_.size();
    for (;;) {
      const std::size_t child = 4 * at + 1;
      if (child >= size) break;
      std::size_t best = child;
      const std::size_t end = child + 4 < size ? child + 4 : size;
      for (std::size_t c = child + 1; c < end; ++c) {
        if (entries_[c] < entries_[best]) best = c;
      }
      if (!(entries_[best] < entry)) break;
      place(at, entries_[best]);
      at = best;
    }
    place(at, entry);
  }

  std::vector<HeapEntry> entries_;
  std::vector<NodeId> position_;
};

}  // namespace lodestar
