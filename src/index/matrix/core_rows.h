// Distances between one node, given by its entries, and all nodes of the core: a row of the product
// (entries) × (core distances), or a Dijkstra search of the core if it has no stored distances.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/min_heap.h"
#include "index/data.h"
#include "index/matrix/item.h"

namespace lodestar::index {

// Immutable and thread-safe.
template <class W>
class CoreRows {
 public:
  explicit CoreRows(const Data& data);

  // What a thread needs to search the core.
  struct Scratch {
    MinHeap<W> queue;
  };

  // End 0: row[v] = least distance + d(key, v); end 1: + d(v, key). kUnreached if there is no path.
  void fill(std::span<const Item<W>> entries, int end, W* row, Scratch& scratch) const;
  // Whether fill() uses stored distances.
  bool stored() const { return !data_.between.empty(); }
  // The arcs of the core out of u (end 0), or into u with their tails as heads (end 1).
  std::span<const UpArc<W>> arcs(NodeId u, int end) const {
    if (data_.symmetric) end = 0;
    return {arcs_[end] + first_[end][u], arcs_[end] + first_[end][u + std::size_t{1}]};
  }

 private:
  void search(std::span<const Item<W>> entries, int end, W* row, Scratch& scratch) const;

  const Data& data_;
  std::vector<W> transposed_;  // core distances by source, of a directed graph
  // The arcs of the core by end: those of the index, or copies if it stores narrow ones and for the
  // reversed ones of a directed graph.
  const std::uint32_t* first_[2] = {};
  const UpArc<W>* arcs_[2] = {};
  std::vector<std::uint32_t> reversed_first_;
  std::vector<UpArc<W>> reversed_, whole_;
};

}  // namespace lodestar::index
