// Times several tasks in turns, so that a busy moment of the machine affects all of them alike.
//
//   const Times times = time_in_turns(methods.size(), {.turns = 7}, [&](std::size_t m, int) {
//     for (const Query& query : queries) methods[m].run(query);
//   });
//   const double typical = median(times[m]);
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace lodestar::bench {

struct TurnOptions {
  int turns = 3;
  // Runs each task once unmeasured before each turn, because the previous task has filled the
  // caches with its own data.
  bool warm_up = false;
  // Starts each turn with another task.
  bool rotate = false;
};

using Times = std::vector<std::vector<double>>;  // processor seconds, [tasks][turns]

// Calls task(index, turn). `progress` is called with the share done.
Times time_in_turns(std::size_t tasks, const TurnOptions& options,
                    const std::function<void(std::size_t, int)>& task,
                    const std::function<void(double)>& progress = {});

}  // namespace lodestar::bench
