// From a contraction to the arrays of an index.
#pragma once

#include <vector>

#include "index/contraction.h"
#include "index/data.h"

namespace lodestar::index {

// The core as it was when `contracted` nodes had gone; contraction may go on.
template <class W>
struct CoreSnapshot {
  std::size_t contracted = 0;
  std::vector<NodeId> nodes;                     // ids of the graph, ascending
  std::vector<std::vector<GrowingArc<W>>> arcs;  // out of each, by place in `nodes`

  std::size_t arc_count() const {
    std::size_t sum = 0;
    for (const auto& row : arcs) sum += row.size();
    return sum;
  }
};

template <class W>
CoreSnapshot<W> take_snapshot(const Contraction<W>& contraction);

// Without a table. `paths`: with what is needed to unpack them.
template <class W>
Data assemble(const Graph& graph, const Contraction<W>& contraction,
              const CoreSnapshot<W>& snapshot, bool paths);

}  // namespace lodestar::index
