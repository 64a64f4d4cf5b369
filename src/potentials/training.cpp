// fit(): the loop over rounds, with its clock and its hooks.
#include "potentials/training.h"

#include <algorithm>

#include "lodestar/detail/clock.h"

namespace lodestar {
namespace {

// Without a time to train for, rounds that improve nothing end the training.
constexpr int kIdleRounds = 2;
// A round needs this many times the last evaluation to be evaluated itself.
constexpr double kEvaluations = 1.6;

void check(const FitOptions& options) {
  if (options.rounds == 0 && !(options.seconds >= 0)) {
    throw Error("training requires a time of at least 0 seconds or a number of rounds");
  }
}

FitResult trained(Fitter fitter, const FitOptions& options, const FitHooks& hooks,
                  const std::function<double()>& seconds) {
  const double before = fitter.expansions();
  const bool stopped = train(fitter, options, hooks, limit_of(options, seconds));
  return {fitter.potentials(), fitter.rounds(), seconds(), before, fitter.expansions(), stopped};
}

}  // namespace

std::function<double()> stopwatch(const FitOptions& options) {
  if (!options.clock) return [begin = Clock::now()] { return seconds_since(begin); };
  return [clock = options.clock, begin = options.clock()] { return clock() - begin; };
}

TimeLimit limit_of(const FitOptions& options, std::function<double()> seconds) {
  return options.rounds > 0 ? TimeLimit() : TimeLimit(options.seconds, std::move(seconds));
}

bool train(Fitter& fitter, const FitOptions& options, const FitHooks& hooks,
           const TimeLimit& limit) {
  const double before = fitter.expansions(), time = std::max(limit.left(), 0.0);
  const auto share = [&] {
    if (options.rounds > 0) {
      return static_cast<double>(fitter.rounds()) / static_cast<double>(options.rounds);
    }
    return time > 0 ? 1 - limit.left() / time : 1;
  };
  const auto report = [&](const FitRound* round) {
    if (hooks.progress) hooks.progress({std::clamp(share(), 0.0, 1.0), before, round, fitter});
  };
  bool stopped = false;
  const auto asked = [&] { return stopped = stopped || (hooks.stop && hooks.stop()); };
  const auto stop = [&] {
    return asked() || limit.left() <= kEvaluations * fitter.evaluation_seconds();
  };
  report(nullptr);
  try {
    const StopScope scope(limit.stop());
    int idle = 0;
    while (share() < 1 && !stop() && idle < kIdleRounds) {
      const FitRound round = fitter.round(stop);
      report(&round);
      idle = options.rounds == 0 && round.accepted == 0 ? idle + 1 : 0;
    }
  } catch (const Stopped&) {  // in the middle of a round: the best of those before is kept
    stopped = stopped || StopScope::pressed();
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
