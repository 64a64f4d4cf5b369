// Measures the time of a heuristic inside a search with little overhead.
//
//   double seconds = 0;
//   TimedHeuristic timed(h, &seconds);                       // nullptr: no measurement
//   searcher.run(query, timed);
//
// Measures one call in 32 and extrapolates, because reading the clock is slower than most
// heuristics.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lodestar/detail/clock.h"
#include "lodestar/heuristic.h"
#include "lodestar/types.h"

namespace lodestar {

template <class H>
class TimedHeuristic {
 public:
  TimedHeuristic(H& h, double* seconds) : h_(h), seconds_(seconds) {}
  Cost operator()(NodeId v) {
    if (seconds_ == nullptr || (++calls_ & 31) != 0) return static_cast<Cost>(h_(v));
    const auto start = Clock::now();
    const Cost value = static_cast<Cost>(h_(v));
    const double spent = seconds_since(start);
    const auto again = Clock::now();
    *seconds_ += 32 * std::max(0.0, spent - seconds_since(again));
    return value;
  }
  Guarantee guarantee() const { return guarantee_of(h_); }
  NodeId node_count() const requires SizedHeuristic<H> { return h_.node_count(); }

 private:
  H& h_;
  double* seconds_;
  std::uint32_t calls_ = 0;
};

}  // namespace lodestar
