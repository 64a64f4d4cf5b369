// The time limit of a request, checked between searches and within long ones.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "limits.h"
#include "message.h"

namespace lodestar::server {

class Deadline {
 public:
  explicit Deadline(const Limits& limits)
      : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(limits.seconds))),
        expansions_(limits.expansions) {}

  // Throws Refusal when time is up.
  void check() const {
    if (Clock::now() < end_) return;
    throw Refusal(400, "TooBig", "this takes longer than a request may; ask for less at once");
  }
  // Called for every settled node; reads the clock only sometimes.
  void step() {
    if (++steps_ % 1024 == 0) check();
  }
  // Throws Refusal if a request exceeds its limit of expansions.
  void spend(std::uint64_t expansions) {
    spent_ += expansions;
    if (spent_ > expansions_) {
      throw Refusal(400, "TooBig",
                    "this takes more than the " + std::to_string(expansions_) +
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
