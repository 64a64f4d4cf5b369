// The landmarks that training starts from.
#pragma once

#include "lodestar/fit.h"

namespace lodestar {

// Those of options.start, or of the choices the training has time for the one with the fewest
// expansions on the queries held back. A poor start stays poor: training moves potentials, it does
// not exchange them.
PotentialTable choose_start(const Graph& graph, const FitOptions& options);

}  // namespace lodestar
