// lodestar._core: the library as Python sees it. The package around it is apps/python/lodestar.
#include <pybind11/pybind11.h>

#include "bindings.h"
#ifdef LODESTAR_WITH_OSM
#include "lodestar/osm.h"
#endif
#include "lodestar/detail/stop.h"
#include "lodestar/types.h"
#include "lodestar/version.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "Shortest paths with learned heuristics; import lodestar instead of this.";
#ifdef LODESTAR_WITH_OSM
  lodestar::add_osm_format();
#endif
  module.attr("__version__") = lodestar::kVersion;
  pybind11::register_exception<lodestar::Error>(module, "Error", PyExc_ValueError);
  // Looked at before Error, which it is too.
  pybind11::register_exception_translator([](std::exception_ptr failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const lodestar::Stopped&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  lodestar::python::bind_graph(module);
  lodestar::python::bind_graph_making(module);
  lodestar::python::bind_fit(module);
  lodestar::python::bind_index(module);
  lodestar::python::bind_path(module);
  lodestar::python::bind_places(module);
  lodestar::python::bind_preferences(module);
  lodestar::python::bind_router(module);
  lodestar::python::bind_label_astar(module);
  lodestar::python::bind_model(module);
  lodestar::python::give_signatures(module);
}
