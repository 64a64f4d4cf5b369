// Path and Place as Python holds them.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "filled.h"
#include "graph_handle.h"
#include "lodestar/itinerary.h"
#include "lodestar/places.h"
#include "lodestar/search.h"

namespace lodestar::python {

struct PathHandle {
  using Filled = PathHandle;
  SearchResult result;
  std::vector<NodeId> nodes;
  GraphPointer graph;  // null after unpickling: `unpickled` has what was looked up in it
  // Between places: parts of arcs. Otherwise empty; the arcs between the nodes are looked up
  // when the line is requested.
  std::vector<Leg> legs = {};
  bool by_place = false;  // the legs are known
  // Set by a query with preferences.
  bool of_request = false;
  std::vector<double> totals = {};  // by metric
  bool potentials = false;
  bool departs = false;  // the duration is that of a departure at its time
  // (nodes, xy, line, distance, duration, streets, kind, unit, totals, potentials), see reduce() in
  // path.cpp. Null
  // otherwise: a path is made without Python's lock.
  py::object unpickled = {};
};

struct PlaceHandle {
  using Filled = PlaceHandle;
  Place place;
  GraphPointer graph;
};

// The nearest road; and for many points (n, 2) the nearer ends of them (places.cpp).
PlaceHandle nearest(const GraphPointer& graph, const py::object& lonlat, const py::object& limit);
py::object nearest_nodes(const GraphPointer& graph, const py::object& lonlats,
                         const py::object& limit);

}  // namespace lodestar::python
