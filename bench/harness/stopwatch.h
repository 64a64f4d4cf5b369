// Time as this thread would have it on a machine of its own: on a busy one the clock on the wall
// also counts the turns of others.
#pragma once

#include <algorithm>

#include "lodestar/detail/clock.h"

namespace lodestar::eval {

class Stopwatch {
 public:
  // For parts of some microseconds and more: asking for the processor's time takes a third of one.
  double seconds() const { return std::min(wall_seconds(), processor_seconds() - processor_); }
  double wall_seconds() const { return seconds_since(wall_); }

 private:
  double processor_ = processor_seconds();
  Clock::time_point wall_ = Clock::now();
};

}  // namespace lodestar::eval
