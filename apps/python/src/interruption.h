// Ctrl-C during long calls, polled by the worker while Python's lock is released.
#pragma once

#include <pybind11/pybind11.h>

#include "lodestar/detail/stop.h"

namespace lodestar::python {

// For calls that return the best result so far.
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

// For all other work: releases Python's lock for as long as it lives. What a signal's handler
// raises, such as KeyboardInterrupt, ends the work.
class Unlocked {
 private:
  static bool ask() {
    const pybind11::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    return false;
  }

  pybind11::gil_scoped_release released_;
  StopScope scope_{ask};
};

// What `ask` returns, while other threads run Python.
template <class Ask>
auto without_gil(const Ask& ask) {
  const Unlocked unlocked;
  return ask();
}

}  // namespace lodestar::python
