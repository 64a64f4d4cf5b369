// Whole numbers as arguments: out of range or no number at all is an Error that names the argument.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <limits>
#include <string>

#include "lodestar/types.h"

namespace lodestar::python {

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

}  // namespace lodestar::python
