// Graphs from files and from arrays.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "arrays.h"
#include "bindings.h"
#include "graph_handle.h"
#include "interruption.h"
#include "metrics.h"

namespace lodestar::python {
namespace {

CoordinateKind parse_coordinates(const std::string& name) {
  for (const auto kind :
       {CoordinateKind::kPlane, CoordinateKind::kDegrees, CoordinateKind::kGrid}) {
    if (name == to_string(kind)) return kind;
  }
  throw Error("unknown coordinates '" + name + "'; choose plane, degrees (lon, lat) or grid");
}

std::vector<Point> points_of(const py::object& xy, NodeId nodes) {
  require_unmasked(xy, "xy");
  const py::array array = py::array::ensure(xy);
  if (!array || array.ndim() != 2 || array.shape(1) != 2 ||
      array.shape(0) != static_cast<py::ssize_t>(nodes)) {
    PyErr_Clear();
    throw Error("xy must have the shape (" + std::to_string(nodes) + ", 2): x and y of every node");
  }
  const char kind = array.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u') throw Error("xy must be real numbers");
  const py::array_t<double, py::array::c_style> numbers(array);
  const auto at = numbers.unchecked<2>();
  std::vector<Point> points(nodes);
  for (NodeId v = 0; v < nodes; ++v) {
    points[v] = {at(v, 0), at(v, 1)};
    if (!std::isfinite(points[v].x) || !std::isfinite(points[v].y)) {
      throw Error("xy[" + std::to_string(v) + "] is not finite");
    }
  }
  return points;
}

GraphPointer make_handle(Graph graph) {
  auto handle = std::make_shared<GraphHandle>();
  handle->file.graph = std::move(graph);
  handle->file.names = NodeNames::numbered(0, handle->graph().node_count());
  handle->file.format = "memory";
  return handle;
}

GraphPointer read(const py::object& path, ReadOptions options) {
  const auto name = text_of_path(path);
  auto handle = std::make_shared<GraphHandle>();
  options.progress = [](double) {  // a large extract takes a while: let Ctrl-C end it
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
  handle->file = without_gil([&] { return read_graph(name, options); });
  if (name.ends_with(".lsg") && !options.undirected && options.metrics.empty()) {
    handle->mapped = absolute(name);
  }
  return handle;
}

// Runs without Python's lock: all arguments are C++ objects.
Graph build(const std::vector<NodeId>& u, const std::vector<NodeId>& v, const double* weight,
            std::vector<Point> points, CoordinateKind kind, bool directed, NodeId count) {
  const Unlocked unlocked;
  GraphBuilder builder(count);
  builder.reserve(directed ? u.size() : 2 * u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    check_stop(i);
    if (!(weight[i] >= 0)) {
      throw Error("weights[" + std::to_string(i) + "] = " + std::to_string(weight[i]) +
                  " on the arc " + std::to_string(u[i]) + " → " + std::to_string(v[i]) +
                  "; weights must be 0 or more, and infinite for an arc that is closed");
    }
    builder.add(u[i], v[i], weight[i], !directed);
  }
  if (!points.empty()) builder.set_points(kind, std::move(points));
  return builder.build();
}

// Nodes take memory whether they have arcs or not, so a few arcs with large ids would take it all.
void require_dense(std::uint64_t nodes, std::uint64_t arcs) {
  constexpr std::uint64_t kAlways = 1u << 24, kNodesPerArc = 64;
  if (nodes <= kAlways + kNodesPerArc * arcs) return;
  throw Error("there would be " + std::to_string(nodes) + " nodes for " + std::to_string(arcs) +
              " arcs: nodes are numbered from 0 to the largest id. Number those in use without "
              "gaps: ids, ends = numpy.unique([tails, heads], return_inverse=True); tails, heads = "
              "ends.reshape(2, -1); ids[v] is then the id of node v");
}

GraphPointer from_edges(const py::object& tails, const py::object& heads, const py::object& weights,
                        const py::object& xy, const std::string& coordinates, bool directed,
                        const py::object& nodes, const py::object& metrics,
                        const py::object& classes, const std::string& weight_name) {
  const std::vector<NodeId> u = node_array(tails, "tails"), v = node_array(heads, "heads");
  const auto given_weights = number_array(weights, "weights");
  std::vector<double> w(given_weights.data(), given_weights.data() + given_weights.size());
  if (u.size() != v.size() || u.size() != w.size()) {
    throw Error("tails, heads and weights must be of one length; they have " +
                std::to_string(u.size()) + ", " + std::to_string(v.size()) + " and " +
                std::to_string(w.size()));
  }
  NodeId count = 0;
  for (std::size_t i = 0; i < u.size(); ++i) count = std::max({count, u[i] + 1, v[i] + 1});
  if (!nodes.is_none()) {
    const auto given = whole<NodeId>(nodes, "nodes", 0, kNoNode - 1);
    if (given < count) {
      throw Error("nodes is " + std::to_string(given) + ", but the arcs name node " +
                  std::to_string(count - 1));
    }
    count = given;
  } else if (!xy.is_none()) {
    count = std::max(count, static_cast<NodeId>(py::len(xy)));
  }
  std::vector<Point> points;
  if (!xy.is_none()) points = points_of(xy, count);
  if (xy.is_none()) require_dense(count, u.size());
  const CoordinateKind kind = parse_coordinates(coordinates);
  const double closed = GraphHandle::close_weights(w, count);
  GraphPointer made = make_handle(build(u, v, w.data(), std::move(points), kind, directed, count));
  made->closed = closed;
  const EdgeArrays edges{u, v, w, directed};
  made->file.metrics = metrics_of(metrics, classes, weight_name, edges, made->graph());
  return made;
}

}  // namespace

void bind_graph_making(py::module_& module) {
  module.def(
      "read",
      [](const py::object& path, std::string weight, bool undirected, std::string coordinates,
         bool unit_diagonals, bool exact_diagonals, bool corner_cutting, const py::object& profile,
         bool turns, bool all, const py::object& threads, bool map,
         std::vector<std::string> metrics) {
        return read(path, {.unit_diagonals = unit_diagonals,
                           .corner_cutting = corner_cutting,
                           .exact_diagonals = exact_diagonals,
                           .undirected = undirected,
                           .weight = std::move(weight),
                           .metrics = std::move(metrics),
                           .coordinates = std::move(coordinates),
                           .profile = profile.is_none() ? "" : text_of_path(profile),
                           .turns = turns,
                           .all = all,
                           .threads = threads_of(threads),
                           .map = map});
      },
      py::arg("path"), py::kw_only(), py::arg("weight") = "", py::arg("undirected") = false,
      py::arg("coordinates") = "", py::arg("unit_diagonals") = false,
      py::arg("exact_diagonals") = false, py::arg("corner_cutting") = false,
      py::arg("profile") = py::none(), py::arg("turns") = false, py::arg("all") = false,
      py::arg("threads") = 0, py::arg("map") = false,
      py::arg("metrics") = std::vector<std::string>(), R"(
A graph from a file of any format the program reads; docs/design/FORMATS.md has them all.

An OpenStreetMap extract (.osm.pbf, .osm, .osm.gz, .osm.bz2) is read by a ``profile``: "car",
"bicycle", "foot" or a file with rules. Its ``weight`` is "time" (weights are tenths of a second) or
"length" (tenths of a metre); ``turns`` honours turn restrictions, ``all`` keeps more than the
largest strong component. With ``map`` a .lsg file is used where it lies, so that processes share one copy: replace
such a file, never change it in place. ``metrics`` names the metrics to keep beside the weight:
columns of an edge list, keys of GraphML, or some of those a .lsg file or an extract has. What a format
cannot obey is an error.

>>> import lodestar, tempfile
>>> folder = tempfile.TemporaryDirectory()
>>> with open(folder.name + "/roads.gr", "w") as file:
...     _ = file.write("p sp 2 1\na 1 2 30\n")
>>> g = lodestar.read(folder.name + "/roads.gr")
>>> g.name(0), lodestar.Router(g).path(0, 1).cost
('1', 30.0)
)");
  module.def("from_edges", from_edges, py::arg("tails"), py::arg("heads"), py::arg("weights"),
             py::kw_only(), py::arg("xy") = py::none(), py::arg("coordinates") = "plane",
             py::arg("directed") = true, py::arg("nodes") = py::none(),
             py::arg("metrics") = py::none(), py::arg("classes") = py::none(),
             py::arg("weight_name") = "weight", "What lodestar.from_edges calls.");
}

}  // namespace lodestar::python
