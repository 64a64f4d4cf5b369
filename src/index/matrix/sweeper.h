// One-to-all on an index: a climb, the core, and one pass down the hierarchy (PHAST, Delling et al.
// 2011).
//
// Down-arcs lead to larger numbers, so a pass in the order of numbers sees every distance when it
// is final. Neighbours lie close together in this order, so the pass reads memory almost in
// sequence. Sixteen nodes at a time are passed in the lanes of vector registers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_pages.h"
#include "index/matrix/climber.h"
#include "index/matrix/core_rows.h"
#include "index/matrix/kernel.h"

namespace lodestar::index {

// The memory of one thread, in proportion to the graph.
template <class W>
class Sweeper {
 public:
  Sweeper(const Data& data, const CoreRows<W>& core_rows)
      : data_(data), core_rows_(core_rows), climber_(data) {}

  // Distances between every node and the nearest of the starts (ids of the graph). End 0: from the
  // starts; end 1: to them.
  void run(std::span<const NodeId> starts, int end);
  // The same from each of up to kLaneStep starts.
  void run_each(std::span<const NodeId> starts, int end);

  // The lanes of the node with this id; run() has one.
  const W* at(NodeId id) const { return distances_.data() + std::size_t{data_.place[id]} * lanes_; }

 private:
  void begin(std::size_t lanes);
  void enter(std::size_t lane, int end);

  const Data& data_;
  const CoreRows<W>& core_rows_;
  Climber<W> climber_;
  std::size_t lanes_ = 1;
  LargeVector<W> distances_;  // [nodes][lanes]
  std::vector<W> row_;
  std::vector<typename Climber<W>::Start> starts_;
  typename CoreRows<W>::Scratch scratch_;
};

// The nearest start of every node and which it is, for integer units: both in one 64-bit number
// with the distance above.
class NearestSweeper {
 public:
  NearestSweeper(const Data& data, const CoreRows<std::uint32_t>& core_rows)
      : data_(data), core_rows_(core_rows), climber_(data) {}

  // Among starts at the same distance the first of the list counts.
  void run(std::span<const NodeId> starts, int end);

  std::uint32_t distance(NodeId id) const {
    return static_cast<std::uint32_t>(best_[data_.place[id]] >> 32);
  }
  // The position in the list; any number if there is no path.
  std::uint32_t start(NodeId id) const {
    return static_cast<std::uint32_t>(best_[data_.place[id]]);
  }

 private:
  const Data& data_;
  const CoreRows<std::uint32_t>& core_rows_;
  Climber<std::uint32_t> climber_;
  LargeVector<std::uint64_t> best_;  // distance << 32 | start
  MinHeap<std::uint64_t> queue_;
};

}  // namespace lodestar::index
