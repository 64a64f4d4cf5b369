// Wall time, by the clock that is never set back.
//
//   const auto start = Clock::now();
//   …
//   const double seconds = seconds_since(start);
#pragma once

#include <chrono>

namespace lodestar {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace lodestar
