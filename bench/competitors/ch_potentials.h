// CH-Potentials (Strasser, Zeitz 2021): A* on the current graph, guided by exact distances in a
// contraction hierarchy of an earlier graph. They are computed on demand (lazy RPHAST).
//
//   const ChPotentials hierarchy(graph);
//   ChPotentialsSearcher searcher(hierarchy, changed);  // the same arcs; weights may only rise
//   const SearchResult found = searcher.run({s, t});
//
// The distance from v to t is the minimum of B(v), the cost of a downward path from v to t, and of
// w(v,x) + distance(x, t) over the arcs up from v; each is computed once per query. With the
// weights the hierarchy was made for, A* walks straight along a shortest path; after changes the
// bounds are those of the old weights. A node with two neighbours is passed without queueing it or
// computing its bound, and a dead end is not entered. Nothing is learned.
#pragma once

#include <memory>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/index.h"
#include "lodestar/search.h"

namespace lodestar::bench {

class ChPotentials {
 public:
  explicit ChPotentials(const Graph& graph);

  const Index& hierarchy() const { return hierarchy_; }
  std::size_t bytes() const { return hierarchy_.facts().bytes; }

 private:
  Index hierarchy_;  // with an empty core, without paths
};

// The distances themselves, for other searches: aim at a target, then ask.
class ChDistances {
 public:
  explicit ChDistances(const ChPotentials& potentials);
  ~ChDistances();
  void aim(NodeId target);
  Cost to_target(NodeId v);  // infinite if there is no way

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

class ChPotentialsSearcher {
 public:
  // Requires that no weight of `graph` is below that of the hierarchy; this is not checked.
  ChPotentialsSearcher(const ChPotentials& potentials, const Graph& graph);
  ~ChPotentialsSearcher();
  ChPotentialsSearcher(ChPotentialsSearcher&&) noexcept;
  ChPotentialsSearcher& operator=(ChPotentialsSearcher&&) noexcept;

  // Expansions are the nodes taken from the queue; evaluations the bounds computed.
  SearchResult run(Query query);
  std::vector<NodeId> path() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lodestar::bench
