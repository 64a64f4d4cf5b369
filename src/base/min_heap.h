// A 4-ary heap without decrease-key, for searches in units: outdated entries stay in the heap, and
// the caller skips them when they are popped.
//
// Entries are ordered by key, then by tag: a node, or a counter that puts the latest entry first.
// With 32-bit keys an entry is one 64-bit number, which the heaps for double keys cannot offer
// (detail/heap.h, detail/lazy_heap.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lodestar {

template <class W>
struct HeapItem {
  W key_;
  std::uint32_t tag_;
  static HeapItem make(W key, std::uint32_t tag) { return {key, tag}; }
  W key() const { return key_; }
  std::uint32_t tag() const { return tag_; }
  friend bool operator<(const HeapItem& a, const HeapItem& b) {
    return a.key_ < b.key_ || (a.key_ == b.key_ && a.tag_ < b.tag_);
  }
};

template <>
struct HeapItem<std::uint32_t> {
  std::uint64_t bits;
  static HeapItem make(std::uint32_t key, std::uint32_t tag) {
    return {std::uint64_t{key} << 32 | tag};
  }
  std::uint32_t key() const { return static_cast<std::uint32_t>(bits >> 32); }
  std::uint32_t tag() const { return static_cast<std::uint32_t>(bits); }
  friend bool operator<(const HeapItem& a, const HeapItem& b) { return a.bits < b.bits; }
};

template <class W>
class MinHeap {
 public:
  using Item = HeapItem<W>;

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  void clear() { items_.clear(); }
  const Item& top() const { return items_.front(); }

  void push(W key, std::uint32_t tag) {
    const Item item = Item::make(key, tag);
    std::size_t at = items_.size();
    items_.push_back(item);
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!(item < items_[parent])) break;
      items_[at] = items_[parent];
      at = parent;
    }
    items_[at] = item;
  }

  Item pop() {
    const Item top = items_.front();
    const Item last = items_.back();
    items_.pop_back();
    const std::size_t size = items_.size();
    if (size == 0) return top;
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = 4 * at + 1) {
      std::size_t best = child;
      const std::size_t end = child + 4 < size ? child + 4 : size;
      for (std::size_t c = child + 1; c < end; ++c) best = items_[c] < items_[best] ? c : best;
      if (!(items_[best] < last)) break;
      items_[at] = items_[best];
      at = best;
    }
    items_[at] = last;
    return top;
  }

 private:
  std::vector<Item> items_;
};

}  // namespace lodestar
