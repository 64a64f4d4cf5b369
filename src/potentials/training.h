// The training loop of fit() and Index::trained().
#pragma once

#include <functional>

#include "lodestar/detail/stop.h"
#include "lodestar/fit.h"

namespace lodestar {

// Seconds since the call, by the clock of the options.
std::function<double()> stopwatch(const FitOptions& options);

// The time limit of the options; none if they give a number of rounds.
TimeLimit limit_of(const FitOptions& options, std::function<double()> seconds);

// Runs rounds until options.rounds or the limit are reached, hooks.stop returns true, or nothing is
// left to gain. Returns whether hooks.stop ended the loop.
bool train(Fitter& fitter, const FitOptions& options, const FitHooks& hooks,
           const TimeLimit& limit);

}  // namespace lodestar
