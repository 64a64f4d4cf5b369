#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "arrays.h"
#include "bindings.h"
#include "files.h"
#include "graph_handle.h"
#include "interruption.h"
#include "lodestar/itinerary.h"
#include "metrics.h"
#include "whole.h"

namespace lodestar::python {
namespace {

CoordinateKind parse_coordinates(const std::string& name) {
  if (name == "plane") return CoordinateKind::kPlane;
  if (name == "degrees") return CoordinateKind::kDegrees;
  if (name == "grid") return CoordinateKind::kGrid;
  throw Error("unknown coordinates '" + name + "'; choose plane, degrees (lon, lat) or grid");
}

py::object coordinates_name(CoordinateKind kind) {
  switch (kind) {
    case CoordinateKind::kPlane:
      return py::str("plane");
    case CoordinateKind::kDegrees:
      return py::str("degrees");
    case CoordinateKind::kGrid:
      return py::str("grid");
    case CoordinateKind::kNone:
      break;
  }
  return py::none();
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
  {
    const Unlocked unlocked;
    handle->file = read_graph(name, options);
  }
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
    if (directed) {
      builder.add_arc(u[i], v[i], weight[i]);
    } else {
      builder.add_edge(u[i], v[i], weight[i]);
    }
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

py::object xy(const GraphHandle& handle) {
  const auto points = handle.graph().points();
  if (points.empty()) return py::none();
  return view(&points[0].x, {static_cast<py::ssize_t>(points.size()), 2},
              {sizeof(Point), sizeof(double)}, std::make_shared<const Graph>(handle.graph()));
}

void save(GraphHandle& handle, const py::object& path) {
  const auto name = text_of_path(path);
  std::vector<std::string> omitted;
  {
    const Unlocked unlocked;
    omitted = write_graph(handle.file, name);
  }
  if (name.ends_with(".lsg")) handle.mapped = absolute(name);
  const auto warn = py::module_::import("warnings").attr("warn");
  for (const std::string& note : omitted) warn(name + ": not kept: " + note);
}

GraphPointer with_weights(const GraphHandle& handle, const py::object& weights,
                          const py::object& arcs) {
  if (!arcs.is_none()) return with_some_weights(handle, arcs, weights);
  const auto numbers = number_array(weights, "weights");
  return with_all_weights(handle, {numbers.data(), numbers.data() + numbers.size()});
}

// A graph in a file travels as its path, any other as what a file of it would hold.
py::tuple reduce(const py::object& self) {
  const auto& handle = self.cast<const GraphHandle&>();
  const py::object pickle = py::module_::import("lodestar._pickle");
  const bool filed = !handle.mapped.empty() && std::filesystem::exists(handle.mapped);
  const py::object path = filed ? py::object(py::str(handle.mapped)) : py::object(py::none());
  const py::object bytes = filed ? py::object(py::none()) : pickle.attr("bytes_of")(self);
  return py::make_tuple(
      pickle.attr("graph"),
      py::make_tuple(path, handle.labels, bytes, handle.fingerprint(), handle.keys, handle.closed));
}

// The lines of all arcs as lists of points, and the names of their streets; for graphs with shapes.
py::object arc_details(const GraphHandle& handle) {
  if (handle.file.shape.empty()) return py::none();
  py::list lines, streets;
  const Graph& graph = handle.graph();
  ArcIndex i = 0;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      const Leg leg{u, arc.head, i++, 0, 1};
      const Itinerary trip = itinerary(graph, handle.file.shape, std::span(&leg, 1));
      py::list line;
      for (const Point& at : trip.line) line.append(py::make_tuple(at.x, at.y));
      lines.append(line);
      const std::string name = trip.streets.empty() ? "" : trip.streets[0].name;
      streets.append(py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(name.data(), static_cast<py::ssize_t>(name.size()), "replace")));
    }
  }
  return py::make_tuple(lines, streets);
}

// Written in Python: it builds Python's own objects.
py::object conversion(const char* name) {
  return py::module_::import("lodestar._convert").attr(name);
}

std::string describe(const GraphHandle& handle) {
  const Graph& graph = handle.graph();
  return "<lodestar.Graph: " + std::to_string(graph.node_count()) + " nodes, " +
         std::to_string(graph.arc_count()) + " arcs, " +
         (graph.symmetric() ? "undirected>" : "directed>");
}

}  // namespace

