// Customisable contraction hierarchies (Dibbelt, Strasser, Wagner 2016): an index in two steps, of
// which only the second looks at weights.
//
//   const Cch cch(graph);                              // order and shortcuts: once per topology
//   const CchMetric metric(cch, graph);                // weights: fast, again after every change
//   CchSearcher searcher(metric);                      // one per thread, reused
//   const SearchResult found = searcher.run({s, t});
//   use(found.cost, searcher.path());
//
// Nodes are eliminated in the order of a nested dissection; whatever the weights, a shortest path
// then goes up and down that order along shortcuts. Customisation gives each shortcut the cost of
// the cheapest way below it, by triangles. A query walks from both ends to the root of the
// elimination tree: no queue, and the nodes it looks at are the same for all weights.
//
// Nothing is learned. Good where separators are small; on dense or random graphs the shortcuts grow
// out of hand.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

// The graph has no small separators: a hierarchy of it would be larger than allowed.
class TooManyShortcuts : public Error {
 public:
  using Error::Error;
};

class Cch {
 public:
  struct Topology;
  static constexpr std::size_t kMostArcs = 0xfffffffeu / 2;

  // Throws TooManyShortcuts beyond `most_arcs`.
  explicit Cch(const Graph& graph, std::size_t most_arcs = kMostArcs);
  // order[i] = the node eliminated i-th; a permutation of the nodes, or Error.
  Cch(const Graph& graph, std::span<const NodeId> order, std::size_t most_arcs = kMostArcs);

  std::size_t arc_count() const;  // shortcuts included
  std::size_t bytes() const;
  const std::shared_ptr<const Topology>& topology() const { return topology_; }

 private:
  std::shared_ptr<const Topology> topology_;
};

struct CchCustomizing {
  unsigned threads = 1;  // 0: all processors; the result does not depend on them
  // Leaves out shortcuts that a way over higher nodes beats (perfect customisation). Takes about as
  // long again, and queries a part of the time: much on graphs whose separators are large.
  bool prune = true;
};

class CchMetric {
 public:
  struct Weights;

  // Throws Error when `graph` has other arcs than the one of the Cch. Weights may differ.
  CchMetric(const Cch& cch, const Graph& graph, const CchCustomizing& options = {});

  // After another change of weights. When it is a few arcs, what depends on them is found anew, the
  // rest copied, nothing pruned; `otherwise` says how it is done when they are many. `before` is
  // the graph of this metric, `after` has the same arcs.
  CchMetric changed(const Graph& before, const Graph& after,
                    const CchCustomizing& otherwise = {}) const;

  std::size_t bytes() const;  // without those of the Cch
  bool exact() const;         // sums are the same in any order
  // Shortcuts whose costs are not those that customising `graph` anew gives: 0 for a sound metric.
  std::size_t count_wrong(const Graph& graph) const;
  const std::shared_ptr<const Weights>& weights() const { return weights_; }

 private:
  std::shared_ptr<const Weights> weights_;
};

// A node as a query settles it, of this hierarchy or of an index.
struct IndexStep {
  NodeId node = kNoNode;
  Cost cost = 0;
  NodeId parent = kNoNode;  // a neighbour in the index, not always in the graph
  Direction side = Direction::kForward;
};

class CchSearcher {
 public:
  explicit CchSearcher(const CchMetric& metric);
  ~CchSearcher();
  CchSearcher(CchSearcher&&) noexcept;
  CchSearcher& operator=(CchSearcher&&) noexcept;

  // Exact. Expansions are the nodes whose arcs were looked at.
  SearchResult run(Query query);
  // The same, and appends every node it looked at, in order.
  SearchResult run(Query query, std::vector<IndexStep>& steps);
  // Of the last run, source first; empty when there was none.
  std::vector<NodeId> path() const;
  void path(std::vector<NodeId>& nodes) const;  // into memory of the caller

 private:
  class Impl;
  template <class W>
  class Walk;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lodestar
