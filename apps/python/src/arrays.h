// NumPy arrays in and out: checked on the way in, views without a copy on the way out.
//
//   const NodeArray sources(object, graph.node_count(), "sources");   // throws Error
//   return view(data, count, stride, keeper);                          // read-only, no copy
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lodestar/types.h"

namespace lodestar::python {

namespace py = pybind11;

// Any array or sequence of whole numbers, one-dimensional. Floats, booleans and numbers below 0
// are refused: a silent conversion would ask for another node.
std::vector<NodeId> node_array(const py::handle& object, const std::string& what);
// The same, and every number is below `nodes`.
std::vector<NodeId> node_array(const py::handle& object, NodeId nodes, const std::string& what);

// Any array or sequence of real numbers, one-dimensional, as contiguous doubles.
py::array_t<double, py::array::c_style> number_array(const py::handle& object,
                                                     const std::string& what);

// The numbers under a mask are not meant; throws Error when any is masked.
void require_unmasked(const py::handle& object, const std::string& what);

// A read-only array over memory that `keeper` keeps alive. `stride` in bytes.
template <class T>
py::array view(const T* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
               std::shared_ptr<const void> keeper) {
  auto* held = new std::shared_ptr<const void>(std::move(keeper));
  const py::capsule base(held,
                         [](void* p) { delete static_cast<std::shared_ptr<const void>*>(p); });
  py::array array(py::dtype::of<T>(), std::move(shape), std::move(strides), data, base);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

// Takes a vector's memory over, so that a large result is never copied.
template <class T>
py::array_t<T> adopt(std::vector<T>&& values, std::vector<py::ssize_t> shape = {}) {
  auto* held = new std::vector<T>(std::move(values));
  const py::capsule base(held, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  if (shape.empty()) shape = {static_cast<py::ssize_t>(held->size())};
  return py::array_t<T>(std::move(shape), held->data(), base);
}

}  // namespace lodestar::python
