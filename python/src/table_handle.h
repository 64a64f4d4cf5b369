// What `fit` made, as Python holds it. Pickled as its file's path when it has one.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "lodestar/potentials.h"
#include "lodestar/router.h"

namespace lodestar::python {

struct TableHandle {
  std::shared_ptr<const PotentialTable> table;
  std::string file;       // that holds it; empty: none
  double expansions = 0;  // mean of queries held back; 0: not measured
};

// An index, its file, or None.
void take_index(RouterOptions& options, const pybind11::object& index);

}  // namespace lodestar::python
