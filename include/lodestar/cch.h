// Customizable contraction hierarchies (Dibbelt, Strasser, Wagner 2016): an index built in two
// steps, of which only the second depends on the weights. Use them if weights change often.
//
//   const Cch cch(graph);                              // order and shortcuts: once per topology
//   const CchMetric metric(cch, graph);                // weights: fast, again after every change
//   CchSearcher searcher(metric);                      // one per thread, reused
//   const SearchResult found = searcher.run({s, t});
//   use(found.cost, searcher.path());
//
// Nodes are eliminated in the order of a nested dissection. For any weights, a shortest path then
// goes up and down this order along shortcuts. Customization computes the cost of each shortcut
// from the triangles below it. A query walks from both ends towards the root of the elimination
// tree, without a queue, and visits the same nodes for all weights. Near the root it takes minima
// of rows of costs, which the first queries after a customization fill.
//
// The method works well on graphs with small separators, such as road networks. On dense or random
// graphs there are too many shortcuts.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

// Thrown if the hierarchy would exceed the allowed size, because separators are large.
class TooManyShortcuts : public Error {
 public:
  using Error::Error;
};

class Cch {
 public:
  struct Topology;
  static constexpr std::size_t kMostArcs = 0xfffffffeu / 2;

  // Throws TooManyShortcuts if the hierarchy has more than `most_arcs` arcs.
  explicit Cch(const Graph& graph, std::size_t most_arcs = kMostArcs);
  // order[i] is the i-th node to eliminate. Throws Error if it is not a permutation of the nodes.
  Cch(const Graph& graph, std::span<const NodeId> order, std::size_t most_arcs = kMostArcs);

  std::size_t arc_count() const;  // including shortcuts
  std::size_t bytes() const;
  const std::shared_ptr<const Topology>& topology() const { return topology_; }

 private:
  std::shared_ptr<const Topology> topology_;
};

struct CchCustomizing {
  unsigned threads = 1;  // 0: all cores; the result does not depend on it
};

class CchMetric {
 public:
  struct Weights;

  // Throws Error if the arcs of `graph` differ from those of the Cch. Weights may differ.
  CchMetric(const Cch& cch, const Graph& graph, const CchCustomizing& options = {});

  // The metric after a change of weights. If few arcs changed, only the shortcuts that depend on
  // them are computed again. Otherwise the metric is customized as `otherwise` says. `before` is
  // the graph of this metric; `after` has the same arcs.
  CchMetric changed(const Graph& before, const Graph& after,
                    const CchCustomizing& otherwise = {}) const;

  std::size_t bytes() const;  // without the Cch
  bool exact() const;         // sums of weights do not depend on their order
  // The number of shortcuts whose cost differs from a new customization for `graph`; 0 if correct.
  std::size_t count_wrong(const Graph& graph) const;
  const std::shared_ptr<const Weights>& weights() const { return weights_; }

 private:
  std::shared_ptr<const Weights> weights_;
};

// A node settled by a query of a Cch or an Index.
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

  // The result is exact. Expansions are the nodes whose arcs were scanned.
  SearchResult run(Query query);
  // The same; also appends every visited node, in order.
  SearchResult run(Query query, std::vector<IndexStep>& steps);
  // The path of the last run, from source to target; empty if no path was found.
  std::vector<NodeId> path() const;
  void path(std::vector<NodeId>& nodes) const;  // the same, without allocating

 private:
  class Impl;
  template <class W>
  class Walk;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lodestar
