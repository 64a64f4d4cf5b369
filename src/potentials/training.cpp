// fit(): the loop over rounds, with its clock and its hooks.
#include "potentials/training.h"

#include <algorithm>

#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"

namespace lodestar {
namespace {

// Seconds since the call. Processor time does not depend on what else the machine is doing.
std::function<double()> stopwatch(const FitOptions& options) {
  if (!options.processor_time) return [begin = Clock::now()] { return seconds_since(begin); };
  return [begin = process_seconds()] { return process_seconds() - begin; };
}

void check(const FitOptions& options) {
  if (options.rounds == 0 && !(options.seconds >= 0)) {
    throw Error("training requires a time of at least 0 seconds or a number of rounds");
  }
}

FitResult trained(Fitter fitter, const FitOptions& options, const FitHooks& hooks,
                  const std::function<double()>& seconds) {
  const double before = fitter.expansions();
  const bool stopped = train(fitter, options, hooks, seconds);
  return {fitter.potentials(), fitter.rounds(), seconds(), before, fitter.expansions(), stopped};
}

}  // namespace

bool train(Fitter& fitter, const FitOptions& options, const FitHooks& hooks,
           const std::function<double()>& seconds) {
  const double before = fitter.expansions();
  const auto share = [&] {
    return options.rounds > 0
               ? static_cast<double>(fitter.rounds()) / static_cast<double>(options.rounds)
               : seconds() / options.seconds;
  };
  const auto report = [&](const FitRound* round) {
    if (hooks.progress) hooks.progress({std::min(share(), 1.0), before, round, fitter});
  };
  bool stopped = false;
  const auto stop = [&] {
    stopped = stopped || (hooks.stop && hooks.stop());
    return stopped || (options.rounds == 0 && share() >= 1);
  };
  report(nullptr);
  try {
    while (share() < 1 && !stop()) {
      const FitRound round = fitter.round(stop);
      report(&round);
    }
  } catch (const Stopped&) {  // in the middle of a round: the best of those before is kept
    stopped = true;
  }
  return stopped;
}

FitResult fit(const Graph& graph, const FitOptions& options, const FitHooks& hooks) {
  check(options);
  const auto seconds = stopwatch(options);
  const StopScope scope(hooks.stop);
  return trained(Fitter(graph, options), options, hooks, seconds);
}

FitResult fit(const Graph& graph, const Potentials& start, const FitOptions& options,
              const FitHooks& hooks) {
  check(options);
  const auto seconds = stopwatch(options);
  Fitter fitter(graph, start, options);  // not to be stopped: it measures the given potentials
  const StopScope scope(hooks.stop);
  return trained(std::move(fitter), options, hooks, seconds);
}

}  // namespace lodestar
