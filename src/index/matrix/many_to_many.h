// Distances between two sets of nodes on an index, as a (min, +) product.
//
//   const auto many = ManyToMany::make(index);            // null if the index does not support it
//   const auto job = many->job(sources, targets, Direction::kForward, threads);
//   job->lines(0, sources.size(), costs.data(), threads);
//
// Every node of both sets is climbed once, or its label is read. The nodes of one set lie side by
// side in lanes (lane_block.h); those of the other set pass by. A cell costs as many additions as
// the label of the passing node has entries, and no memory access outside the second-level cache.
// docs/design/INDEX.md has the proof.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "lodestar/graph.h"
#include "lodestar/index.h"

namespace lodestar::index {

// The matrix of one call. A line belongs to a node of the first list.
class ManyJob {
 public:
  virtual ~ManyJob() = default;
  // Writes `count` lines from line `begin` on: costs[count × others]. `report` is called now and
  // then on the caller's thread with the share that is done; it may throw.
  virtual void lines(std::size_t begin, std::size_t count, Cost* costs, unsigned threads,
                     const std::function<void(double)>& report = {}) const = 0;
};

// Immutable and thread-safe.
class ManyToMany {
 public:
  virtual ~ManyToMany() = default;
  // Null if a cost must be added up along its path (sums that depend on their order), or after a
  // quick customization.
  static std::unique_ptr<const ManyToMany> make(const Index& index);

  // Forward: lines from each node to all others; backward: to each node from all others. The lists
  // must stay in place while the job lives.
  virtual std::unique_ptr<const ManyJob> job(std::span<const NodeId> lines,
                                             std::span<const NodeId> others, Direction direction,
                                             unsigned threads) const = 0;

  // Whether single queries are expected to be faster.
  virtual bool prefers_pairs(std::size_t lines, std::size_t others) const = 0;
};

}  // namespace lodestar::index
