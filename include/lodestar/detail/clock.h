// Wall time, by the clock that is never set back, and the time this thread had a processor.
//
//   const auto start = Clock::now();
//   …
//   const double seconds = seconds_since(start);
#pragma once

#include <chrono>
#include <ctime>

namespace lodestar {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline double processor_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace lodestar
