// Time as this thread would have it on a machine of its own: on a busy one the clock on the wall
// also counts the turns of others.
#pragma once

#include <algorithm>
#include <ctime>

#include "lodestar/detail/clock.h"

namespace lodestar::eval {

class Stopwatch {
 public:
  // For parts of some microseconds and more: asking for the processor's time takes a third of one.
  double seconds() const { return std::min(wall_seconds(), processor_now() - processor_); }
  double wall_seconds() const { return seconds_since(wall_); }

 private:
  static double processor_now() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  double processor_ = processor_now();
  Clock::time_point wall_ = Clock::now();
};

}  // namespace lodestar::eval
