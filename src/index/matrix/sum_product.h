// Matrices of costs with a second number per pair: what it adds up to along an optimal path.
//
//   const auto product = SumProduct::make(index, lengths);       // null if it is not supported
//   product->run(sources, targets, costs, sums, threads);
//
// A weight is the 64-bit integer cost · 2^32 + number. The smallest sum of such integers has the
// smallest cost, so climbs, searches of the core and products run as for costs alone. A shortcut u
// → v stands for a pair of arcs u → m → v with the same cost below it; numbers are added up from
// the lowest nodes to the highest, as a hierarchy is customized. Every number thus belongs to a
// path of the graph with the cost of its arc.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "lodestar/index.h"

namespace lodestar::index {

// Immutable and thread-safe.
class SumProduct {
 public:
  virtual ~SumProduct() = default;
  // `along` has a number of at least 0 per arc of the graph. Null if the index counts in doubles,
  // if the numbers are not multiples of 1, 0.1 or 0.001, or if all together exceed 2^32 of these.
  static std::unique_ptr<const SumProduct> make(const Index& index, std::span<const double> along);
  // costs and sums: [sources × targets].
  virtual void run(std::span<const NodeId> sources, std::span<const NodeId> targets,
                   std::span<Cost> costs, std::span<double> sums, unsigned threads) const = 0;
};

}  // namespace lodestar::index
