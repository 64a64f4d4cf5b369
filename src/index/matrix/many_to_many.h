// Distances between two sets of nodes on an index, as a (min, +) product.
//
//   const auto many = ManyToMany::make(index);            // null if the index does not support it
//   const auto job = many->job(sources, targets, Direction::kForward, threads);
//   job->lines(0, sources.size(), Cells(costs.data()), threads);
//
// Every node of both sets is climbed once, or its label is read. The nodes of one set lie side by
// side in lanes (lane_block.h); those of the other set pass by. A cell costs as many additions as
// the label of the passing node has entries, and no memory access outside the second-level cache.
// docs/design/INDEX.md has the proof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "lodestar/graph.h"
#include "lodestar/index.h"

namespace lodestar::index {

// Memory for cells: costs as float64, or as float32 or 32-bit integers where that is exact. An
// integer has its largest value if there is no path.
struct Cells {
  enum class Type : std::uint8_t { kCost, kFloat, kWhole };
  Type type = Type::kCost;
  void* data = nullptr;

  explicit Cells(Cost* costs) : data(costs) {}
  explicit Cells(float* costs) : type(Type::kFloat), data(costs) {}
  explicit Cells(std::uint32_t* costs) : type(Type::kWhole), data(costs) {}

  // Calls use(T*) with the type of the cells.
  template <class Use>
  auto visit(const Use& use) const {
    if (type == Type::kFloat) return use(static_cast<float*>(data));
    if (type == Type::kWhole) return use(static_cast<std::uint32_t*>(data));
    return use(static_cast<Cost*>(data));
  }
};

// The matrix of one call, for one caller at a time. A line belongs to a node of the first list.
class ManyJob {
 public:
  virtual ~ManyJob() = default;
  // Writes `count` lines from line `begin` on: [count × others]. `report` is called now and then on
  // the caller's thread with the share that is done; it may throw. Returns false if a cell is not
  // exact in its type.
  virtual bool lines(std::size_t begin, std::size_t count, Cells cells, unsigned threads,
                     const std::function<void(double)>& report = {}) const = 0;
};

// One-to-all by a pass down the hierarchy (sweeper.h), for one thread at a time. Reuses its memory,
// which is in proportion to the graph.
class OneToAll {
 public:
  virtual ~OneToAll() = default;
  // costs[n] by id: from the nearest start to every node (forward), or from every node to it.
  virtual void run(std::span<const NodeId> starts, Direction direction, Cost* costs) = 0;
  // Also which start it is, by its position in the list; the first one among equals, kNoNode if
  // there is no path. Returns false if the index does not support it.
  virtual bool run(std::span<const NodeId> starts, Direction direction, Cost* costs,
                   NodeId* nearest) = 0;
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

  virtual std::unique_ptr<OneToAll> one_to_all() const = 0;

  // Whether costs equal sums of weights in any order, as those of all other searches do.
  virtual bool exact_sums() const = 0;
  // Units in a cost of 1 if costs are decimals, otherwise 1.
  virtual double parts() const = 0;

  // Whether single queries are expected to be faster.
  virtual bool prefers_pairs(std::size_t lines, std::size_t others) const = 0;
  // Whether passes down the hierarchy are, each of which serves some lines and any others.
  virtual bool prefers_sweeps(std::size_t lines, std::size_t others) const = 0;
};

}  // namespace lodestar::index
