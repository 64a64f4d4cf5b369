// Wall time by a clock that is never set back, and processor time of this thread or the process.
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

namespace detail {
inline double seconds_of(clockid_t clock) {
  std::timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
}  // namespace detail

// Processor time of this thread.
inline double processor_seconds() {
  return detail::seconds_of(CLOCK_THREAD_CPUTIME_ID);
}
// Processor time of all threads of the process.
inline double process_seconds() {
  return detail::seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace lodestar
