// What each file of this folder adds to the module.
#pragma once

#include <pybind11/pybind11.h>

namespace lodestar::python {

void bind_graph(pybind11::module_& module);         // graph.cpp
void bind_graph_making(pybind11::module_& module);  // graph_making.cpp
void bind_fit(pybind11::module_& module);           // fit.cpp
void bind_index(pybind11::module_& module);         // index.cpp
void bind_path(pybind11::module_& module);          // path.cpp
void bind_places(pybind11::module_& module);        // places.cpp
void bind_preferences(pybind11::module_& module);   // preferences.cpp
void bind_router(pybind11::module_& module);        // router.cpp
void bind_label_astar(pybind11::module_& module);   // label_astar.cpp
void bind_model(pybind11::module_& module);         // model.cpp
void give_signatures(pybind11::module_& module);    // signatures.cpp; last

}  // namespace lodestar::python
