#include "bench/harness/turns.h"

#include "bench/harness/stopwatch.h"

namespace lodestar::bench {

Times time_in_turns(std::size_t tasks, const TurnOptions& options,
                    const std::function<void(std::size_t, int)>& task,
                    const std::function<void(double)>& progress) {
  Times seconds(tasks);
  const double runs = static_cast<double>(tasks) * options.turns;
  double done = 0;
  for (int turn = 0; turn < options.turns; ++turn) {
    for (std::size_t i = 0; i < tasks; ++i) {
      const std::size_t k = options.rotate ? (i + static_cast<std::size_t>(turn)) % tasks : i;
      if (options.warm_up) task(k, turn);
      const Stopwatch watch;
      task(k, turn);
      seconds[k].push_back(watch.seconds());
      if (progress) progress(++done / runs);
    }
  }
  return seconds;
}

}  // namespace lodestar::bench
