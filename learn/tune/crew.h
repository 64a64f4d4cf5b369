// Those who run trials: processes of this machine here, ranks of MPI elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/tune/trial_process.h"

namespace lodestar::tune {

class Crew {
 public:
  virtual ~Crew() = default;  // what still runs is ended
  virtual std::size_t idle() const = 0;
  virtual void start(const TrialOrder& order) = 0;  // idle() must be above 0
  // Those that ended; waits a moment when there are none. Throws Error when nobody is left.
  virtual std::vector<TrialReport> wait() = 0;
};

class LocalCrew : public Crew {
 public:
  explicit LocalCrew(std::size_t jobs) : jobs_(jobs) {}
  std::size_t idle() const override { return jobs_ - running_.size(); }
  void start(const TrialOrder& order) override { running_.emplace_back(order); }
  std::vector<TrialReport> wait() override;

 private:
  std::size_t jobs_;
  std::vector<TrialProcess> running_;
};

}  // namespace lodestar::tune
