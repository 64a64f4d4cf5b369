// Router: construction in router_making.cpp, paths in router_paths.cpp; here costs, matrices,
// distances and isochrones. The lock is released in every search; a callback takes it again for as
// long as it runs.
#include "lodestar/router.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "arrays.h"
#include "bindings.h"
#include "graph_handle.h"
#include "interruption.h"
#include "lodestar/index.h"
#include "lodestar/isochrone.h"
#include "path_handle.h"
#include "potentials_handle.h"
#include "preferences_handle.h"
#include "router_handle.h"

namespace lodestar::python {
namespace {

py::array_t<double> costs(RouterHandle& r, const py::object& sources, const py::object& targets,
                          const py::object& threads, const py::object& bound,
                          const py::object& preferences) {
  const std::vector<Query> queries = queries_of(r, sources, targets);
  const BatchOptions batch = batch_options(threads);
  if (const auto wish = wishes(r, preferences, bound)) {
    return adopt(request_costs(Router(r.router), queries, *wish, batch.threads));
  }
  const Router router = chosen(r, bound);
  auto found = without_gil([&] { return router.costs(queries, batch); });
  r.graph->close(found);
  return adopt(std::move(found));
}

py::object frames() {
  return py::module_::import("lodestar._frames");
}

// `out`, if it is an array for cells of this type and shape that may be written to; otherwise a new
// one.
template <class T>
py::array_t<T, py::array::c_style> result_array(const py::object& out, py::ssize_t rows,
                                                py::ssize_t columns) {
  using Array = py::array_t<T, py::array::c_style>;
  if (out.is_none()) return Array({rows, columns});
  if (!py::isinstance<Array>(out)) {
    throw Error("out must be a C-contiguous array of float64, float32 or uint32");
  }
  Array array = py::reinterpret_borrow<Array>(out);
  if (array.ndim() != 2 || array.shape(0) != rows || array.shape(1) != columns ||
      !array.writeable()) {
    throw Error("out must be writeable and of shape (" + std::to_string(rows) + ", " +
                std::to_string(columns) + ")");
  }
  return array;
}

// A router for a matrix: one with an index that is built now, if that is faster.
Router matrix_router(const Graph& graph, const RouterOptions& options, const Router& router,
                     std::size_t lines, unsigned threads, std::string& note) {
  if (options.index || !options.index_file.empty()) return router;
  const MatrixPlan plan = plan_matrix(graph, lines, threads);
  if (!plan.build) return router;
  IndexOptions build;
  build.paths = false;
  build.rounds = 8;
  build.threads = threads;
  RouterOptions with;
  with.index = std::make_shared<const Index>(Index::build(graph, build));
  note = "a matrix would have taken about " + std::to_string(std::lround(plan.search_seconds)) +
         " s, so an index was built for it; keep one with lodestar.index";
  return Router(graph, with);
}

template <class T>
py::object matrix_of(RouterHandle& r, std::span<const NodeId> sources,
                     std::span<const NodeId> targets, const BatchOptions& batch,
                     const py::object& out) {
  auto cells = result_array<T>(out, static_cast<py::ssize_t>(sources.size()),
                               static_cast<py::ssize_t>(targets.size()));
  const std::span<T> memory(cells.mutable_data(), sources.size() * targets.size());
  std::string note;
  const Router router = r.router;
  const RouterOptions options = r.options;
  without_gil([&] {
    matrix_router(router.graph(), options, router, std::min(sources.size(), targets.size()),
                  batch.threads, note)
        .matrix(sources, targets, memory, batch);
  });
  if constexpr (std::is_same_v<T, Cost>) r.graph->close(memory);
  if (!note.empty()) r.note = note;
  return cells;
}

// Costs and lengths of the optimal paths.
py::object matrix_with_lengths(RouterHandle& r, std::span<const NodeId> sources,
                               std::span<const NodeId> targets, const BatchOptions& batch) {
  const Router router = r.router;
  const Graph& graph = router.graph();
  const Shape shape = r.graph->file.shape;
  if (!graph.has_coordinates() && shape.empty()) {
    throw Error("lengths require a graph with coordinates");
  }
  const auto rows = static_cast<py::ssize_t>(sources.size());
  const auto columns = static_cast<py::ssize_t>(targets.size());
  py::array_t<double> costs({rows, columns}), lengths({rows, columns});
  const std::size_t cells = sources.size() * targets.size();
  const std::span<Cost> cost(costs.mutable_data(), cells);
  const std::span<double> length(lengths.mutable_data(), cells);
  without_gil(
      [&] { router.matrix(sources, targets, lengths_of_arcs(graph, shape), cost, length, batch); });
  r.graph->close(cost);
  return py::make_tuple(costs, lengths);
}

py::object matrix(RouterHandle& r, const py::object& sources, const py::object& targets,
                  const py::object& threads, const py::object& out, bool frame,
                  const py::object& dtype, bool lengths) {
  const std::vector<NodeId> s = r.graph->nodes(sources, "sources");
  const std::vector<NodeId> t = r.graph->nodes(targets, "targets");
  const BatchOptions batch = batch_options(threads);
  if (lengths && !(out.is_none() && dtype.is_none() && !frame)) {
    throw Error("a matrix with lengths has new arrays of float64");
  }
  if (lengths) return matrix_with_lengths(r, s, t, batch);
  const py::dtype type = !dtype.is_none()                 ? py::dtype::from_args(dtype)
                         : py::isinstance<py::array>(out) ? py::cast<py::array>(out).dtype()
                                                          : py::dtype::of<double>();
  if (!dtype.is_none() && !type.is(py::dtype::of<double>()) && !type.is(py::dtype::of<float>()) &&
      !type.is(py::dtype::of<std::uint32_t>())) {
    throw Error("a matrix has the dtype float64, float32 or uint32");
  }
  const py::object costs = type.is(py::dtype::of<float>()) ? matrix_of<float>(r, s, t, batch, out)
                           : type.is(py::dtype::of<std::uint32_t>())
                               ? matrix_of<std::uint32_t>(r, s, t, batch, out)
                               : matrix_of<double>(r, s, t, batch, out);
  if (frame) return frames().attr("matrix")(costs, sources, targets);
  return costs;
}

double limit_of(const py::object& limit) {
  return limit.is_none() ? kInfinity : limit.cast<double>();
}

py::array_t<std::int64_t> numbers_or_minus_one(const std::vector<NodeId>& nodes,
                                               std::vector<py::ssize_t> shape = {}) {
  std::vector<std::int64_t> numbers(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    numbers[i] = nodes[i] == kNoNode ? -1 : std::int64_t{nodes[i]};
  }
  return adopt(std::move(numbers), std::move(shape));
}

py::object distances(RouterHandle& r, const py::object& node, bool predecessors, bool reverse,
                     const py::object& limit, bool nearest_root, bool frame) {
  const std::vector<NodeId> roots = roots_of(r, node);
  DistanceOptions options;
  options.parents = predecessors;
  options.nearest = nearest_root;
  options.limit = limit_of(limit);
  if (reverse) options.direction = Direction::kBackward;
  const Router router = r.router;
  auto found = without_gil([&] { return router.distances(roots, options); });
  r.graph->close(found.costs, found.parents, found.nearest);
  py::array_t<double> values = adopt(std::move(found.costs));
  if (frame) {
    return frames().attr("distances")(r.graph, values, numbers_or_minus_one(found.parents),
                                      numbers_or_minus_one(found.nearest), node);
  }
  if (!predecessors && !nearest_root) return values;
  py::list out;
  out.append(values);
  if (predecessors) out.append(numbers_or_minus_one(found.parents));
  if (nearest_root) out.append(numbers_or_minus_one(found.nearest));
  return py::tuple(out);
}

struct ArcRow {
  std::uint32_t tail, head;
  double weight, share;
};

py::tuple isochrone(RouterHandle& r, const py::object& node, double limit, bool reverse,
                    bool arcs) {
  const std::vector<NodeId> roots = roots_of(r, node);
  ReachOptions options;
  options.arcs = arcs;
  if (reverse) options.direction = Direction::kBackward;
  limit = r.graph->open_limit(limit);
  const Router router = r.router;
  const Reach reach = without_gil([&] { return router.within(roots, limit, options); });
  std::vector<NodeId> nodes(reach.nodes.size());
  std::vector<double> costs(reach.nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i] = reach.nodes[i].node;
    costs[i] = reach.nodes[i].cost;
  }
  const py::object names = r.graph->labels.is_none() ? py::object(numbers_or_minus_one(nodes))
                                                     : r.graph->names(std::move(nodes));
  if (!arcs) return py::make_tuple(names, adopt(std::move(costs)));
  std::vector<ArcRow> rows;
  rows.reserve(reach.arcs.size());
  for (const ReachedArc& arc : reach.arcs) {
    rows.push_back({arc.tail, arc.head, arc.weight, arc.share});
  }
  return py::make_tuple(names, adopt(std::move(costs)), adopt(std::move(rows)));
}

// A FeatureCollection as Python has JSON.
py::object isochrone_geojson(RouterHandle& r, const py::object& start, const py::object& limits,
                             bool reverse, const std::vector<std::string>& show, double concavity) {
  const auto costs = number_array(limits, "limits");
  const Direction direction = reverse ? Direction::kBackward : Direction::kForward;
  IsochroneOutput output;
  output.polygons = false;
  output.concavity = concavity;
  for (const std::string& kind : show) {
    if (kind != "polygons" && kind != "arcs" && kind != "nodes") {
      throw Error("show lists polygons, arcs and nodes; '" + kind + "' is none of them");
    }
    (kind == "polygons" ? output.polygons : kind == "arcs" ? output.arcs : output.nodes) = true;
  }
  IsochroneStart from;
  if (is_place(start)) {
    require_places(r.graph, start, start);
    from = isochrone_start(r.graph->places(), start.cast<const PlaceHandle&>().place, direction);
  } else {
    from.nodes = roots_of(r, start);
    from.spent.assign(from.nodes.size(), 0);
    from.direction = direction;
  }
  const std::span<const Cost> within(costs.data(), static_cast<std::size_t>(costs.size()));
  const GraphPointer graph = r.graph;
  const Router router = r.router;
  const std::string text = without_gil(
      [&] { return isochrones_geojson(graph->file, isochrones(router, from, within), output); });
  return py::module_::import("json").attr("loads")(text);
}

py::tuple nearest_facilities(RouterHandle& r, const py::object& sources,
                             const py::object& facilities, const py::object& k,
                             const py::object& threads) {
  const std::vector<NodeId> s = r.graph->nodes(sources, "sources");
  const std::vector<NodeId> f = r.graph->nodes(facilities, "facilities");
  const auto most = whole<std::uint32_t>(k, "k");
  const BatchOptions batch = batch_options(threads);
  const Router router = r.router;
  auto found = without_gil([&] { return router.nearest(s, f, most, batch); });
  r.graph->close(found.costs, found.facilities, {});
  const std::vector<py::ssize_t> shape = {
      static_cast<py::ssize_t>(s.size()),
      static_cast<py::ssize_t>(std::min<std::size_t>(most, f.size()))};
  return py::make_tuple(numbers_or_minus_one(found.facilities, shape),
                        adopt(std::move(found.costs), shape));
}

}  // namespace

