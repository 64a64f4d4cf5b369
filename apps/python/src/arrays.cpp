#include "arrays.h"

namespace lodestar::python {
namespace {

// Nullable types of pandas become NumPy's, and tensors of torch leave their device and gradient.
py::object plain(const py::handle& given, const std::string& what) {
  py::object object = py::reinterpret_borrow<py::object>(given);
  if (py::isinstance<py::array>(object)) return object;
  if (py::hasattr(object, "detach") && py::hasattr(object, "cpu")) {
    return object.attr("detach")().attr("cpu")();
  }
  if (!py::hasattr(object, "to_numpy") || !py::hasattr(object, "isna")) return object;
  const auto type = py::str(object.attr("dtype")).cast<std::string>();
  const bool whole = type.starts_with("Int") || type.starts_with("UInt");
  if (!whole && !type.starts_with("Float")) return object;
  if (object.attr("isna")().attr("any")().cast<bool>()) {
    throw Error(what + " has missing values; fill or drop them first");
  }
  return object.attr("to_numpy")(py::arg("dtype") = whole ? "int64" : "float64");
}

py::array one_dimensional(const py::handle& object, const std::string& what) {
  require_unmasked(object, what);
  py::array array = py::array::ensure(plain(object, what));
  if (!array) {
    PyErr_Clear();
    throw Error(what + " must be a one-dimensional array of numbers");
  }
  if (array.ndim() != 1) {
    throw Error(what + " must have one dimension and has " + std::to_string(array.ndim()));
  }
  return array;
}

}  // namespace

void require_unmasked(const py::handle& object, const std::string& what) {
  if (!py::hasattr(object, "mask")) return;
  if (!py::module_::import("numpy.ma").attr("is_masked")(object).cast<bool>()) return;
  throw Error(what + " has masked elements; fill them or leave them out first");
}

std::vector<NodeId> node_array(const py::handle& object, const std::string& what) {
  return node_array(object, kNoNode, what);
}

std::vector<NodeId> node_array(const py::handle& object, NodeId nodes, const std::string& what) {
  const py::array array = one_dimensional(object, what);
  if (array.size() == 0) return {};
  const char kind = array.dtype().kind();
  if (kind != 'i' && kind != 'u') {
    throw Error(what + " must be whole numbers; this array is of type " +
                py::str(array.dtype()).cast<std::string>());
  }
  if (kind == 'u' && array.itemsize() == 8) {
    // Beyond 2^63 a conversion to int64 would wrap.
    const py::array_t<std::uint64_t> wide(array);
    const auto at = wide.unchecked<1>();
    for (py::ssize_t i = 0; i < at.shape(0); ++i) {
      if (at(i) >= kNoNode) {
        throw Error(what + "[" + std::to_string(i) + "] = " + std::to_string(at(i)) +
                    " is no node");
      }
    }
  }
  const py::array_t<std::int64_t> numbers(array);
  const auto at = numbers.unchecked<1>();
  std::vector<NodeId> out(static_cast<std::size_t>(at.shape(0)));
  for (py::ssize_t i = 0; i < at.shape(0); ++i) {
    if (at(i) < 0 || at(i) >= static_cast<std::int64_t>(nodes)) {
      throw Error(what + "[" + std::to_string(i) + "] = " + std::to_string(at(i)) +
                  (nodes == kNoNode
                       ? " is no node"
                       : " is no node; there are " + std::to_string(nodes) + ", numbered from 0"));
    }
    out[static_cast<std::size_t>(i)] = static_cast<NodeId>(at(i));
  }
  return out;
}

py::array_t<double, py::array::c_style> number_array(const py::handle& object,
                                                     const std::string& what) {
  const py::array array = one_dimensional(object, what);
  const char kind = array.dtype().kind();
  if (array.size() > 0 && kind != 'i' && kind != 'u' && kind != 'f') {
    throw Error(what + " must be real numbers; this array is of type " +
                py::str(array.dtype()).cast<std::string>());
  }
  const py::array_t<double, py::array::c_style> numbers(array);
  if (kind != 'f' && array.itemsize() == 8) {
    for (py::ssize_t i = 0; i < numbers.size(); ++i) {
      if (numbers.data()[i] > 0x1p53) {
        throw Error(what + "[" + std::to_string(i) +
                    "] is beyond 2^53, where whole numbers are no longer exact");
      }
    }
  }
  return numbers;
}

}  // namespace lodestar::python
