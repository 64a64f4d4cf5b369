// Path: the result of a query, and its route for maps.
#include "arrays.h"
#include "bindings.h"
#include "path_handle.h"

namespace lodestar::python {
namespace {

enum Part : int {
  kNodes,
  kXy,
  kLine,
  kDistance,
  kDuration,
  kStreets,
  kKind,
  kUnit,
  kTotals,
  kPotentials,
  kEdges
};

py::object part(const PathHandle& p, Part which) {
  return p.unpickled[py::int_(static_cast<int>(which))];
}

std::size_t count_of(const PathHandle& p) {
  return p.graph == nullptr ? py::len(part(p, kNodes)) : p.nodes.size();
}

py::object nodes_of(const PathHandle& p) {
  if (p.graph == nullptr) return part(p, kNodes).attr("copy")();
  return p.graph->names(std::vector<NodeId>(p.nodes));
}

// (u, v), or (u, v, key) for graphs made of networkx's multigraphs.
py::list edges_of(const PathHandle& p) {
  if (p.graph == nullptr) return part(p, kEdges).attr("copy")();
  const GraphHandle& handle = *p.graph;
  py::list out;
  for (const Leg& leg : p.by_place ? p.legs : legs_of(handle.graph(), p.nodes)) {
    const py::object u = handle.label(leg.tail), v = handle.label(leg.head);
    if (handle.keys.is_none()) {
      out.append(py::make_tuple(u, v));
    } else {
      out.append(py::make_tuple(u, v, handle.keys[py::int_(leg.arc)]));
    }
  }
  return out;
}

py::object xy_of(const PathHandle& p) {
  if (p.graph == nullptr) return part(p, kXy);
  const py::object xy = py::cast(p.graph).attr("xy");
  if (xy.is_none()) return xy;
  return xy[adopt(std::vector<NodeId>(p.nodes))];
}

bool has_coordinates(const PathHandle& p) {
  return p.graph == nullptr ? !part(p, kLine).is_none() : p.graph->graph().has_coordinates();
}

bool knows_streets(const PathHandle& p) {
  return p.graph == nullptr ? !part(p, kStreets).is_none() : !p.graph->file.shape.empty();
}

Itinerary unpickled_trip(const PathHandle& p) {
  Itinerary trip;
  if (!has_coordinates(p)) throw Error("the graph of this path has no coordinates");
  for (const py::handle point : part(p, kLine)) {
    trip.line.push_back({point[py::int_(0)].cast<double>(), point[py::int_(1)].cast<double>()});
  }
  trip.kind = static_cast<CoordinateKind>(part(p, kKind).cast<int>());
  trip.length = part(p, kDistance).cast<double>();
  if (!part(p, kDuration).is_none()) trip.duration = part(p, kDuration).cast<double>();
  if (!knows_streets(p)) return trip;
  for (const py::handle street : part(p, kStreets)) {
    trip.streets.push_back(
        {street[py::int_(0)].cast<std::string>(), street[py::int_(1)].cast<double>()});
  }
  return trip;
}

Itinerary trip_of(const PathHandle& p) {
  if (p.graph == nullptr) return unpickled_trip(p);
  const GraphHandle& handle = *p.graph;
  if (p.by_place) {
    Itinerary trip = itinerary(handle.graph(), handle.file.shape, p.legs);
    if (p.departs && trip.duration) trip.duration = p.totals.at(0);
    return trip;
  }
  Itinerary trip = itinerary(handle.graph(), handle.file.shape, legs_of(handle.graph(), p.nodes));
  if (trip.line.empty() && !p.nodes.empty()) trip.line = {handle.graph().points()[p.nodes[0]]};
  return trip;
}

py::list streets_of(const Itinerary& trip) {
  py::list out;
  for (const StreetStep& step : trip.streets) {
    out.append(py::make_tuple(text_of(step.name), step.length));
  }
  return out;
}

py::list line_of(const Itinerary& trip) {
  py::list line;
  for (const Point& at : trip.line) line.append(py::make_tuple(at.x, at.y));
  return line;
}

// By metric, in its unit; of a query without preferences they are added up here.
py::dict totals_of(const PathHandle& p) {
  if (p.graph == nullptr) return part(p, kTotals).attr("copy")();
  py::dict out;
  if (!p.result.reached()) return out;
  const GraphHandle& handle = *p.graph;
  const Metrics& metrics = handle.file.metrics;
  const std::vector<Leg> legs = p.by_place ? p.legs : legs_of(handle.graph(), p.nodes);
  for (std::size_t i = 0; i < metrics.metrics.size(); ++i) {
    double sum = 0;
    for (const Leg& leg : legs) {
      sum += (i == 0 ? time_share(handle.graph(), handle.file.shape, leg)
                     : std::max(0.0, leg.end - leg.begin)) *
             metrics.weight(handle.graph(), i, leg.arc);
    }
    const Metric& metric = metrics.metrics[i];
    out[py::str(metric.name)] = p.of_request ? p.totals.at(i) : sum * metric.scale;
  }
  return out;
}

py::object potentials_of(const PathHandle& p) {
  if (p.graph == nullptr) return part(p, kPotentials);
  return p.of_request ? py::object(py::bool_(p.potentials)) : py::object(py::none());
}

CostUnit unit_of(const PathHandle& p) {
  if (p.graph != nullptr) return p.graph->unit();
  const auto name = part(p, kUnit).cast<std::string>();
  for (const CostUnit& unit : {kSeconds, kMetres}) {
    if (unit.name == name) return unit;
  }
  return {};
}

py::object geojson(const PathHandle& p) {
  if (!has_coordinates(p)) {
    throw Error("this graph has no coordinates, so a path has no geometry");
  }
  Itinerary trip = p.result.reached() ? trip_of(p) : Itinerary{};
  set_result(trip, p.result, unit_of(p));
  const py::object potentials = potentials_of(p);
  if (!potentials.is_none()) {
    trip.potentials = potentials.cast<bool>();
    for (const auto& [metric, total] : totals_of(p)) {
      trip.totals.emplace_back(metric.cast<std::string>(), total.cast<double>());
    }
  }
  return py::module_::import("json").attr("loads")(to_geojson_feature(trip));
}

std::string describe_path(const PathHandle& p) {
  if (!p.result.reached() && p.result.capped) {
    return "<lodestar.Path: none found within " + std::to_string(p.result.expansions) +
           " expansions; there may be one>";
  }
  if (!p.result.reached()) return "<lodestar.Path: no path>";
  return "<lodestar.Path: cost " + py::repr(py::float_(p.result.cost)).cast<std::string>() + ", " +
         std::to_string(count_of(p)) + " nodes, " +
         (p.result.optimal()
              ? "optimal>"
              : "at most " + std::to_string(100 * p.result.gap()) + " % above the optimum>");
}

// What is known without the graph, which would be large.
py::tuple reduce_path(const PathHandle& p) {
  py::object line = py::none(), distance = py::none(), duration = py::none(), streets = py::none();
  CoordinateKind kind = CoordinateKind::kNone;
  if (has_coordinates(p)) {
    const Itinerary trip = p.result.reached() ? trip_of(p) : Itinerary{};
    line = line_of(trip);
    kind = trip.kind;
    distance = py::float_(trip.length);
    if (trip.duration) duration = py::float_(*trip.duration);
    if (knows_streets(p)) streets = streets_of(trip);
  }
  const SearchResult& found = p.result;
  return py::make_tuple(
      py::module_::import("lodestar._pickle").attr("path"),
      py::make_tuple(py::make_tuple(found.cost, found.lower_bound, found.expansions, found.reopened,
                                    found.pushes, found.capped),
                     py::make_tuple(nodes_of(p), xy_of(p), line, distance, duration, streets,
                                    static_cast<int>(kind), unit_of(p).name, totals_of(p),
                                    potentials_of(p), edges_of(p))));
}

PathHandle unpickled(const py::tuple& found, const py::tuple& parts) {
  PathHandle p;
  p.result.cost = found[0].cast<double>();
  p.result.lower_bound = found[1].cast<double>();
  p.result.expansions = found[2].cast<std::uint64_t>();
  p.result.reopened = found[3].cast<std::uint64_t>();
  p.result.pushes = found[4].cast<std::uint64_t>();
  p.result.capped = found[5].cast<bool>();
  p.unpickled = parts;
  return p;
}

}  // namespace

void bind_path(py::module_& module) {
  py::class_<PathHandle>(module, "Path", R"(
The result of a query: the path, its cost, a lower bound, and whether it is optimal.

Costs are sums of weights, in their unit. ``distance`` and ``duration`` are in metres and seconds.

>>> import lodestar
>>> p = lodestar.Router(lodestar.from_edges([0, 1], [1, 2], [2.5, 4.0])).path(0, 2)
>>> p.cost, p.lower_bound, p.nodes.tolist()
(6.5, 6.5, [0, 1, 2])
)")
      .def_property_readonly(
          "cost", [](const PathHandle& p) { return p.result.cost; },
          "Cost of the path; infinite if there is none.")
      .def_property_readonly(
          "lower_bound", [](const PathHandle& p) { return p.result.lower_bound; },
          "No path is cheaper than this.")
      .def_property_readonly(
          "gap", [](const PathHandle& p) { return p.result.gap(); },
          "(cost - lower_bound) / lower_bound; 0 if optimal.")
      .def_property_readonly(
          "optimal", [](const PathHandle& p) { return p.result.optimal(); },
          "True if it is proven that no path is cheaper, or that there is no path.")
      .def_property_readonly(
          "reached", [](const PathHandle& p) { return p.result.reached(); },
          "False if there is no path, or none was found within max_expansions.")
      .def_property_readonly("nodes", nodes_of,
                             "From source to target: an array of numbers, or a list of labels.")
      .def_property_readonly("edges", edges_of, R"(
The arcs as pairs (u, v) of nodes, or as (u, v, key) if the graph was a multigraph of networkx:
``G.edges[edge]`` then has the attributes of each.)")
      .def_property_readonly("xy", xy_of, "Coordinates of the nodes, (length, 2), or None.")
      .def_property_readonly("expansions", [](const PathHandle& p) { return p.result.expansions; })
      .def_property_readonly("reopened", [](const PathHandle& p) { return p.result.reopened; })
      .def_property_readonly("pushes", [](const PathHandle& p) { return p.result.pushes; })
      .def_property_readonly(
          "capped", [](const PathHandle& p) { return p.result.capped; },
          "True when the search was cut short by max_expansions.")
      .def_property_readonly(
          "distance", [](const PathHandle& p) { return trip_of(p).length; },
          "Metres along the path; in the plane its units. Requires coordinates.")
      .def_property_readonly(
          "duration",
          [](const PathHandle& p) -> py::object {
            const auto seconds = trip_of(p).duration;
            return seconds ? py::object(py::float_(*seconds)) : py::object(py::none());
          },
          "Seconds on roads from OpenStreetMap, for any weight; None elsewhere.")
      .def_property_readonly(
          "streets", [](const PathHandle& p) { return streets_of(trip_of(p)); },
          "Streets in order, as pairs (name, metres); empty if they are unknown.")
      .def_property_readonly("totals", totals_of, R"(
The sums of the graph's metrics along the path, in seconds, metres, …; empty if it has no metrics.)")
      .def_property_readonly(
          "potentials", potentials_of,
          "Whether potentials guided the search of a query with preferences; None without them.")
      .def("geojson", geojson, R"(
A GeoJSON feature, as a dict: the line along the roads, and the properties cost, lower_bound,
optimal, distance, duration and streets, with preferences also potentials and totals. On roads from OpenStreetMap the cost is in seconds or
metres. `lodestar solve --geojson` and the viewer write the same.

>>> import lodestar
>>> g = lodestar.from_edges([0], [1], [2.0], xy=[[9.5, 47.1], [9.6, 47.1]], coordinates="degrees")
>>> lodestar.Router(g).path(0, 1).geojson()["geometry"]["coordinates"]
[[9.5, 47.1], [9.6, 47.1]]
)")
      .def("__len__", count_of)
      .def("__reduce__", reduce_path)
      .def("__repr__", describe_path);
  module.def("_make_path", unpickled);
}

}  // namespace lodestar::python
