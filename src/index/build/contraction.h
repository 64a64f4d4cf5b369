// Contracts a graph node by node until a core is left.
//
//   Contraction<W> contraction(graph, units, {});
//   contraction.run(core_size);                       // may be called again with a smaller core
//   use(contraction.contracted(), contraction.remaining());
//
// Contracting m removes it from the graph and connects its neighbours u, v by a shortcut of cost
// w(u,m) + w(m,v), unless a path around m that is at most as long (a witness) is found. Distances
// between the remaining nodes do not change. The arcs of m at that time are its up-arcs.
//
// Nodes are contracted in rounds. A round takes the nodes that are cheaper to contract than all
// their neighbours. No two of them are adjacent, so their shortcuts can be found in parallel.
// Witnesses must not depend on each other: they may use nodes that come later in the round but no
// earlier ones, as if the nodes were contracted one after the other. The result therefore does not
// depend on the number of threads.
//
// The cost of contracting a node is 2 · (arcs added ÷ removed) + 4 · (the same in arcs of the
// graph) + its level, which is one above the highest contracted neighbour. For nodes with few
// neighbours the cost is updated whenever a neighbour is contracted. With many neighbours, as on
// grids, it is updated every third time and before the node is contracted.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "index/build/growing_graph.h"
#include "index/build/witness.h"
#include "index/units.h"
#include "lodestar/graph.h"

namespace lodestar::index {

struct ContractionOptions {
  std::uint32_t threads = 1;
  // Limits on settled nodes of a witness search, for estimating the cost and for contracting.
  std::uint32_t guess_settled = 40;
  std::uint32_t settled = 100;
};

// Thrown when the work exceeds the allowance.
struct TooMuchWork {};

template <class W>
class Contraction {
 public:
  Contraction(const Graph& graph, const Units& units, const ContractionOptions& options);

  // Contracts until at most `core` nodes remain. each_round() is called once a round. After an
  // exception, as of a StopScope, the nodes contracted so far are a valid contraction. It must not
  // continue, because costs may be out of date.
  void run(NodeId core, const std::function<void()>& each_round = {});
  // Limits the work of witness searches; run() throws TooMuchWork beyond. Work is counted in steps
  // of a few nanoseconds and does not depend on the machine or on the number of threads.
  void allow(std::uint64_t work) { allowed_ = work; }
  std::uint64_t work() const { return work_; }
  // Looks at a sample of the nodes of a graph of which nothing was contracted. Returns false if
  // even the cheapest of them would add more arcs than they remove, or if contracting nodes like
  // the cheaper half would exceed the allowance.
  bool is_promising();
  // Contracts these nodes (ids of the graph) to repeat an earlier order. Nodes that are adjacent
  // now are contracted one after the other.
  void contract(std::span<const NodeId> nodes);

  // Ids of the graph, in the order of contraction.
  const std::vector<NodeId>& contracted() const { return contracted_; }
  NodeId remaining() const { return static_cast<NodeId>(remaining_.size()); }
  std::vector<NodeId> remaining_nodes() const;  // ids of the graph, ascending
  std::size_t remaining_arcs() const;           // of one direction; if symmetric, of both

  // The arcs of a contracted node when it was contracted, or the current arcs of a remaining one.
  // Heads and middles are ids of the graph.
  std::vector<GrowingArc<W>> arcs(NodeId node, Direction direction) const;

  bool symmetric() const { return graph_.symmetric(); }
  const Units& units() const { return units_; }

 private:
  struct Shortcut {
    NodeId tail;
    GrowingArc<W> arc;
  };
  struct Worker {
    explicit Worker(NodeId nodes) : witness(nodes) {}
    WitnessSearch<W> witness;
    std::vector<Shortcut> shortcuts;
    std::uint64_t work = 0;  // not yet part of work_
  };
  // The shortcuts of a node among those of a worker.
  struct Found {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
    std::uint32_t worker = 0;
  };
  // The position of the arcs of a contracted node in up_.
  struct UpRow {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
  };

  void find_shortcuts(NodeId m, std::uint32_t limit, Worker& worker) const;
  void find_shortcuts(std::span<const NodeId> round);
  std::uint32_t quotient_of(NodeId m, Worker& worker) const;
  std::uint64_t cost_of(NodeId u) const;
  bool before(NodeId u, NodeId v) const;
  bool before_neighbours(NodeId u) const;
  bool has_many_pairs(NodeId u) const;
  void choose_round(NodeId most, std::vector<NodeId>& round);
  void contract_round(std::span<const NodeId> round);
  void replace(std::span<const NodeId> round, std::size_t part);
  void drop_contracted();
  template <class Body>
  void in_parallel(std::size_t count, std::size_t chunk, Body&& body) const;
  template <class Keep>
  void select(std::span<const NodeId> nodes, Keep&& keep, std::vector<NodeId>& kept);
  void count_work(Worker& worker) const;

  Units units_;
  W longest_;  // upper bound on distances, in units
  ContractionOptions options_;
  std::vector<NodeId> order_;  // id here → id of the graph; neighbours are close together
  std::vector<NodeId> place_;  // id of the graph → id here
  GrowingGraph<W> graph_;
  std::vector<std::unique_ptr<Worker>> workers_;
  // The terms of the cost of contracting a node.
  struct Price {
    std::uint32_t quotient = 0;
    std::uint32_t level = 0;
  };
  std::vector<Price> prices_;
  bool priced_ = false;               // prices_ is filled in
  std::vector<std::uint8_t> stale_;   // rounds that contracted a neighbour since the last update
  std::vector<std::uint8_t> marked_;  // neighbours of the round
  std::vector<NodeId> selected_;      // for select(), by chunk
  std::vector<Found> found_;          // by place in the round
  std::vector<std::uint32_t> turn_;   // position in the order of contraction; kWaiting before that
  std::vector<NodeId> remaining_;     // ids here
  std::vector<NodeId> contracted_;
  std::vector<GrowingArc<W>> up_[2];
  std::vector<UpRow> up_rows_[2];  // by id here
  NodeId compacted_at_ = 0;
  mutable std::atomic<std::uint64_t> work_{0};
  std::uint64_t allowed_ = std::numeric_limits<std::uint64_t>::max();
};

extern template class Contraction<std::uint32_t>;
extern template class Contraction<double>;

}  // namespace lodestar::index
