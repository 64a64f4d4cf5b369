// Builds the arrays of an index.
#pragma once

#include <functional>

#include "index/data.h"
#include "lodestar/detail/stop.h"
#include "lodestar/index.h"

namespace lodestar::index {

using Report = std::function<void(const IndexProgress&)>;

// Contracts to the requested core, or to the one with the fastest sample queries.
// At the limit the core is larger, or the whole graph.
Data contract_graph(const Graph& graph, const IndexOptions& options, const Report& report,
                    const TimeLimit& limit);

}  // namespace lodestar::index
