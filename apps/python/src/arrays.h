// Values of Python: NumPy arrays, checked on the way in and views without a copy on the way out,
// whole numbers, and paths.
//
//   const NodeArray sources(object, graph.node_count(), "sources");   // throws Error
//   return view(data, count, stride, keeper);                          // read-only, no copy
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
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

// Whole numbers as arguments: out of range or no number at all is an Error that names the argument.
// Takes NumPy's whole numbers too, but no float and no bool.
template <class T>
T whole(const pybind11::handle& value, const char* name, T least = 0,
        T most = std::numeric_limits<T>::max()) {
  PyObject* number = PyBool_Check(value.ptr()) ? nullptr : PyNumber_Index(value.ptr());
  bool good = number != nullptr;
  unsigned long long found = 0;
  if (good) {
    found = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    good = PyErr_Occurred() == nullptr && found >= least && found <= most;
  }
  PyErr_Clear();
  if (good) return static_cast<T>(found);
  throw Error(std::string(name) + " must be a whole number from " + std::to_string(least) + " to " +
              std::to_string(most) + ", not " + pybind11::repr(value).cast<std::string>());
}

// 0 stands for all processors.
inline unsigned threads_of(const pybind11::handle& value) {
  return whole<unsigned>(value, "threads", 0, 1024);
}

// Paths as Python gives them.
// The path given as a string or as an object with __fspath__.
inline std::string text_of_path(const pybind11::object& path) {
  return pybind11::module_::import("os").attr("fspath")(path).cast<std::string>();
}

// Pickles name absolute paths, because workers may have another working directory.
inline std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).string();
}

// What pickle stores of an object: (path, None) if this file holds it, otherwise (None, the bytes
// of such a file).
inline std::pair<pybind11::object, pybind11::object> pickled(const pybind11::object& self,
                                                             const std::string& file) {
  if (!file.empty() && std::filesystem::exists(file))
    return {pybind11::str(file), pybind11::none()};
  return {pybind11::none(), pybind11::module_::import("lodestar._pickle").attr("bytes_of")(self)};
}

// Names come from outside: bytes that are no UTF-8 are replaced.
inline py::object text_of(std::string_view name) {
  return py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(name.data(), static_cast<py::ssize_t>(name.size()), "replace"));
}

}  // namespace lodestar::python