std::vector<NodeId> roots_of(const RouterHandle& r, const py::object& node) {
  const bool series = py::hasattr(node, "to_numpy");  // of pandas
  const bool several = py::isinstance<py::list>(node) || Py_TYPE(node.ptr()) == &PyRange_Type ||
                       series || PyAnySet_Check(node.ptr()) != 0 ||
                       (py::isinstance<py::array>(node) && py::cast<py::array>(node).ndim() > 0);
  if (several) return r.graph->nodes(node, "node");
  return {r.graph->node(node)};
}

void bind_router(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(ArcRow, tail, head, weight, share);
  RouterClass router(module, "Router", R"(
Answers queries on one graph. May be shared by any number of threads.

``index`` is an :class:`Index`, :class:`Potentials`, or a file of either; an index for other weights
of the same arcs is customized. ``heuristic`` is None, a name ("geometric", "learned", …), a function
(node, target), or an array or tensor h with the estimated cost h[v] from each node to the target.
``potential`` is an array y that serves all targets: the heuristic is y[target] - y[v]. The lower
bound of every answer holds for any heuristic.

For queries with :class:`Preferences`: ``potentials`` (or their file) make them fast, also beside an
index, and ``travel_times`` is the file of travel times that a departure needs.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.0, 3.0])
>>> lodestar.Router(g).path(0, 2)
<lodestar.Path: cost 2.0, 3 nodes, optimal>
)");
  router.def_property_readonly("graph", [](const RouterHandle& r) { return r.graph; })
      .def_property_readonly(
          "algorithm", [](const RouterHandle& r) { return std::string(r.router.algorithm().name); },
          "What 'auto' became.")
      .def_property_readonly(
          "note", [](const RouterHandle& r) { return r.note; },
          "What had to be done to the index, such as a customization; '' if nothing.")
      .def("costs", costs, py::arg("sources"), py::arg("targets"), py::kw_only(),
           py::arg("threads") = 1, py::arg("bound") = py::none(),
           py::arg("preferences") = py::none(), R"(
The costs of many pairs, sources[i] to targets[i]; infinite where there is no path.

>>> import lodestar
>>> lodestar.Router(lodestar.from_edges([0], [1], [2.0])).costs([0, 1], [1, 0]).tolist()
[2.0, inf]
)")
      .def("matrix", matrix, py::arg("sources"), py::arg("targets"), py::kw_only(),
           py::arg("threads") = 1, py::arg("out") = py::none(), py::arg("frame") = false,
           py::arg("dtype") = py::none(), py::arg("lengths") = false, R"(
Exact distances between all sources and all targets, (sources, targets). With ``frame`` a pandas
DataFrame with sources as rows and targets as columns.

With an index a cell takes nanoseconds; it is fastest with labels. Without one, a large matrix builds
an index first if that is faster, and :attr:`note` says so. ``out`` is an array to write to, such as a
memory-mapped file. ``dtype`` is float64, or float32 or uint32 (4294967295 where there is no path) if
every cost is exact in it. With ``lengths`` also the lengths of the paths, as a second array.

>>> import lodestar
>>> lodestar.Router(lodestar.from_edges([0, 1], [1, 2], [2.0, 3.0])).matrix([0, 1], [2]).tolist()
[[5.0], [3.0]]
)")
      .def("distances", distances, py::arg("node"), py::kw_only(), py::arg("predecessors") = false,
           py::arg("reverse") = false, py::arg("limit") = py::none(), py::arg("nearest") = false,
           py::arg("frame") = false, R"(
Exact distances from one node to all (to it with ``reverse``), by number of node.

``node`` may be a list or an array of nodes: the distances are those from the nearest one, and with
``nearest`` its position in the list is returned, -1 where there is none. Nodes beyond ``limit`` are
infinitely far. With ``predecessors`` also the neighbour on the way, -1 where there is none. With
``frame`` a pandas DataFrame of the nodes that are reached, by label, with the column cost, and
predecessor and nearest if requested.

>>> import lodestar
>>> r = lodestar.Router(lodestar.from_edges([0, 1], [1, 2], [2.0, 3.0]))
>>> r.distances(0).tolist(), r.distances(0, limit=2).tolist()
([0.0, 2.0, 5.0], [0.0, 2.0, inf])
>>> [a.tolist() for a in r.distances([0, 1], nearest=True)]
[[0.0, 0.0, 3.0], [0, 1, 1]]
)")
      .def("isochrone", isochrone, py::arg("node"), py::arg("limit"), py::kw_only(),
           py::arg("reverse") = false, py::arg("arcs") = false, R"(
The nodes within ``limit`` of a node or of the nearest of several, nearest first, and their costs.

The time depends on the result, not on the graph. With ``arcs`` also a structured array of tail,
head, weight and share: the part of the arc within the limit, counted from the end that is reached
first.

>>> import lodestar
>>> r = lodestar.Router(lodestar.from_edges([0, 1], [1, 2], [2.0, 4.0]))
>>> nodes, costs, arcs = r.isochrone(0, 3.0, arcs=True)
>>> nodes.tolist(), costs.tolist(), arcs["share"].tolist()
([0, 1], [0.0, 2.0], [1.0, 0.25])
)")
      .def("isochrone_geojson", isochrone_geojson, py::arg("start"), py::arg("limits"),
           py::kw_only(), py::arg("reverse") = false,
           py::arg("show") = std::vector<std::string>{"polygons"}, py::arg("concavity") = 0.2, R"(
What lies within each of ``limits`` of a start, as a GeoJSON FeatureCollection (a dict).

``start`` is a node, a list of nodes, or a place found by :meth:`nearest`. ``show`` lists what each
limit has: "polygons" (a concave hull, ``concavity`` from 0, close to the roads, to 1, convex),
"arcs" (lines of roads, the last ones in part) and "nodes" (names and costs).

>>> import lodestar
>>> r = lodestar.Router(lodestar.from_edges([0, 1], [1, 2], [2.0, 4.0], xy=[[0, 0], [2, 0], [6, 0]]))
>>> arcs = r.isochrone_geojson(0, [3.0], show=["arcs"])["features"][0]
>>> arcs["properties"]["contour"], arcs["geometry"]["coordinates"]
(3.0, [[[0.0, 0.0], [2.0, 0.0]], [[2.0, 0.0], [3.0, 0.0]]])
)")
      .def("nearest_facilities", nearest_facilities, py::arg("sources"), py::arg("facilities"),
           py::arg("k") = 1, py::kw_only(), py::arg("threads") = 1, R"(
The ``k`` nearest facilities of each source: positions in the list, -1 where there are fewer, and
costs, both (sources, k).

>>> import lodestar
>>> r = lodestar.Router(lodestar.from_edges([0, 1, 1], [1, 0, 2], [2.0, 2.0, 3.0]))
>>> positions, costs = r.nearest_facilities([0, 1], [2, 0], k=2)
>>> positions.tolist(), costs.tolist()
([[1, 0], [1, 0]], [[0.0, 5.0], [2.0, 3.0]])
)")
      .def("__reduce__",
           [](const py::object& self) {
             const auto& r = self.cast<const RouterHandle&>();
             return py::make_tuple(py::module_::import("lodestar._pickle").attr("router"),
                                   r.arguments);
           })
      .def("__repr__", [](const RouterHandle& r) {
        return "<lodestar.Router: " + std::string(r.router.algorithm().name) + " on " +
               std::to_string(r.graph->graph().node_count()) + " nodes>";
      });
  bind_making(module, router);
  bind_paths(router);
  bind_reach(router);
  bind_update(router);
  module.def(
      "algorithms",
      [] {
        py::dict out;
        for (const AlgorithmRow& row : algorithms()) {
          out[py::str(std::string(row.name))] = std::string(row.summary);
        }
        return out;
      },
      R"(
Every algorithm by name, with a few words about it.

>>> import lodestar
>>> "dijkstra" in lodestar.algorithms()
True
)");
}

}  // namespace lodestar::python
