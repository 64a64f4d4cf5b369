// Path and Place as Python holds them.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "graph_handle.h"
#include "lodestar/itinerary.h"
#include "lodestar/places.h"
#include "lodestar/search.h"

namespace lodestar::python {

struct PathHandle {
  SearchResult result;
  std::vector<NodeId> nodes;
  GraphPointer graph;
  // Between places: parts of arcs. Otherwise empty; the arcs between the nodes are looked up when
  // somebody asks for the line.
  std::vector<Leg> legs = {};
  bool by_place = false;
};

struct PlaceHandle {
  Place place;
  GraphPointer graph;
};

// The nearest road; and for many points (n, 2) the nearer ends of them (places.cpp).
PlaceHandle nearest(const GraphPointer& graph, const py::object& lonlat, const py::object& limit);
py::object nearest_nodes(const GraphPointer& graph, const py::object& lonlats,
                         const py::object& limit);

}  // namespace lodestar::python
