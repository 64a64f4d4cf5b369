// Ranks that run trials, and the one that leads them. Every message is JSON text or empty; both
// sides send a sign of life each second, so that silence means a dead process or a lost machine.
#pragma once

#include <mpi.h>

#include <chrono>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "learn/tune/crew.h"

namespace lodestar::cluster {

class MpiCrew : public tune::Crew {
 public:
  // *complete becomes false when a rank is lost; it must outlive the crew.
  MpiCrew(int size, double patience, bool* complete);
  ~MpiCrew() override;  // tells the others to end
  std::size_t idle() const override;
  void start(const tune::TrialOrder& order) override;
  std::vector<tune::TrialReport> wait() override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    bool lost = false;
    std::optional<std::uint32_t> trial;
    Clock::time_point heard;
  };
  struct Sending {
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void send(int rank, int tag, std::string text);
  void drop_sent();
  bool receive(std::vector<tune::TrialReport>& reports);
  void find_lost(std::vector<tune::TrialReport>& reports);
  void give_sign_of_life();

  std::vector<Worker> workers_;  // by rank; that of rank 0 is not used
  std::list<Sending> sending_;
  double patience_;
  bool* complete_;
  Clock::time_point last_sign_;
};

// The loop of the other ranks. Returns whether all ranks are there at the end.
bool serve_trials(double patience);

}  // namespace lodestar::cluster
