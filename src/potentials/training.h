// The training loop of fit() and Index::trained().
#pragma once

#include <functional>

#include "lodestar/fit.h"

namespace lodestar {

// Runs rounds until options.rounds, or options.seconds by `seconds`, are reached or hooks.stop
// returns true. Returns whether hooks.stop ended the loop.
bool train(Fitter& fitter, const FitOptions& options, const FitHooks& hooks,
           const std::function<double()>& seconds);

}  // namespace lodestar
