// What fit() was asked for, of an index (index.cpp) or of potentials (fit.cpp).
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph_handle.h"
#include "potentials_handle.h"

namespace lodestar::python {

struct FitRequest {
  GraphPointer graph;
  std::optional<double> seconds;  // none: what suits an index, or potentials
  std::uint64_t rounds = 0;
  std::vector<Query> log;
  std::uint32_t potential_count = 16;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;
  std::optional<NodeId> core;
  bool paths = true;
  bool search = false;  // learned potentials on the core, also where potentials of it is faster
  bool labels = false;
  py::object progress;  // True, or a function (round, seconds, expansions)

  // Called without Python's lock, on the thread that called fit(). What a function of the user
  // raises passes through and ends the training.
  void tell(const char* stage, std::uint64_t round, double passed, double expansions) const;
  void tell_end() const;
};

IndexHandle fit_index(const FitRequest& request);            // index.cpp
PotentialsHandle fit_potentials(const FitRequest& request);  // fit.cpp

}  // namespace lodestar::python
