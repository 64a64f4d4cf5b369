// An upper bound on all distances of a graph. After a change of weights it is computed again along
// the same trees, without finding the components of the graph again.
#pragma once

#include <vector>

#include "lodestar/graph.h"

namespace lodestar::index {

// An upper bound on all finite distances of the graph, by one pass over each component.
Cost distance_bound(const Graph& graph);

class DistanceBound {
 public:
  DistanceBound() = default;
  explicit DistanceBound(const Graph& graph);
  // For the same arcs with any weights.
  Cost of(const Graph& graph) const;
  std::size_t bytes() const;

 private:
  // In the order of a search from the root; a root has no arc.
  struct Step {
    NodeId parent;  // position in the order
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
