// Ctrl-C during long work that keeps what it has: asked by the worker, without Python's lock.
#pragma once

#include <pybind11/pybind11.h>

namespace lodestar::python {

class Interruption {
 public:
  // True once Ctrl-C was pressed. Throws what any other signal's handler raised.
  bool operator()() {
    const pybind11::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) return pressed_;
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) throw pybind11::error_already_set();
    PyErr_Clear();
    return pressed_ = true;
  }

 private:
  bool pressed_ = false;
};

}  // namespace lodestar::python
