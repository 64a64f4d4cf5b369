// In which whole numbers a graph's weights can be counted exactly.
#pragma once

#include "lodestar/graph.h"

namespace lodestar {

inline constexpr int kNoExponent = 1024;

// The largest k such that 2^k divides every weight; kNoExponent when all are zero.
int common_exponent(const Graph& graph);

}  // namespace lodestar
