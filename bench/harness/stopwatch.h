// The clocks of the benchmarks. A Stopwatch measures this thread's time without the time that other
// processes take on a busy machine.
#pragma once

#include <algorithm>
#include <ctime>

#include "lodestar/detail/clock.h"

namespace lodestar::bench {

// Processor time of all threads of this process.
inline double process_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Stopwatch {
 public:
  // Use it for tasks of several microseconds or more: reading the processor time takes 0.3 µs.
  double seconds() const { return std::min(wall_seconds(), processor_seconds() - processor_); }
  double wall_seconds() const { return seconds_since(wall_); }

 private:
  double processor_ = processor_seconds();
  Clock::time_point wall_ = Clock::now();
};

}  // namespace lodestar::bench
