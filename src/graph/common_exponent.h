// The largest unit in which all weights of a graph are integers.
#pragma once

#include "lodestar/graph.h"

namespace lodestar {

inline constexpr int kNoExponent = 1024;

// The largest k such that 2^k divides every weight; kNoExponent if all weights are zero.
int common_exponent(const Graph& graph);

}  // namespace lodestar