// Row offsets, heads and weights as views; the graph lives as long as one of them.
py::tuple csr(const GraphHandle& handle) {
  const Graph& graph = handle.graph();
  const GraphArrays& arrays = graph.arrays();
  const auto keeper = std::make_shared<const Graph>(graph);
  const auto& first = arrays.first[0];
  const py::array offsets =
      view(first.data(), {static_cast<py::ssize_t>(first.size())}, {sizeof(ArcIndex)}, keeper);
  const auto count = static_cast<py::ssize_t>(graph.arc_count());
  return graph.visit(Direction::kForward, [&]<class W>(Adjacency<W> adjacency) {
    constexpr auto kStride = static_cast<py::ssize_t>(sizeof(StoredArc<W>));
    static const StoredArc<W> kNothing{};  // numpy wants an address also for no element
    const StoredArc<W>* arcs = count > 0 ? adjacency.arcs : &kNothing;
    py::object weights = view(&arcs->weight, {count}, {kStride}, keeper);
    if (handle.closed > 0) {
      weights = weights.attr("astype")("float64");
      weights[weights.attr("__ge__")(handle.closed)] = kInfinity;
      weights.attr("setflags")(py::arg("write") = false);
    }
    return py::make_tuple(offsets, view(&arcs->head, {count}, {kStride}, keeper), weights);
  });
}

