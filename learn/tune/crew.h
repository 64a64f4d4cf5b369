// Runs the trials of a search, as local processes here or as MPI ranks (learn/cluster).
//
//   LocalCrew crew(jobs);
//   run_search(search, journal, crew, how);
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "learn/tune/journal.h"
#include "learn/tune/search.h"
#include "learn/tune/trial_process.h"

namespace lodestar::tune {

class Crew {
 public:
  virtual ~Crew() = default;  // ends running trials
  virtual std::size_t idle() const = 0;
  virtual void start(const TrialOrder& order) = 0;  // idle() must be above 0
  // The trials that ended; waits for a moment if there are none. Throws Error if no worker is left.
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

struct Coordination {
  std::function<TrialOrder(const Task&)> order;      // the command of a task
  std::function<void(const Record&)> on_record;      // after each result
  std::function<void(const std::string&)> on_note;   // messages for the user
  std::function<void(std::size_t running)> on_tick;  // regularly
};

// Runs trials until the search is finished and records their results in the journal. Throws Error
// when a trial fails, when one is lost three times in a row and when the journal cannot be written.
// The next call continues after the last recorded result.
void run_search(Search& search, Journal& journal, Crew& crew, const Coordination& how);

}  // namespace lodestar::tune
