// Metrics and classes of a graph, from and to Python.
#pragma once

#include <pybind11/pybind11.h>

#include <span>
#include <string>

#include "graph_handle.h"

namespace lodestar::python {

// The arcs of from_edges, in the order of its arrays.
struct EdgeArrays {
  std::span<const NodeId> tails;
  std::span<const NodeId> heads;
  std::span<const double> weights;
  bool directed;
};

// metrics: None or a dict of names and arrays, one number per edge. classes: None or one entry per
// edge: None, a text ("motorway toll") or a list of names. Empty if both are None.
Metrics metrics_of(const py::object& metrics, const py::object& classes, const std::string& name,
                   const EdgeArrays& edges, const Graph& graph);

// The graph with other weights, of all arcs or of some; update.cpp.
GraphPointer with_all_weights(const GraphHandle& handle, std::vector<double> weights);
GraphPointer with_some_weights(const GraphHandle& handle, const py::object& arcs,
                               const py::object& weights);

// Row offsets, heads and weights as views; graph.cpp.
py::tuple csr(const GraphHandle& handle);
// By name: the weights of each metric, and whether an arc has a class; in the order of csr().
py::dict metric_arrays(const GraphHandle& handle);
py::dict class_arrays(const GraphHandle& handle);

}  // namespace lodestar::python
