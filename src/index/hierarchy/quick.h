// An index right after a change of weights: the elimination tree answers until a contraction has
// been done.
#pragma once

#include <memory>

#include "index/data.h"
#include "index/runner.h"

namespace lodestar::index {

// `data` is of the same arcs and has `flexible`.
Data quickly_customised(const Data& data, const Graph& graph, unsigned threads);

// For data with `metric`.
std::unique_ptr<Runner> make_quick_runner(const Data& data);

}  // namespace lodestar::index
