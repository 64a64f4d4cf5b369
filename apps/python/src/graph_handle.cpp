#include "graph_handle.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "arrays.h"
#include "interruption.h"
#include "lodestar/rng.h"
#include "path_handle.h"

namespace lodestar::python {

std::uint64_t GraphHandle::fingerprint() const {
  const Unlocked unlocked;
  const std::lock_guard lock(lazy->mutex);
  if (lazy->fingerprint != 0) return lazy->fingerprint;
  const Graph& g = graph();
  std::uint64_t hash = mix64(g.node_count());
  const auto add = [&](std::uint64_t value) { hash = mix64(hash ^ value) + value; };
  for (NodeId v = 0; v < g.node_count(); ++v) {
    check_stop(v);
    for (const Arc arc : g.arcs(v)) {
      add(arc.head);
      add(std::bit_cast<std::uint64_t>(arc.weight));
    }
    add(g.node_count());  // the end of a row
  }
  for (const Point& at : g.points()) {
    add(std::bit_cast<std::uint64_t>(at.x));
    add(std::bit_cast<std::uint64_t>(at.y));
  }
  const Metrics& metrics = file.metrics;
  for (const MetricColumn& column : metrics.columns) {
    for (std::size_t i = 0; i < column.size(); ++i) add(std::bit_cast<std::uint64_t>(column[i]));
  }
  for (const std::uint16_t kind : metrics.arc_kind) add(metrics.kinds[kind].classes);
  return lazy->fingerprint = hash == 0 ? 1 : hash;
}

CostUnit GraphHandle::unit() const {
  const Unlocked unlocked;
  const std::lock_guard lock(lazy->mutex);
  if (!lazy->unit) lazy->unit = cost_unit(graph(), file.shape);
  return *lazy->unit;
}

NodeId GraphHandle::find(const std::string& name) const {
  const auto ids = file.shape.node_id;
  if (ids.empty()) return file.names.find(name);
  std::int64_t id = 0;
  const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (failed != std::errc() || end != name.data() + name.size()) return kNoNode;
  const std::lock_guard lock(lazy->mutex);
  auto& node_of = lazy->node_of_id;
  if (node_of.empty()) {
    for (NodeId v = 0; v < ids.size(); ++v) node_of.emplace(ids[v], v);
  }
  const auto found = node_of.find(id);
  return found == node_of.end() ? kNoNode : found->second;
}

const std::vector<ArcIndex>& GraphHandle::closed_arcs() const {
  const std::lock_guard lock(lazy->mutex);
  std::vector<ArcIndex>& found = lazy->closed_arcs;
  if (closed == 0 || !found.empty()) return found;
  ArcIndex at = 0;
  for (NodeId u = 0; u < graph().node_count(); ++u) {
    for (const Arc arc : graph().arcs(u)) {
      if (arc.weight >= closed) found.push_back(at);
      ++at;
    }
  }
  return found;
}

void GraphHandle::close(std::span<Cost> costs, std::span<NodeId> first,
                        std::span<NodeId> second) const {
  if (closed == 0) return;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (!is_closed(costs[i])) continue;
    costs[i] = kInfinity;
    if (!first.empty()) first[i] = kNoNode;
    if (!second.empty()) second[i] = kNoNode;
  }
}

double GraphHandle::close_weights(std::span<double> weights, NodeId nodes) {
  double largest = 0, sum = 0;
  bool any = false;
  for (const double w : weights) {
    any = any || w == kInfinity;
    if (!(w < kInfinity)) continue;
    largest = std::max(largest, w);
    sum += w;
  }
  if (!any) return 0;
  // Twice what a path can cost, as a power of two: exact beside weights of any unit.
  const double most = std::max(1.0, std::min(sum, largest * nodes));
  const double replacement = std::exp2(std::ceil(std::log2(most)) + 1);
  for (double& w : weights) {
    if (w == kInfinity) w = replacement;
  }
  return replacement;
}

NodeId GraphHandle::node(const py::handle& name) const {
  if (PyLong_CheckExact(name.ptr()) == 0 && py::isinstance<PlaceHandle>(name)) {
    const GraphHandle& other = *name.cast<const PlaceHandle&>().graph;
    if (&other != this && other.fingerprint() != fingerprint()) {
      throw Error("a place belongs to the graph it was found on; this router has another");
    }
    return node(py::reinterpret_borrow<py::object>(name).attr("node"));
  }
  if (!index_of.is_none()) {
    PyObject* found = PyDict_GetItemWithError(index_of.ptr(), name.ptr());
    if (found != nullptr) return static_cast<NodeId>(PyLong_AsUnsignedLong(found));
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    throw Error("there is no node " + py::repr(name).cast<std::string>() + " in this graph");
  }
  // NumPy's whole numbers too, but no float and no bool.
  PyObject* number = PyBool_Check(name.ptr()) ? nullptr : PyNumber_Index(name.ptr());
  if (number == nullptr) {
    PyErr_Clear();
    throw Error("a node is a whole number here, not " + py::repr(name).cast<std::string>());
  }
  const long long value = PyLong_AsLongLong(number);
  Py_DECREF(number);
  if (PyErr_Occurred() != nullptr || value < 0 || value >= graph().node_count()) {
    PyErr_Clear();
    throw Error("there is no node " + py::repr(name).cast<std::string>() + "; there are " +
                std::to_string(graph().node_count()) + ", numbered from 0");
  }
  return static_cast<NodeId>(value);
}

namespace {
// Places come in lists; numbers usually come in arrays.
bool has_place(const py::handle& names) {
  if (!PyList_Check(names.ptr()) && !PyTuple_Check(names.ptr())) return false;
  for (const py::handle name : names) {
    if (PyLong_CheckExact(name.ptr()) == 0 && py::isinstance<PlaceHandle>(name)) return true;
  }
  return false;
}
}  // namespace

std::vector<NodeId> GraphHandle::nodes(const py::handle& names, const std::string& what) const {
  std::vector<NodeId> out;
  if (index_of.is_none()) {
    if (!has_place(names)) return node_array(names, graph().node_count(), what);
    for (const py::handle name : names) out.push_back(node(name));
    return out;
  }
  // An array of labels is listed first: its elements are then Python's own, as in the dict.
  const py::object list = py::hasattr(names, "tolist") ? names.attr("tolist")()
                                                       : py::reinterpret_borrow<py::object>(names);
  for (const py::handle name : list) out.push_back(node(name));
  return out;
}

py::object GraphHandle::label(NodeId v) const {
  if (labels.is_none()) return py::int_(v);
  return py::reinterpret_borrow<py::object>(PyList_GET_ITEM(labels.ptr(), v));
}

py::object GraphHandle::names(std::vector<NodeId>&& nodes) const {
  if (labels.is_none()) return adopt(std::move(nodes));
  py::list out;
  for (const NodeId v : nodes) out.append(label(v));
  return out;
}

}  // namespace lodestar::python
