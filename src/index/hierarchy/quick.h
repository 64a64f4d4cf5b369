// Quick customization of an index: queries use the elimination tree until the graph is contracted
// again.
#pragma once

#include <memory>

#include "index/data.h"
#include "index/runner.h"

namespace lodestar::index {

// `data` must have the same arcs and `flexible`.
Data quickly_customised(const Data& data, const Graph& graph, unsigned threads);

// Requires data.metric.
std::unique_ptr<Runner> make_quick_runner(const Data& data);

}  // namespace lodestar::index
