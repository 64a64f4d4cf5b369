// A* on the dictionaries of a networkx graph, for heuristics written in Python, and for a few nodes
// without one.
//
// Such a search spends its time in the heuristic. Without a conversion nothing has to be compared
// with the graph afterwards, so neighbours are found as fast as distant nodes. The order of
// expansion is networkx's, and with it the path among several, also if the heuristic overestimates.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstdint>
#include <queue>
#include <string>
#include <vector>

#include "bindings.h"

namespace py = pybind11;

namespace lodestar::python {
namespace {

constexpr std::uint32_t kGoal = 0, kNone = UINT32_MAX;
constexpr double kExact = 9007199254740992.0;  // 2^53

py::object checked(PyObject* made) {
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

[[noreturn]] void unsupported(const std::string& text) {
  const py::object kind = py::module_::import("lodestar._networkx").attr("Unsupported");
  PyErr_SetString(kind.ptr(), text.c_str());
  throw py::error_already_set();
}

double number(PyObject* value) {
  if (PyFloat_CheckExact(value)) return PyFloat_AS_DOUBLE(value);
  const double found = PyFloat_AsDouble(value);
  if (found == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return found;
}

// A row of the graph or the attributes of an edge; other mappings are copied.
py::object dict_of(py::object mapping) {
  if (PyDict_Check(mapping.ptr())) return mapping;
  py::dict copy;
  if (PyDict_Update(copy.ptr(), mapping.ptr()) != 0) throw py::error_already_set();
  return copy;
}

class LabelSearch {
 public:
  LabelSearch(const py::object& rows, const py::object& target, const py::object& heuristic,
              const py::object& weight, bool multigraph, double cutoff, std::uint64_t most)
      : rows_(rows),
        target_(target),
        heuristic_(heuristic),
        weight_(weight),
        callable_(PyCallable_Check(weight.ptr()) != 0),
        multigraph_(multigraph),
        cutoff_(cutoff),
        most_(most) {}

  // The path as a list and its cost, or None; False if more nodes would have to be looked at.
  py::object run(const py::object& source) {
    slot(target_.ptr());  // kGoal
    queue_.push({0, 0, slot(source.ptr()), 0, kNone});
    for (std::uint64_t pops = 1; !queue_.empty(); ++pops) {
      if (pops == most_) return py::bool_(false);
      if (pops % 1024 == 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
      const Entry now = queue_.top();
      queue_.pop();
      Slot& here = slots_[now.slot];
      if (now.slot == kGoal) return result(now);
      if (here.explored && (here.parent == kNone || here.cost < now.cost)) continue;
      here.explored = true;
      here.parent = now.parent;
      expand(now);
    }
    return py::none();
  }

 private:
  struct Slot {
    PyObject* label;  // kept by number_of_
    double cost = 0, estimate = 0;
    std::uint32_t parent = kNone;
    bool queued = false, explored = false;
  };
  struct Entry {
    double key;
    std::uint64_t count;  // the earlier one of two
    std::uint32_t slot;
    double cost;
    std::uint32_t parent;
    bool operator<(const Entry& other) const {
      return key != other.key ? key > other.key : count > other.count;
    }
  };

  std::uint32_t slot(PyObject* label) {
    PyObject* known = PyDict_GetItemWithError(number_of_.ptr(), label);
    if (known != nullptr) return static_cast<std::uint32_t>(PyLong_AsUnsignedLong(known));
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    const auto made = static_cast<std::uint32_t>(slots_.size());
    if (PyDict_SetItem(number_of_.ptr(), label, py::int_(made).ptr()) != 0) {
      throw py::error_already_set();
    }
    slots_.push_back({label});
    return made;
  }

  void expand(const Entry& from) {
    const py::object label = py::reinterpret_borrow<py::object>(slots_[from.slot].label);
    const py::object row = dict_of(checked(PyObject_GetItem(rows_.ptr(), label.ptr())));
    const py::ssize_t size = PyDict_Size(row.ptr());
    py::ssize_t position = 0;
    PyObject *head = nullptr, *data = nullptr;
    while (PyDict_Next(row.ptr(), &position, &head, &data) != 0) {
      const auto neighbour = py::reinterpret_borrow<py::object>(head);
      reach(from, neighbour, weight(label, neighbour, py::reinterpret_borrow<py::object>(data)));
      if (PyDict_Size(row.ptr()) != size) {
        PyErr_SetString(PyExc_RuntimeError, "the graph changed during the search");
        throw py::error_already_set();
      }
    }
  }

  void reach(const Entry& from, const py::object& neighbour, double weight) {
    if (weight == HUGE_VAL) return;
    const double cost = from.cost + weight;
    const std::uint32_t at = slot(neighbour.ptr());
    if (at == kGoal) goal_ = neighbour;
    if (slots_[at].queued) {
      if (slots_[at].cost <= cost) return;
    } else if (!heuristic_.is_none()) {
      PyObject* arguments[] = {neighbour.ptr(), target_.ptr()};
      slots_[at].estimate =
          number(checked(PyObject_Vectorcall(heuristic_.ptr(), arguments, 2, nullptr)).ptr());
    }
    const double key = cost + slots_[at].estimate;
    if (cutoff_ != 0 && key > cutoff_) return;
    slots_[at].queued = true;
    slots_[at].cost = cost;
    queue_.push({key, ++count_, at, cost, from.slot});
  }

  // HUGE_VAL: the edge is hidden.
  double weight(const py::object& tail, const py::object& head, const py::object& data) {
    if (callable_) {
      PyObject* arguments[] = {tail.ptr(), head.ptr(), data.ptr()};
      return valid(checked(PyObject_Vectorcall(weight_.ptr(), arguments, 3, nullptr)).ptr());
    }
    if (!multigraph_) return attribute(data);
    const py::object edges = dict_of(data);
    double least = HUGE_VAL;
    py::ssize_t position = 0;
    PyObject* each = nullptr;
    while (PyDict_Next(edges.ptr(), &position, nullptr, &each) != 0) {
      least = std::min(least, attribute(py::reinterpret_borrow<py::object>(each)));
    }
    return least;
  }

  double attribute(const py::object& data) {
    const py::object attributes = dict_of(data);
    PyObject* value = PyDict_GetItemWithError(attributes.ptr(), weight_.ptr());
    if (value != nullptr) return valid(value);
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    return 1;
  }

  double valid(PyObject* value) {
    if (value == Py_None) return HUGE_VAL;
    const double found = PyFloat_AsDouble(value);
    if (PyErr_Occurred() != nullptr) PyErr_Clear();  // -1: no number
    const bool is_whole = PyLong_Check(value) != 0;
    whole_ = whole_ && is_whole;
    if (!(found >= 0 && found < HUGE_VAL)) {
      unsupported("weights must be finite numbers not below 0, not " +
                  py::repr(value).cast<std::string>());
    }
    if (is_whole && found > kExact) unsupported("whole numbers are exact up to 2^53");
    return found;
  }

  py::object result(const Entry& end) const {
    std::vector<std::uint32_t> back = {end.slot};
    for (std::uint32_t at = end.parent; at != kNone; at = slots_[at].parent) back.push_back(at);
    py::list path(back.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
      path[i] = py::reinterpret_borrow<py::object>(slots_[back[back.size() - 1 - i]].label);
    }
    if (goal_) path[back.size() - 1] = goal_;
    const py::float_ cost(end.cost);
    return py::make_tuple(path, whole_ ? py::object(py::int_(cost)) : py::object(cost));
  }

  const py::object &rows_, &target_, &heuristic_, &weight_;
  const bool callable_, multigraph_;
  const double cutoff_;       // 0: none
  const std::uint64_t most_;  // 0: no limit
  py::object goal_;           // as the graph labels it
  py::dict number_of_;
  std::vector<Slot> slots_;
  std::priority_queue<Entry> queue_;
  std::uint64_t count_ = 0;
  bool whole_ = true;
};

}  // namespace

void bind_label_astar(py::module_& module) {
  module.def(
      "_label_astar", [](const py::object& rows, const py::object& source, const py::object& target,
                         const py::object& heuristic, const py::object& weight, bool multigraph,
                         double cutoff, std::uint64_t most) {
        return LabelSearch(rows, target, heuristic, weight, multigraph, cutoff, most).run(source);
      });
}

}  // namespace lodestar::python