void bind_graph(py::module_& module) {
  py::class_<GraphHandle, GraphPointer>(module, "Graph", R"(
A weighted graph: immutable, shared between threads, exact.

Made by :func:`lodestar.read`, :func:`lodestar.from_edges`, :func:`lodestar.from_csr`,
:func:`lodestar.from_networkx` or :func:`lodestar.from_igraph`.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> g.nodes, g.arcs
(3, 2)
)")
      .def_property_readonly(
          "nodes", [](const GraphHandle& g) { return g.graph().node_count(); }, "Number of nodes.")
      .def_property_readonly(
          "arcs", [](const GraphHandle& g) { return g.graph().arc_count(); },
          "Number of arcs; an undirected edge counts twice.")
      .def_property_readonly(
          "directed", [](const GraphHandle& g) { return !g.graph().symmetric(); },
          "False when every arc has its twin back at the same weight.")
      .def_property_readonly("xy", xy, "Coordinates as a read-only view (nodes, 2), or None.")
      .def_property_readonly(
          "coordinates",
          [](const GraphHandle& g) { return coordinates_name(g.graph().coordinate_kind()); },
          "What the coordinates are: 'plane', 'degrees', 'grid' or None.")
      .def_property_readonly(
          "notes", [](const GraphHandle& g) { return g.file.notes; },
          "What reading decided, such as weights that were assumed.")
      .def_property_readonly(
          "labels", [](const GraphHandle& g) { return g.labels; },
          "The names nodes had in networkx or igraph, by number; None for other graphs.")
      .def_property_readonly("_index_of", [](const GraphHandle& g) { return g.index_of; })
      .def_property_readonly("_fingerprint", &GraphHandle::fingerprint)
      .def_property_readonly(
          "file", [](const GraphHandle& g) { return g.mapped; },
          "The .lsg file that holds this graph, '' if there is none. It is what pickling sends.")
      .def_property_readonly("metrics", metric_arrays,
                             "Weights by metric, in the order of csr(); the first is the weight. "
                             "Empty for most graphs.")
      .def_property_readonly("classes", class_arrays,
                             "By class, whether each arc has it, in the order of csr().")
      .def("csr", csr, R"(
Row offsets, heads and weights of the arcs, as read-only views without a copy.

>>> import lodestar
>>> first, heads, weights = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0]).csr()
>>> heads.tolist(), weights.tolist()
([1, 2], [2.5, 4.0])
)")
      .def(
          "name",
          [](const GraphHandle& g, const py::object& node) {
            const auto v = whole<NodeId>(node, "node");
            if (v >= g.graph().node_count()) throw Error("there is no node " + std::to_string(v));
            return g.file.names.name(v);
          },
          py::arg("node"), R"(
What the graph's file calls a node.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> g.name(2)
'2'
)")
      .def(
          "find",
          [](const GraphHandle& g, const std::string& name) {
            const NodeId v = g.file.names.find(name);
            if (v >= g.graph().node_count()) throw Error("there is no node '" + name + "'");
            return v;
          },
          py::arg("name"), R"(
The number of a node by the name its file gives it.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> g.find("2")
2
)")
      .def("save", save, py::arg("path"), R"(
Write the graph; the extension names the format. What it cannot hold is warned of.

>>> import lodestar, tempfile
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> folder = tempfile.TemporaryDirectory()
>>> g.save(folder.name + "/g.lsg")
>>> lodestar.read(folder.name + "/g.lsg")
<lodestar.Graph: 3 nodes, 2 arcs, directed>
)")
      .def("_save_detached",
           [](const GraphHandle& handle, const py::object& path) {
             write_graph(handle.file, text_of_path(path));
           })
      .def("_detach", [](GraphHandle& handle) { handle.mapped.clear(); })
      .def("with_weights", with_weights, py::arg("weights"), py::arg("arcs") = py::none(),
           R"(
The same graph with other weights, in the order of :meth:`csr`; other metrics and classes are kept.
With ``arcs`` only these arcs get the weights. An infinite weight closes an arc.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> lodestar.Router(g.with_weights([1.0, 1.0])).path(0, 2).cost
2.0
>>> lodestar.Router(g.with_weights([3.0], arcs=[1])).path(0, 2).cost
5.5
)")
      .def("_add_note",
           [](GraphHandle& g, std::string note) { g.file.notes.push_back(std::move(note)); })
      .def("_set_labels",
           [](GraphHandle& g, const py::list& labels, const py::dict& index_of) {
             g.labels = labels;
             g.index_of = index_of;
           })
      .def("_set_keys", [](GraphHandle& g, const py::list& keys) { g.keys = keys; })
      .def("_set_closed", [](GraphHandle& g, double weight) { g.closed = weight; })
      .def_property_readonly("_scales",
                             [](const GraphHandle& g) {
                               py::dict out;
                               for (const Metric& metric : g.file.metrics.metrics) {
                                 out[py::str(metric.name)] = metric.scale;
                               }
                               return out;
                             })
      .def_property_readonly("_keys", [](const GraphHandle& g) { return g.keys; })
      .def("_arc_details", arc_details)
      .def(
          "to_scipy", [](const py::object& self) { return conversion("to_scipy")(self); },
          R"(
As a scipy.sparse CSR matrix of the weights; of parallel arcs the cheapest, never their sum.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> float(g.to_scipy()[1, 2])
4.0
)")
      .def(
          "to_networkx", [](const py::object& self) { return conversion("to_networkx")(self); },
          R"(
As a graph of networkx. Nodes have x and y, edges the weight or the metrics.

Roads from OpenStreetMap and graphs with parallel arcs become a MultiDiGraph: roads have metres, seconds, names and geometry, and the graph its crs, as in OSMnx.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> g.to_networkx()[1][2]["weight"]
4.0
)")
      .def("__reduce__", reduce)
      .def("__repr__", describe);

  module.def(
      "read",
      [](const py::object& path, std::string weight, bool undirected, std::string coordinates,
         bool unit_diagonals, bool exact_diagonals, bool corner_cutting, const py::object& profile,
         bool turns, bool all, const py::object& threads, bool map,
         std::vector<std::string> metrics) {
        ReadOptions options;
        options.metrics = std::move(metrics);
        if (!profile.is_none()) {
          options.profile = text_of_path(profile);
        }
        options.turns = turns;
        options.all = all;
        options.threads = threads_of(threads);
        options.map = map;
        options.weight = std::move(weight);
        options.undirected = undirected;
        options.coordinates = std::move(coordinates);
        options.unit_diagonals = unit_diagonals;
        options.exact_diagonals = exact_diagonals;
        options.corner_cutting = corner_cutting;
        return read(path, std::move(options));
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
             py::arg("weight_name") = "weight", R"(
A graph from arrays: arc i leads from tails[i] to heads[i] and costs weights[i].

``xy`` has the shape (nodes, 2); ``coordinates`` is its kind: "plane", "degrees" (longitude,
latitude) or "grid". Without ``directed`` every arc leads both ways. Nodes are numbered from 0 to the
largest id in use, or to ``nodes`` - 1; ids with large gaps are refused.

``metrics`` are further weights, a dict of names and arrays; ``weight_name`` names the weights
themselves. ``classes`` has one entry per arc: None, a text such as "motorway toll", or a list of names.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0], weight_name="time",
...                         metrics={"length": [30, 70]}, classes=["motorway toll", None])
>>> g.nodes, g.arcs
(3, 2)
>>> {name: weights.tolist() for name, weights in g.metrics.items()}
{'time': [2.5, 4.0], 'length': [30.0, 70.0]}
>>> g.classes["toll"].tolist()
[True, False]
)");
}

}  // namespace lodestar::python
