// Chooses the size of the core while the graph is contracted.
#pragma once

#include "index/build/assemble.h"
#include "index/build/build.h"
#include "index/build/contraction.h"

namespace lodestar::index {

// The work after which contraction gives up, by the number of nodes.
std::uint64_t allowed_work(NodeId nodes);

// Whether the core may be crossed by core distances.
bool may_store_distances(const IndexOptions& options, bool wide);

template <class W>
struct CoreChoice {
  CoreSnapshot<W> core;
  bool distances = false;  // cross it by core distances
  bool plain = false;      // search the graph without an index
};

// Contracts the graph, runs sample queries on cores of several sizes and returns the best. Ends
// early if contraction adds arcs instead of removing them, if it takes far more work than on
// graphs that contract, or at the limit.
template <class W>
CoreChoice<W> choose_core(const Graph& graph, const IndexOptions& options, const Report& report,
                          Contraction<W>& contraction, const TimeLimit& limit);

}  // namespace lodestar::index
