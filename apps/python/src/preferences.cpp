// Preferences: weights that belong to one query, and the searches with them.
#include <optional>

#include "arrays.h"
#include "bindings.h"
#include "interruption.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/place_requests.h"
#include "lodestar/preferences_text.h"
#include "preferences_handle.h"

namespace lodestar::python {
namespace {

PreferencesHandle from_json(const std::string& json) {
  return {parse_preferences(json), json};
}

PreferencesHandle make(const py::object& blend, const py::object& avoid, const py::object& vehicle,
                       const py::object& depart) {
  const py::object to_json = py::module_::import("lodestar._preferences").attr("to_json");
  return from_json(to_json(blend, avoid, vehicle, depart).cast<std::string>());
}

PathHandle path_of(const GraphPointer& graph, RequestRoute route, bool departs) {
  PathHandle path{route.result, {}, graph, legs_of(route)};
  path.nodes = std::move(route.nodes);
  path.by_place = !path.legs.empty();
  path.of_request = true;
  path.totals = std::move(route.totals);
  path.potentials = route.potentials;
  path.departs = departs;
  return path;
}

// body(i, requests) with one searcher for each thread.
template <class Body>
void for_queries(const Router& router, std::size_t count, const Preferences& preferences,
                 unsigned threads, const Body& body) {
  std::vector<std::optional<Router::Requests>> searchers(thread_count(threads));
  searchers[0] = router.requests(preferences);
  parallel_for(count, threads, [&](std::size_t i, std::size_t worker) {
    if (!searchers[worker]) searchers[worker] = router.requests(preferences);
    body(i, *searchers[worker]);
  });
}

}  // namespace

const Preferences& preferences_of(const py::object& given) {
  if (!py::isinstance<PreferencesHandle>(given)) {
    throw Error("preferences must be lodestar.Preferences, not " +
                py::repr(given).cast<std::string>());
  }
  return given.cast<const PreferencesHandle&>().preferences;
}

std::vector<PathHandle> request_routes(const GraphPointer& graph, const Router& router,
                                       const py::object& source, const py::object& target,
                                       const Preferences& preferences,
                                       const AlternativeOptions& options) {
  std::vector<PathHandle> paths;
  const bool departs = preferences.depart.has_value();
  if (is_place(source) && is_place(target)) {
    require_places(graph, source, target);
    const Place& from = source.cast<const PlaceHandle&>().place;
    const Place& to = target.cast<const PlaceHandle&>().place;
    const Unlocked unlocked;
    for (PlaceRequestRoute& one :
         request_between(router, graph->places(), from, to, preferences, options)) {
      PathHandle path{one.route.found, std::move(one.route.path), graph, std::move(one.route.legs),
                      true};
      path.of_request = true;
      path.totals = std::move(one.totals);
      path.potentials = one.potentials;
      path.departs = departs;
      paths.push_back(std::move(path));
    }
    return paths;
  }
  const Query query{graph->node(source), graph->node(target)};
  const Unlocked unlocked;
  std::vector<RequestRoute> routes;
  if (options.count == 1) {
    routes.push_back(router.request(query, preferences));
  } else {
    routes = router.alternatives(query, preferences, options);
  }
  for (RequestRoute& route : routes) paths.push_back(path_of(graph, std::move(route), departs));
  return paths;
}

py::list request_paths(const GraphPointer& graph, const Router& router,
                       const std::vector<Query>& queries, const Preferences& preferences,
                       unsigned threads) {
  std::vector<RequestRoute> routes(queries.size());
  {
    const Unlocked unlocked;
    for_queries(router, queries.size(), preferences, threads,
                [&](std::size_t i, Router::Requests& one) { routes[i] = one.route(queries[i]); });
  }
  py::list out;
  for (RequestRoute& route : routes) {
    out.append(path_of(graph, std::move(route), preferences.depart.has_value()));
  }
  return out;
}

std::vector<double> request_costs(const Router& router, const std::vector<Query>& queries,
                                  const Preferences& preferences, unsigned threads) {
  std::vector<double> costs(queries.size());
  const Unlocked unlocked;
  for_queries(router, queries.size(), preferences, threads,
              [&](std::size_t i, Router::Requests& one) { costs[i] = one.run(queries[i]).cost; });
  return costs;
}

void bind_preferences(py::module_& module) {
  py::class_<PreferencesHandle>(module, "Preferences", R"(
Weights that belong to one query: a blend of the graph's metrics, and what to avoid.

``blend`` maps metrics to shares, per second, per metre, …; by default the weights are the graph's
own. ``avoid`` is a list of what to close, or to make more expensive by a factor:

- "toll", "ferry=2" or ("ferry", 2): a class of roads;
- "way/4711": an OpenStreetMap way;
- (9.52, 47.14, 500): a circle, with its radius in metres or units of the plane;
- GeoJSON of polygons as a dict, anything with ``__geo_interface__``, or an array (n, 2) of corners;
- {"arc": 17, "factor": 2, "extra": 30}: an arc in the order of :meth:`Graph.csr`.

``vehicle`` has the keys height, width and weight, in metres and tonnes. ``depart`` is "08:30", a
``datetime.time`` or seconds after midnight; the router then needs ``travel_times``.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.0, 3.0], weight_name="time",
...                         metrics={"length": [9.0, 9.0, 4.0]}, classes=["toll", None, None])
>>> r = lodestar.Router(g)
>>> r.path(0, 2, preferences=lodestar.Preferences(avoid=["toll"])).cost
3.0
>>> r.path(0, 2, preferences=lodestar.Preferences(blend={"length": 1})).totals
{'time': 3.0, 'length': 4.0}
)")
      .def(py::init(&make), py::kw_only(), py::arg("blend") = py::none(),
           py::arg("avoid") = py::tuple(), py::arg("vehicle") = py::none(),
           py::arg("depart") = py::none())
      .def_readonly("json", &PreferencesHandle::json,
                    "The same as JSON, for `lodestar solve --preferences` and the server.")
      .def_static("from_json", from_json, py::arg("text"), R"(
From JSON, as :attr:`json` has it.

>>> import lodestar
>>> lodestar.Preferences.from_json('{"avoid": ["toll"]}')
<lodestar.Preferences: {"avoid": ["toll"]}>
)")
      .def("__reduce__",
           [](const py::object& self) {
             return py::make_tuple(py::module_::import("lodestar._pickle").attr("preferences"),
                                   py::make_tuple(self.attr("json")));
           })
      .def("__eq__",
           [](const PreferencesHandle& a, const py::object& b) {
             return py::isinstance<PreferencesHandle>(b) &&
                    a.json == b.cast<const PreferencesHandle&>().json;
           })
      .def("__hash__", [](const PreferencesHandle& p) { return py::hash(py::str(p.json)); })
      .def("__repr__",
           [](const PreferencesHandle& p) { return "<lodestar.Preferences: " + p.json + ">"; });
}

}  // namespace lodestar::python
