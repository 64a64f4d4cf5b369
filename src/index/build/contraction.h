// Contracts a graph from below, node by node, until a core is left.
//
//   Contraction<W> contraction(graph, units, {});
//   contraction.run(core_size);                       // again and again, ever smaller
//   use(contraction.contracted(), contraction.remaining());
//
// Contracting m takes it out of the graph and joins its neighbours u, v by a shortcut of cost
// w(u,m) + w(m,v), unless a way around m that is at most as long is found. Distances between the
// remaining nodes stay what they were. The arcs m had at that moment are its up-arcs.
//
// Nodes are taken in rounds. A round takes those that are cheaper to contract than all their
// neighbours, so no two of a round are adjacent and their shortcuts can be found in parallel. Ways
// around a node must not rely on each other: they may pass nodes that come later in the round,
// never earlier ones, as if the round's nodes were contracted one by one. So the result depends
// neither on the number of threads nor on their luck.
//
// The cost of contracting is 2 · (arcs added ÷ removed) + 4 · (the same in arcs of the graph) +
// the node's level, which is one above the highest neighbour contracted so far. Where neighbours
// are few it is found anew as soon as one of them goes; where they are many, as on grids, every
// third time and when the node's turn seems to have come.
#pragma once

#include <cstdint>
#include <functional>
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
  // Nodes a search for a way around may settle: when guessing the cost, and when contracting.
  std::uint32_t guess_settled = 40;
  std::uint32_t settled = 100;
};

template <class W>
class Contraction {
 public:
  Contraction(const Graph& graph, const Units& units, const ContractionOptions& options);

  // Contracts until at most `core` nodes remain. each_round() is called once a round. After an
  // exception, as of a StopScope, the contraction is of no further use.
  void run(NodeId core, const std::function<void()>& each_round = {});
  // Contracts these nodes (ids of the graph), those that are adjacent by now one after the other:
  // to repeat an order found before.
  void contract(std::span<const NodeId> nodes);

  // Ids of the graph, in the order in which they went.
  const std::vector<NodeId>& contracted() const { return contracted_; }
  NodeId remaining() const { return static_cast<NodeId>(remaining_.size()); }
  std::vector<NodeId> remaining_nodes() const;  // ids of the graph, ascending
  std::size_t remaining_arcs() const;           // of one direction; symmetric: both twins count

  // The arcs of a contracted node when it went, or of a remaining one now. Heads and middles are
  // ids of the graph.
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
  };
  // Where the arcs of a contracted node lie in up_.
  struct UpRow {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
  };

  void find_shortcuts(NodeId m, std::uint32_t limit, Worker& worker) const;
  std::uint32_t quotient_of(NodeId m, Worker& worker) const;
  std::uint64_t cost_of(NodeId u) const;
  bool before(NodeId u, NodeId v) const;
  bool before_neighbours(NodeId u) const;
  bool has_many_pairs(NodeId u) const;
  void choose_round(NodeId most, std::vector<NodeId>& round);
  void contract_round(std::span<const NodeId> round);
  void drop_contracted();
  template <class Body>
  void in_parallel(std::size_t count, Body&& body) const;

  Units units_;
  ContractionOptions options_;
  std::vector<NodeId> order_;  // here → graph: neighbours lie close together
  std::vector<NodeId> place_;  // graph → here
  GrowingGraph<W> graph_;
  std::vector<std::unique_ptr<Worker>> workers_;
  // What makes up the cost of contracting a node.
  struct Price {
    std::uint32_t quotient = 0;
    std::uint32_t level = 0;
  };
  std::vector<Price> prices_;
  bool priced_ = false;              // prices_ is filled in
  std::vector<std::uint8_t> stale_;  // rounds that took a neighbour since the quotient was found
  std::vector<std::uint32_t> turn_;  // place in the order of contraction; the last while it waits
  std::vector<NodeId> remaining_;    // ids here
  std::vector<NodeId> contracted_;
  std::vector<GrowingArc<W>> up_[2];
  std::vector<UpRow> up_rows_[2];  // by id here
  NodeId compacted_at_ = 0;
};

extern template class Contraction<std::uint32_t>;
extern template class Contraction<double>;

}  // namespace lodestar::index
