// Times several tasks in turns, so that a busy moment of the machine hits all of them alike.
//
//   const Times times = time_in_turns(methods.size(), {.turns = 7}, [&](std::size_t m, int) {
//     for (const Query& query : queries) methods[m].run(query);
//   });
//   const double typical = median(times[m]);
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace lodestar::eval {

struct TurnOptions {
  int turns = 3;
  // Each task once unmeasured before each of its turns: the task before it has left its own data in
  // the caches.
  bool warm_up = false;
  // Another task begins each turn.
  bool rotate = false;
};

using Times = std::vector<std::vector<double>>;  // processor seconds, [tasks][turns]

// Calls task(index, turn). `progress` is told the share done.
Times time_in_turns(std::size_t tasks, const TurnOptions& options,
                    const std::function<void(std::size_t, int)>& task,
                    const std::function<void(double)>& progress = {});

}  // namespace lodestar::eval
