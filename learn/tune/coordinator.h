// Hands out trials until the search is finished, and writes down what comes back.
#pragma once

#include <functional>

#include "learn/tune/crew.h"
#include "learn/tune/journal.h"
#include "learn/tune/search.h"

namespace lodestar::tune {

struct Coordination {
  std::function<TrialOrder(const Task&)> order;      // how a task is run
  std::function<void(const Record&)> on_record;      // a trial has a result
  std::function<void(const std::string&)> on_note;   // something a user should know
  std::function<void(std::size_t running)> on_tick;  // now and then
};

// Throws Error when a trial fails by its own fault, when one is lost three times in a row, and
// when the journal cannot be written. What was recorded stays; the next call goes on from there.
void run_search(Search& search, Journal& journal, Crew& crew, const Coordination& how);

}  // namespace lodestar::tune
