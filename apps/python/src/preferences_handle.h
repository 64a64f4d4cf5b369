// Preferences as Python holds them, and the searches that a Router runs with them.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "filled.h"
#include "lodestar/preferences.h"
#include "lodestar/router.h"
#include "path_handle.h"

namespace lodestar::python {

struct PreferencesHandle {
  using Filled = PreferencesHandle;
  Preferences preferences;
  std::string json;  // the same as text
};

// A PreferencesHandle. Throws Error for anything else.
const Preferences& preferences_of(const py::object& given);

bool is_place(const py::object& thing);
// Both are places of the graph; throws Error if they are not.
void require_places(const GraphPointer& graph, const py::object& source, const py::object& target);

// At least one route, the best one first; without a path it says so.
std::vector<PathHandle> request_routes(const GraphPointer& graph, const Router& router,
                                       const py::object& source, const py::object& target,
                                       const Preferences& preferences,
                                       const AlternativeOptions& options);
py::list request_paths(const GraphPointer& graph, const Router& router,
                       const std::vector<Query>& queries, const Preferences& preferences,
                       unsigned threads);
std::vector<double> request_costs(const Router& router, const std::vector<Query>& queries,
                                  const Preferences& preferences, unsigned threads);

}  // namespace lodestar::python
