// Paths of a Router: one, many, alternatives, with and without preferences, and traces.
#include <pybind11/stl.h>

#include "arrays.h"
#include "interruption.h"
#include "path_handle.h"
#include "preferences_handle.h"
#include "router_handle.h"

namespace lodestar::python {
namespace {

// The preferences, and whatever else the graph itself closes.
std::shared_ptr<const Preferences> with_closed_arcs(const RouterHandle& r, Preferences wish) {
  for (const ArcIndex arc : r.graph->closed_arcs()) wish.arcs.push_back({arc});
  return std::make_shared<const Preferences>(std::move(wish));
}

// A path over a closed arc is none.
PathHandle path_handle(SearchResult result, std::vector<NodeId> nodes, const GraphPointer& graph,
                       std::vector<Leg> legs = {}, bool by_place = false) {
  if (graph->is_closed(result.cost)) {
    result.cost = kInfinity;
    if (graph->is_closed(result.lower_bound)) result.lower_bound = kInfinity;
    return {result, {}, graph, {}, by_place};
  }
  return {result, std::move(nodes), graph, std::move(legs), by_place};
}

PathHandle path_between(RouterHandle& r, const py::object& source, const py::object& target,
                        const py::object& bound) {
  require_places(r.graph, source, target);
  const auto& from = source.cast<const PlaceHandle&>();
  const auto& to = target.cast<const PlaceHandle&>();
  const Router router = chosen(r, bound);
  const GraphPointer graph = r.graph;
  PlaceRoute route = without_gil([&] {
    return route_between(graph->places(), from.place, to.place, [&](Query query) {
      Route found = router.path(query);
      return NodeAnswer{found.result, std::move(found.nodes)};
    });
  });
  return path_handle(route.found, std::move(route.path), graph, std::move(route.legs), true);
}

PathHandle path(RouterHandle& r, const py::object& source, const py::object& target,
                const py::object& bound, const py::object& preferences) {
  if (const auto wish = wishes(r, preferences, bound)) {
    return std::move(
        request_routes(r.graph, Router(r.router), source, target, *wish, {.count = 1})[0]);
  }
  if (is_place(source) && is_place(target)) return path_between(r, source, target, bound);
  const Query query{r.graph->node(source), r.graph->node(target)};
  const Router router = chosen(r, bound);
  auto route = without_gil([&] { return router.path(query); });
  return path_handle(route.result, std::move(route.nodes), r.graph);
}

py::list paths(RouterHandle& r, const py::object& sources, const py::object& targets,
               const py::object& threads, const py::object& bound, const py::object& preferences) {
  const std::vector<Query> queries = queries_of(r, sources, targets);
  const BatchOptions batch = batch_options(threads);
  if (const auto wish = wishes(r, preferences, bound)) {
    return request_paths(r.graph, Router(r.router), queries, *wish, batch.threads);
  }
  const Router router = chosen(r, bound);
  auto found = without_gil([&] { return router.paths(queries, batch); });
  py::list out;
  for (Route& route : found) {
    out.append(path_handle(route.result, std::move(route.nodes), r.graph));
  }
  return out;
}

py::list alternatives(RouterHandle& r, const py::object& source, const py::object& target,
                      const py::object& k, const py::object& preferences, double stretch,
                      double sharing, double local) {
  const AlternativeOptions options{.count = whole<std::size_t>(k, "k", 1, 100),
                                   .stretch = stretch,
                                   .sharing = sharing,
                                   .local = local};
  auto wish = wishes(r, preferences, py::none());
  if (wish == nullptr) wish = with_closed_arcs(r, {});
  py::list out;
  for (PathHandle& path :
       request_routes(r.graph, Router(r.router), source, target, *wish, options)) {
    if (path.result.reached()) out.append(std::move(path));
  }
  return out;
}

struct TraceRow {
  double cost;
  std::int64_t parent;  // -1: none
  std::uint32_t node;
  std::uint8_t backward;
};

py::array_t<TraceRow> trace(RouterHandle& r, const py::object& source, const py::object& target,
                            const py::object& preferences) {
  const Query query{r.graph->node(source), r.graph->node(target)};
  const auto wish = wishes(r, preferences, py::none());
  std::vector<TraceRow> rows;
  const auto add = [&](const Settled& s) {
    rows.push_back({s.cost, s.parent == kNoNode ? -1 : std::int64_t{s.parent}, s.node,
                    static_cast<std::uint8_t>(s.side == Direction::kBackward)});
  };
  const Router router = r.router;
  {
    const Unlocked unlocked;
    if (wish == nullptr) {
      router.trace(query, add);
    } else {
      for (const Settled& s : router.trace(query, *wish).settled) add(s);
    }
  }
  return adopt(std::move(rows));
}

}  // namespace

BatchOptions batch_options(const py::object& threads) {
  BatchOptions batch;
  batch.threads = threads_of(threads);
  return batch;
}

std::vector<Query> queries_of(const RouterHandle& r, const py::object& sources,
                              const py::object& targets) {
  const std::vector<NodeId> s = r.graph->nodes(sources, "sources");
  const std::vector<NodeId> t = r.graph->nodes(targets, "targets");
  if (s.size() != t.size()) {
    throw Error("sources and targets must be of one length; they have " + std::to_string(s.size()) +
                " and " + std::to_string(t.size()) + ". For all pairs take matrix()");
  }
  std::vector<Query> queries(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) queries[i] = {s[i], t[i]};
  return queries;
}

Router chosen(RouterHandle& r, const py::object& bound) {
  return bound.is_none() ? r.router : r.with_bound(bound.cast<double>());
}

std::shared_ptr<const Preferences> wishes(const RouterHandle& r, const py::object& preferences,
                                          const py::object& bound) {
  if (preferences.is_none()) return nullptr;
  if (!bound.is_none()) throw Error("queries with preferences are exact; leave out bound");
  return with_closed_arcs(r, preferences_of(preferences));
}

bool is_place(const py::object& thing) {
  return PyLong_CheckExact(thing.ptr()) == 0 && py::isinstance<PlaceHandle>(thing);
}

void require_places(const GraphPointer& graph, const py::object& source, const py::object& target) {
  for (const py::object* end : {&source, &target}) {
    if (!py::isinstance<PlaceHandle>(*end)) {
      throw Error("a path leads from place to place or from node to node");
    }
    const auto& place = end->cast<const PlaceHandle&>();  // an unpickled one has its own graph
    if (place.graph != graph && place.graph->fingerprint() != graph->fingerprint()) {
      throw Error("a place belongs to the graph it was found on; this router has another");
    }
  }
}

void bind_paths(RouterClass& router) {
  PYBIND11_NUMPY_DTYPE(TraceRow, cost, parent, node, backward);
  router
      .def("path", path, py::arg("source"), py::arg("target"), py::kw_only(),
           py::arg("bound") = py::none(), py::arg("preferences") = py::none(), R"(
The path from source to target: nodes, or two places found by :meth:`nearest`. Wherever else a node
is expected, a place stands for its ``node``. With ``bound`` ε at most
(1 + ε) times the optimum. With :class:`Preferences` the best path by their weights.

>>> import lodestar
>>> r = lodestar.Router(lodestar.from_edges([0], [1], [2.0]))
>>> r.path(0, 1).cost, r.path(1, 0).reached
(2.0, False)
)")
      .def(
          "nearest",
          [](const RouterHandle& r, const py::object& lonlat, const py::object& limit) {
            return nearest(r.graph, lonlat, limit);
          },
          py::arg("lonlat"), py::kw_only(), py::arg("limit") = py::none(), R"(
The place on a road nearest to a point, for :meth:`path`. Farther than ``limit`` is an error.
Default: 1000 metres; any distance in the plane.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 0], [4.0, 4.0], xy=[[0, 0], [8, 0]])
>>> r = lodestar.Router(g)
>>> r.nearest((2, 1)).xy, r.path(r.nearest((2, 1)), r.nearest((6, -1))).cost
((2.0, 0.0), 2.0)
)")
      .def(
          "nearest_nodes",
          [](const RouterHandle& r, const py::object& lonlats, const py::object& limit) {
            return nearest_nodes(r.graph, lonlats, limit);
          },
          py::arg("lonlats"), py::kw_only(), py::arg("limit") = py::none(),
          R"(
For many points, (n, 2): the nearer end of the nearest road, for :meth:`costs`.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 0], [4.0, 4.0], xy=[[0, 0], [8, 0]])
>>> lodestar.Router(g).nearest_nodes([(2, 1), (6, -1)]).tolist()
[0, 1]
)")
      .def("paths", paths, py::arg("sources"), py::arg("targets"), py::kw_only(),
           py::arg("threads") = 1, py::arg("bound") = py::none(),
           py::arg("preferences") = py::none(), R"(
The paths of many pairs, as a list.

>>> import lodestar
>>> lodestar.Router(lodestar.from_edges([0], [1], [2.0])).paths([0, 1], [1, 0])
[<lodestar.Path: cost 2.0, 2 nodes, optimal>, <lodestar.Path: no path>]
)")
      .def("alternatives", alternatives, py::arg("source"), py::arg("target"), py::arg("k") = 3,
           py::kw_only(), py::arg("preferences") = py::none(), py::arg("stretch") = 0.25,
           py::arg("sharing") = 0.7, py::arg("local") = 0.1, R"(
Up to k different paths, the best one first; an empty list if there is none.

Each costs at most (1 + ``stretch``) times the best one and shares at most the part ``sharing`` of its
cost with a better one. Parts of up to ``local`` times the best cost are shortest paths.

>>> import lodestar
>>> g = lodestar.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [1.0, 1.1, 1.0, 1.0])
>>> [path.nodes.tolist() for path in lodestar.Router(g).alternatives(0, 3)]
[[0, 1, 3], [0, 2, 3]]
)")
      .def("trace", trace, py::arg("source"), py::arg("target"), py::kw_only(),
           py::arg("preferences") = py::none(), R"(
What the search settled, in order: a structured array of node, cost, parent (-1: none), backward.

>>> import lodestar
>>> t = lodestar.Router(lodestar.from_edges([0], [1], [2.0]), algorithm="dijkstra").trace(0, 1)
>>> t["node"].tolist(), t["cost"].tolist()
([0, 1], [0.0, 2.0])
)");
}

}  // namespace lodestar::python
