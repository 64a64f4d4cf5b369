// The copies of this program that mpirun started, working together.
//
//   const std::unique_ptr<Ranks> ranks = join_ranks();   // null without mpirun
//
// The only place that knows of MPI; without it at build time, join_ranks throws under mpirun.
#pragma once

#include <memory>
#include <span>

#include "learn/tune/crew.h"

namespace lodestar::cluster {

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t size() const = 0;

  // Called by all at once: the sum over all ranks replaces the values, the same bits everywhere.
  virtual void sum(std::span<float> values) = 0;
  virtual void sum(std::span<double> values) = 0;

  // Rank 0: the others as a crew. One that is silent for `patience` seconds is lost, and its trial
  // is reported as lost. When the crew is destroyed, the others end.
  virtual std::unique_ptr<tune::Crew> lead(double patience) = 0;
  // Other ranks: runs the trials that rank 0 sends until it ends. Throws Error if rank 0 is silent
  // for `patience` seconds.
  virtual void serve(double patience) = 0;
};

// Throws Error when mpirun started this program and it was built without MPI.
std::unique_ptr<Ranks> join_ranks();

}  // namespace lodestar::cluster
