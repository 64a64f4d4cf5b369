#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.h"
#include "bindings.h"
#include "graph_handle.h"
#include "interruption.h"
#include "lodestar/itinerary.h"
#include "metrics.h"

namespace lodestar::python {
namespace {

py::object xy(const GraphHandle& handle) {
  const auto points = handle.graph().points();
  if (points.empty()) return py::none();
  return view(&points[0].x, {static_cast<py::ssize_t>(points.size()), 2},
              {sizeof(Point), sizeof(double)}, std::make_shared<const Graph>(handle.graph()));
}

void save_graph(GraphHandle& handle, const py::object& path) {
  const auto name = text_of_path(path);
  auto omitted = without_gil([&] { return write_graph(handle.file, name); });
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
py::tuple reduce_graph(const py::object& self) {
  const auto& handle = self.cast<const GraphHandle&>();
  const py::object pickle = py::module_::import("lodestar._pickle");
  const auto [path, bytes] = pickled(self, handle.mapped);
  return py::make_tuple(
      pickle.attr("graph"),
      py::make_tuple(path, handle.labels, bytes, handle.fingerprint(), handle.keys, handle.closed));
}

// The lines of all arcs as lists of points, the names of their streets, and the ids of their ways
// and of the nodes; for graphs with shapes.
py::object arc_details(const GraphHandle& handle) {
  if (handle.file.shape.empty()) return py::none();
  py::list lines, streets, ways, nodes;
  const Graph& graph = handle.graph();
  const Shape& shape = handle.file.shape;
  for (const std::int64_t id : shape.node_id) nodes.append(id);
  ArcIndex i = 0;
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (const Arc arc : graph.arcs(u)) {
      ways.append(shape.segment_way[shape.segment(i)]);
      const Leg leg{u, arc.head, i++, 0, 1};
      const Itinerary trip = itinerary(graph, shape, std::span(&leg, 1));
      py::list line;
      for (const Point& at : trip.line) line.append(py::make_tuple(at.x, at.y));
      lines.append(line);
      const std::string name = trip.streets.empty() ? "" : trip.streets[0].name;
      streets.append(text_of(name));
    }
  }
  return py::make_tuple(lines, streets, ways, nodes);
}

// Written in Python: it builds Python's own objects.
py::object conversion(const char* name) {
  return py::module_::import("lodestar._convert").attr(name);
}

std::string describe_graph(const GraphHandle& handle) {
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
          [](const GraphHandle& g) -> py::object {
            if (!g.graph().has_coordinates()) return py::none();
            return py::str(to_string(g.graph().coordinate_kind()));
          },
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
            const auto ids = g.file.shape.node_id;
            return ids.empty() ? g.file.names.name(v) : std::to_string(ids[v]);
          },
          py::arg("node"), R"(
What the graph's file calls a node; its id for roads from OpenStreetMap.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> g.name(2)
'2'
)")
      .def(
          "find",
          [](const GraphHandle& g, const std::string& name) {
            const NodeId v = g.find(name);
            if (v >= g.graph().node_count()) throw Error("there is no node '" + name + "'");
            return v;
          },
          py::arg("name"), R"(
The number of a node by the name its file gives it. An id of OpenStreetMap may belong to several
nodes, as with ``turns``; this is the first.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> g.find("2")
2
)")
      .def("save", save_graph, py::arg("path"), R"(
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

Roads from OpenStreetMap and graphs with parallel arcs become a MultiDiGraph. Roads have metres,
seconds, names, geometry and the id of their way, and the graph its crs, as in OSMnx. Their nodes are
called by their ids; where several nodes have one id, further ones are (id, 1), (id, 2), ….

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])
>>> g.to_networkx()[1][2]["weight"]
4.0
)")
      .def("__reduce__", reduce_graph)
      .def("__repr__", describe_graph);
}

}  // namespace lodestar::python
