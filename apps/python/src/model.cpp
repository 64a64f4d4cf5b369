// The paper's networks: potentials of a query, and their closure.
#include "lodestar/model.h"

#include <pybind11/stl.h>

#include "arrays.h"
#include "bindings.h"
#include "filled.h"
#include "graph_handle.h"
#include "interruption.h"
#include "lodestar/certificate.h"
#include "lodestar/infer.h"

namespace lodestar::python {

struct ModelHandle {
  using Filled = ModelHandle;
  std::string name;
  Model model;
};

namespace {

// y of one query; `exact` closes it, so that A* with it is optimal.
py::array_t<double> potentials(const ModelHandle& handle, const GraphHandle& graph,
                               const py::object& source, const py::object& target, bool exact) {
  const Query query{graph.node(source), graph.node(target)};
  std::vector<double> y(graph.graph().node_count());
  {
    const Unlocked unlocked;
    const PotentialNet net(handle.model, graph.graph());
    PotentialNet::Workspace work(net);
    net.potentials(query, work, y);
    if (exact) ExactClosure(graph.graph()).apply(y, query.target);
  }
  return adopt(std::move(y));
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<ModelHandle>(module, "Model", R"(
A trained network of the paper's kind, by name ("deep", "swift", "paper", …) or file.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1, 0], [1, 2, 2], [0.3, 0.4, 0.9], directed=False)
>>> y = lodestar.Model("deep").potentials(g, 0, 2, exact=True)
>>> bool(y[2] - y[0] <= 0.7000001)
True
)")
      .def(py::init([](const py::object& name) {
             ModelHandle handle;
             handle.name = py::module_::import("os").attr("fspath")(name).cast<std::string>();
             handle.model = load_model(handle.name);
             return handle;
           }),
           py::arg("name") = "deep")
      .def_readonly("name", &ModelHandle::name)
      .def_property_readonly(
          "preset", [](const ModelHandle& m) { return m.model.config.preset; },
          "The recipe it was trained by.")
      .def_property_readonly(
          "parameters", [](const ModelHandle& m) { return m.model.parameter_count(); },
          "How many numbers it has.")
      .def("potentials", potentials, py::arg("graph"), py::arg("source"), py::arg("target"),
           py::kw_only(), py::arg("exact") = false, R"(
y of every node for one query; the heuristic is y[target] - y[v].

With ``exact`` the smallest feasible potential above it: consistent, so A* with it is optimal.

>>> import lodestar
>>> g = lodestar.generate("er", 64, seed=1)
>>> y = lodestar.Model("deep").potentials(g, 3, 40, exact=True)
>>> lodestar.Router(g, heuristic=y).path(3, 40).optimal
True
)")
      .def(py::pickle([](const ModelHandle& m) { return py::make_tuple(m.name); },
                      [](const py::tuple& state) {
                        ModelHandle handle{state[0].cast<std::string>(), {}};
                        handle.model = load_model(handle.name);
                        return handle;
                      }))
      .def("__repr__", [](const ModelHandle& m) {
        return "<lodestar.Model '" + m.name + "': " + std::to_string(m.model.parameter_count()) +
               " parameters>";
      });
  module.def(
      "models",
      [] {
        std::vector<std::string> names;
        for (const EmbeddedModel& model : embedded_models()) names.emplace_back(model.name);
        return names;
      },
      R"(
Names of the models inside the package.

>>> import lodestar
>>> any(name.startswith("deep") for name in lodestar.models())
True
)");
}

}  // namespace lodestar::python
