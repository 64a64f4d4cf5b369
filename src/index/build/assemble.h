// Converts a contraction into the arrays of an index.
#pragma once

#include <vector>

#include "index/build/contraction.h"
#include "index/data.h"

namespace lodestar::index {

// The core after `contracted` nodes were contracted; contraction may continue.
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
  kSample,  // for sample queries only: without the hashes of the graph
  kCosts,
  kPaths,  // with paths
};

// An index of the whole graph without contraction; queries search it from both ends.
template <class W>
Data assemble_whole(const Graph& graph, Units units, bool paths);

// The result has no core distances, labels or potentials.
template <class W>
Data assemble(const Graph& graph, const Contraction<W>& contraction,
              const CoreSnapshot<W>& snapshot, Assembly assembly);

}  // namespace lodestar::index
