// A bound on every distance of a graph, found again after weights have changed without looking for
// the graph's components again: it is a sum along trees that stay.
#pragma once

#include <vector>

#include "lodestar/graph.h"

namespace lodestar::index {

// An upper bound on every finite distance of the graph. One pass over each component.
Cost distance_bound(const Graph& graph);

class DistanceBound {
 public:
  DistanceBound() = default;
  explicit DistanceBound(const Graph& graph);
  // For the same arcs with any weights.
  Cost of(const Graph& graph) const;
  std::size_t bytes() const;

 private:
  // In the order in which a search from the root finds them; a root names no arc.
  struct Step {
    NodeId parent;  // its place in the order
    ArcIndex arc;   // in the order of the direction's arcs
  };
  struct Leaving {
    NodeId component;
    ArcIndex arc;
  };
  std::vector<Step> steps_[2];  // by direction
  std::vector<Leaving> leaving_;
  NodeId components_ = 0;
};

}  // namespace lodestar::index
