// Places: the nearest road to a longitude and latitude.
#include "lodestar/places.h"

#include <cmath>
#include <mutex>

#include "arrays.h"
#include "bindings.h"
#include "interruption.h"
#include "path_handle.h"

namespace lodestar::python {
namespace {

Point point_of(const GraphHandle& graph, double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) throw Error("a place is a pair of finite numbers");
  if (graph.graph().coordinate_kind() == CoordinateKind::kDegrees &&
      (std::abs(x) > 180 || std::abs(y) > 90)) {
    throw Error("longitudes lie within -180 … 180 and come first, latitudes within -90 … 90");
  }
  return {x, y};
}

// The end of its road that is nearer along the road.
NodeId nearer_end(const Place& place) {
  const PlaceSide& side = place.side[0];
  return side.share < 0.5 ? side.tail : side.head;
}

}  // namespace

const Places& GraphHandle::places() const {
  const std::lock_guard lock(lazy->mutex);
  if (lazy->places == nullptr) {
    lazy->places = std::make_unique<const Places>(file.graph, file.shape, file.metrics);
  }
  return *lazy->places;
}

PlaceHandle nearest(const GraphPointer& graph, const py::object& lonlat, const py::object& limit) {
  const auto pair = number_array(lonlat, "a place");
  if (pair.size() != 2) throw Error("a place is a pair: longitude and latitude, or x and y");
  const Point point = point_of(*graph, pair.at(0), pair.at(1));
  const bool limited = !limit.is_none();
  const double farthest = limited ? limit.cast<double>() : 0;
  const Unlocked unlocked;
  const Places& places = graph->places();
  return {limited ? places.nearest(point, farthest) : places.nearest(point), graph};
}

py::object nearest_nodes(const GraphPointer& graph, const py::object& lonlats,
                         const py::object& limit) {
  require_unmasked(lonlats, "places");
  const py::array array = py::array::ensure(lonlats);
  if (!array || array.ndim() != 2 || array.shape(1) != 2) {
    PyErr_Clear();
    throw Error("places must have the shape (n, 2): longitude and latitude, or x and y");
  }
  const char kind = array.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u') throw Error("places must be real numbers");
  const py::array_t<double, py::array::c_style> numbers(array);
  const auto at = numbers.unchecked<2>();
  const bool limited = !limit.is_none();
  const double farthest = limited ? limit.cast<double>() : 0;
  std::vector<NodeId> found(static_cast<std::size_t>(numbers.shape(0)));
  {
    const Unlocked unlocked;
    const Places& places = graph->places();
    for (std::size_t i = 0; i < found.size(); ++i) {
      check_stop(i);
      const auto row = static_cast<py::ssize_t>(i);
      try {
        const Point point = point_of(*graph, at(row, 0), at(row, 1));
        found[i] = nearer_end(places.nearest(point, limited ? farthest : places.default_limit()));
      } catch (const Error& error) {
        throw Error("place " + std::to_string(i) + ": " + error.what());
      }
    }
  }
  return graph->names(std::move(found));
}

void bind_places(py::module_& module) {
  module.def("_nearest", nearest);
  py::class_<PlaceHandle>(module, "Place", R"(
A point on a road, found by :meth:`Router.nearest`; :meth:`Router.path` goes from one to another.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 0], [4.0, 4.0], xy=[[0, 0], [8, 0]])
>>> place = lodestar.Router(g).nearest((2, 1))
>>> place.xy, place.distance, place.node
((2.0, 0.0), 1.0, 0)
)")
      .def_property_readonly(
          "asked",
          [](const PlaceHandle& p) { return py::make_tuple(p.place.asked.x, p.place.asked.y); },
          "The requested point.")
      .def_property_readonly(
          "xy", [](const PlaceHandle& p) { return py::make_tuple(p.place.at.x, p.place.at.y); },
          "The nearest point of a road.")
      .def_property_readonly(
          "distance", [](const PlaceHandle& p) { return p.place.distance; },
          "Between the two: metres, or the plane's units.")
      .def_property_readonly(
          "street", [](const PlaceHandle& p) { return text_of(p.place.street); },
          "Its name; may be empty.")
      .def_property_readonly(
          "node", [](const PlaceHandle& p) { return p.graph->label(nearer_end(p.place)); },
          "The end of the road that is nearer.")
      .def("__reduce__",
           [](const PlaceHandle& p) {
             return py::make_tuple(
                 py::module_::import("lodestar._pickle").attr("place"),
                 py::make_tuple(p.graph, py::make_tuple(p.place.asked.x, p.place.asked.y)));
           })
      .def("__repr__", [](const PlaceHandle& p) {
        return "<lodestar.Place: " + py::repr(py::float_(p.place.at.x)).cast<std::string>() + ", " +
               py::repr(py::float_(p.place.at.y)).cast<std::string>() + ">";
      });
}

}  // namespace lodestar::python
