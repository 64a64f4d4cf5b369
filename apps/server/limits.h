// What one client may ask for: everything a request can make large has a number here. Time and
// expansions are limited by a Deadline.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "lodestar/detail/stop.h"
#include "message.h"

namespace lodestar::server {

struct Limits {
  std::size_t header_bytes = 8 << 10;      // of the whole header
  std::size_t url_bytes = 6 << 10;         // long lists are sent by POST
  std::size_t body_bytes = 256 << 10;      // of a request
  std::size_t update_bytes = 256u << 20;   // of new weights, by those who may send them
  std::size_t places = 1000;               // of one route
  std::size_t nearest = 100;               // roads of one place
  std::size_t cells = 10'000;              // of one table
  std::size_t contours = 16;               // of one isochrone
  std::size_t response_bytes = 64u << 20;  // of one response
  std::uint64_t expansions = 20'000'000;   // of one request
  double seconds = 10;                     // of one request
  std::size_t alternatives = 3;            // of one route, beside the best one
  std::size_t areas = 100;                 // to avoid in one request
  std::size_t corners = 2000;              // of all its polygons
  std::size_t ways = 1000;                 // closed by one request
  std::uint64_t trace_steps = 2'000'000;   // of one search shown
};

// The time limit of a request, checked between searches and within long ones.
class Deadline {
 public:
  explicit Deadline(const Limits& limits)
      : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(limits.seconds))),
        expansions_(limits.expansions) {}

  // Throws Refusal when time is up.
  void check() const {
    if (Clock::now() < end_) return;
    refuse("TooBig", "this takes longer than a request may; ask for less at once");
  }
  // Ends work of the library on this thread by that Refusal, for as long as the scope lives.
  StopScope scope() const {
    return StopScope([this] {
      check();
      return false;
    });
  }
  // Called for every settled node; reads the clock only sometimes.
  void step() {
    if (++steps_ % 1024 == 0) check();
  }
  // Throws Refusal if a request exceeds its limit of expansions.
  void spend(std::uint64_t expansions) {
    spent_ += expansions;
    if (spent_ > expansions_) {
      refuse("TooBig", "this takes more than the " + std::to_string(expansions_) +
                           " expansions a request may have");
    }
  }
  std::uint64_t spent() const { return spent_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end_;
  std::uint64_t expansions_;
  std::uint64_t spent_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace lodestar::server
