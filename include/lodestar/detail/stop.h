// Lets long work be stopped from outside, for example by Ctrl-C.
//
//   const StopScope scope([] { return pressed != 0; });
//   const Potentials table = landmark_potentials(graph, options);  // throws Stopped once pressed
//
// Long loops call check_stop() every few thousand steps. Within a scope it calls the scope's
// function at most every 10 ms, always on the thread that made the scope, and throws Stopped once
// the function returned true. Threads of parallel_for see the same scope and stop as well. A scope
// within another one also stops when the outer one does. Outside a scope check_stop() does nothing,
// so no function needs a parameter for it.
//
//   const TimeLimit limit(seconds);
//   const StopScope scope(limit.stop());  // check_stop() throws once the time has passed
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

#include "lodestar/detail/clock.h"
#include "lodestar/types.h"

namespace lodestar {

// Thrown where work was stopped before it had a result to return.
class Stopped : public Error {
 public:
  Stopped() : Error("stopped before there was a result") {}
};

// A time by which work should end. Copies share the clock, which counts from the first one.
class TimeLimit {
 public:
  TimeLimit() = default;  // never
  explicit TimeLimit(double seconds)
      : TimeLimit(seconds, [begin = Clock::now()] { return seconds_since(begin); }) {}
  TimeLimit(double seconds, std::function<double()> clock)
      : seconds_(seconds), clock_(std::move(clock)) {}

  double left() const { return clock_ ? seconds_ - clock_() : seconds_; }
  bool over() const { return left() <= 0; }
  // The limit at this share of the time that is left.
  TimeLimit share(double share) const {
    return clock_ ? TimeLimit(seconds_ - (1 - share) * left(), clock_) : *this;
  }
  TimeLimit earlier(double seconds) const {
    return clock_ ? TimeLimit(seconds_ - seconds, clock_) : *this;
  }
  // For a StopScope; empty if there is no limit.
  std::function<bool()> stop() const {
    if (!clock_) return {};
    return [limit = *this] { return limit.over(); };
  }

 private:
  double seconds_ = std::numeric_limits<double>::infinity();
  std::function<double()> clock_;
};

class StopScope {
 public:
  // An empty function leaves an outer scope in force.
  explicit StopScope(std::function<bool()> stop) : stop_(std::move(stop)), outer_(current_) {
    if (stop_) current_ = this;
  }
  ~StopScope() { current_ = outer_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  // The scope of this thread, or null.
  static StopScope* current() { return current_; }
  // Whether the work is to stop, for loops that end without an exception. What the function throws
  // passes through.
  static bool pressed() { return current_ != nullptr && current_->ask(); }

  // Keeps changes that must be complete from being stopped: until its end check_stop() does nothing
  // on this thread and those that it starts.
  class Hold {
   public:
    Hold() : scope_(current_) { current_ = nullptr; }
    ~Hold() { current_ = scope_; }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    StopScope* scope_;
  };

  // Puts a worker thread into the scope of the thread that gave it work.
  class Share {
   public:
    explicit Share(StopScope* scope) { current_ = scope; }
    ~Share() { current_ = nullptr; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
  };

 private:
  static constexpr std::chrono::milliseconds kEvery{10};

  bool ask() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    if (outer_ != nullptr && outer_->ask()) return true;
    if (std::this_thread::get_id() != owner_) return false;
    const auto now = Clock::now();
    if (now < next_) return false;
    // The first call starts the clock: short work never calls the function.
    const bool first = next_ == Clock::time_point{};
    next_ = now + kEvery;
    if (first) return false;
    try {
      stopped_ = stop_();
    } catch (...) {
      stopped_ = true;
      throw;
    }
    return stopped_;
  }

  std::function<bool()> stop_;
  StopScope* outer_;
  std::thread::id owner_ = std::this_thread::get_id();
  Clock::time_point next_{};
  std::atomic<bool> stopped_{false};
  static inline constinit thread_local StopScope* current_ = nullptr;
};

inline void check_stop() {
  if (StopScope::pressed()) throw Stopped();
}

// For loops of short steps: asks once every 4096 of them.
inline void check_stop(std::size_t step) {
  if (step % 4096 == 0) check_stop();
}

}  // namespace lodestar
