// The steps of building an index.
#pragma once

#include <functional>

#include "index/data.h"
#include "lodestar/index.h"

namespace lodestar::index {

using Report = std::function<void(const IndexProgress&)>;

// Contracts down to the core asked for, or to the one that sample queries like best.
Data contract_graph(const Graph& graph, const IndexOptions& options, const Report& report);

}  // namespace lodestar::index
