// From a contraction to the arrays of an index.
#pragma once

#include <vector>

#include "index/build/contraction.h"
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

enum class Assembly : std::uint8_t {
  kSample,  // to try queries on and throw away: it does not know which graph it was made for
  kCosts,
  kPaths,  // with what is needed to unpack paths
};

// Without a table.
template <class W>
Data assemble(const Graph& graph, const Contraction<W>& contraction,
              const CoreSnapshot<W>& snapshot, Assembly assembly);

}  // namespace lodestar::index
