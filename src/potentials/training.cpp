// fit(): the loop over rounds, with its clock and its hooks.
#include <algorithm>
#include <ctime>

#include "lodestar/detail/clock.h"
#include "lodestar/detail/stop.h"
#include "lodestar/fit.h"

namespace lodestar {
namespace {

// What training has taken so far. Processor time is what a machine of its own would take: on a
// busy one the clock on the wall measures the others.
class Spent {
 public:
  explicit Spent(bool processor) : processor_(processor) {}
  double seconds() const {
    if (!processor_) return seconds_since(begin_);
    return static_cast<double>(std::clock() - processor_begin_) / CLOCKS_PER_SEC;
  }

 private:
  bool processor_;
  Clock::time_point begin_ = Clock::now();
  std::clock_t processor_begin_ = std::clock();
};

void check(const FitOptions& options) {
  if (options.rounds == 0 && !(options.seconds >= 0)) {
    throw Error("training needs a time of at least 0 seconds, or a number of rounds");
  }
}

FitResult train(Fitter fitter, const FitOptions& options, const FitHooks& hooks,
                const Spent& spent) {
  const double before = fitter.expansions();
  const auto share = [&] {
    return options.rounds > 0
               ? static_cast<double>(fitter.rounds()) / static_cast<double>(options.rounds)
               : spent.seconds() / options.seconds;
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
  return {fitter.potentials(), fitter.rounds(), spent.seconds(), before,
          fitter.expansions(), stopped};
}

}  // namespace

FitResult fit(const Graph& graph, const FitOptions& options, const FitHooks& hooks) {
  check(options);
  const Spent spent(options.processor_time);
  const StopScope scope(hooks.stop);
  return train(Fitter(graph, options), options, hooks, spent);
}

FitResult fit(const Graph& graph, const Potentials& start, const FitOptions& options,
              const FitHooks& hooks) {
  check(options);
  const Spent spent(options.processor_time);
  Fitter fitter(graph, start, options);  // not to be stopped: it tells what the table is worth
  const StopScope scope(hooks.stop);
  return train(std::move(fitter), options, hooks, spent);
}

}  // namespace lodestar
