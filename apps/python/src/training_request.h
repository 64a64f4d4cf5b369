// The arguments that fit() and index() share.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "graph_handle.h"

namespace lodestar::python {

struct TrainingRequest {
  GraphPointer graph;
  double seconds;
  std::uint64_t rounds;
  std::vector<Query> log;
  std::uint32_t per_node;
  std::uint64_t seed;
  std::uint32_t threads;
  py::object progress;  // True, False, None, or a function (round, seconds, expansions)
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  mutable bool shown = false;

  // Checks the arguments and throws Error naming the one that is wrong.
  TrainingRequest(const GraphPointer& graph, double seconds, const py::object& rounds,
                  const py::object& queries, const py::object& per_node, const py::object& seed,
                  const py::object& threads, py::object progress);

  // Reports progress. Called without Python's lock, on the thread that called fit() or index().
  // An exception raised by the user's function ends the training and reaches the caller.
  void tell(const char* stage, std::uint64_t round, double passed, double expansions) const;
  void tell(double share, const std::string& doing) const;
  void tell_end() const;
  bool shows() const;
  void show(const py::object& line) const;
};

// Throws TypeError for keyword arguments that the function does not have; for one of an older
// version the message names the new one (lodestar/_renamed.py).
void reject_keywords(const char* function, const py::kwargs& unknown);

}  // namespace lodestar::python
