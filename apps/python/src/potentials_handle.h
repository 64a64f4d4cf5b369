// An index or potentials as Python holds them. Pickled as the path of their file if there is one,
// otherwise as the bytes of such a file.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "filled.h"
#include "graph_handle.h"
#include "lodestar/index.h"
#include "lodestar/potential_family.h"
#include "lodestar/potentials.h"
#include "lodestar/router.h"

namespace lodestar::python {

struct PotentialsHandle {
  using Filled = PotentialsHandle;
  std::shared_ptr<const Potentials> potentials;  // of the graph's own weights
  std::string file;                              // that holds it; empty: none
  double expansions = 0;                         // mean of the held-out queries; 0: not measured
  std::shared_ptr<const PotentialFamily> family = {};  // of several metrics; null: of one

  void save(const std::string& path) const {
    family != nullptr ? family->save(path) : potentials->save(path);
  }
};

struct IndexHandle {
  using Filled = IndexHandle;
  std::shared_ptr<const Index> index;
  GraphPointer graph;  // it was made for
  std::string file;    // that holds it; empty: none
};

// An index or potentials, the file of either, or None. An index for other weights of the graph is
// customized; returns what had to be done, or nothing. The file of an index becomes the index.
std::string take_index(RouterOptions& options, const GraphPointer& graph, pybind11::object& index);
// Potentials, their file, or None.
void take_potentials(RouterOptions& options, const pybind11::object& potentials);

}  // namespace lodestar::python
