// The arguments of Router.
#include <pybind11/stl.h>

#include "arrays.h"
#include "interruption.h"
#include "potentials_handle.h"
#include "router_handle.h"

namespace lodestar::python {
namespace {

// h(v) = heuristic(v, target), with labels where the graph has them.
HeuristicFunction python_function(const GraphPointer& graph, const py::object& callable) {
  struct Held {
    py::object callable;
    GraphPointer graph;
  };
  // Copies of the function may die without the lock: the objects are let go with it.
  const std::shared_ptr<Held> held(new Held{callable, graph}, [](Held* objects) {
    const py::gil_scoped_acquire locked;
    delete objects;
  });
  return [held](NodeId v, Query query) -> Cost {
    const py::gil_scoped_acquire locked;
    const GraphHandle& labelled = *held->graph;
    const py::object value = held->callable(labelled.label(v), labelled.label(query.target));
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return number;
  };
}

std::optional<Guarantee> parse_guarantee(const py::object& name) {
  if (name.is_none()) return {};
  const auto text = name.cast<std::string>();
  if (text == "none") return Guarantee::kNone;
  if (text == "admissible") return Guarantee::kAdmissible;
  if (text == "consistent") return Guarantee::kConsistent;
  throw Error("unknown guarantee '" + text + "'; choose none, admissible or consistent");
}

PotentialArray one_per_node(const GraphPointer& graph, const py::object& given, const char* name,
                            double sign) {
  const auto numbers = number_array(given, name);
  if (numbers.size() != static_cast<py::ssize_t>(graph->graph().node_count())) {
    throw Error(std::string(name) + " needs one number per node; this one has " +
                std::to_string(numbers.size()) + " for " +
                std::to_string(graph->graph().node_count()) + " nodes");
  }
  std::vector<double> y(numbers.data(), numbers.data() + numbers.size());
  for (double& value : y) value *= sign;
  return PotentialArray(std::move(y));
}

void take_heuristic(RouterOptions& options, const GraphPointer& graph,
                    const py::object& heuristic) {
  if (heuristic.is_none()) return;
  if (py::isinstance<py::str>(heuristic)) {
    options.heuristic = heuristic.cast<std::string>();
  } else if (PyCallable_Check(heuristic.ptr()) != 0) {
    options.function = python_function(graph, heuristic);
  } else {
    options.potential = one_per_node(graph, heuristic, "heuristic", -1);  // h(v) - h(target)
  }
}

std::shared_ptr<RouterHandle> make_router(const GraphPointer& graph, py::object index,
                                          const py::object& heuristic, const std::string& algorithm,
                                          double bound, bool exact, const std::string& model,
                                          double weight, const py::object& max_expansions,
                                          const py::object& guarantee, const py::object& potentials,
                                          const py::object& travel_times,
                                          const py::object& potential) {
  RouterOptions options;
  options.metrics = graph->file.metrics;
  options.shape = graph->file.shape;
  options.algorithm = algorithm;
  options.bound = bound;
  options.exact = exact;
  options.model = model;
  options.weight = weight;
  options.guarantee = parse_guarantee(guarantee);
  if (!max_expansions.is_none()) {
    options.max_expansions = whole<std::uint64_t>(max_expansions, "max_expansions");
  }
  take_heuristic(options, graph, heuristic);
  if (!potential.is_none()) {
    if (!heuristic.is_none()) throw Error("give heuristic or potential, not both");
    options.potential = one_per_node(graph, potential, "potential", 1);
  }
  std::string note = take_index(options, graph, index);
  take_potentials(options, potentials);
  py::object times_file = py::none();
  if (!travel_times.is_none()) {
    const std::string file = absolute(text_of_path(travel_times));
    times_file = py::str(file);
    const Unlocked unlocked;
    options.travel_times = std::make_shared<const TravelTimes>(
        TravelTimes::load(file, graph->graph(), options.metrics, options.shape));
  }
  const py::tuple arguments =
      py::make_tuple(graph, index, heuristic, algorithm, bound, exact, model, weight,
                     max_expansions, guarantee, potentials, times_file, potential);
  // A callable heuristic may be called while the router is constructed.
  return std::make_shared<RouterHandle>(graph, std::move(options), std::move(note), arguments);
}

}  // namespace

void bind_making(py::module_& module, RouterClass& router) {
  router.def(py::init(&make_router), py::arg("graph"), py::arg("index") = py::none(), py::kw_only(),
             py::arg("heuristic") = py::none(), py::arg("algorithm") = "auto",
             py::arg("bound") = 0.0, py::arg("exact") = false, py::arg("model") = "deep",
             py::arg("weight") = 1.5, py::arg("max_expansions") = py::none(),
             py::arg("guarantee") = py::none(), py::arg("potentials") = py::none(),
             py::arg("travel_times") = py::none(), py::arg("potential") = py::none());
  module.def("_make_router", make_router);  // for pickle
}

}  // namespace lodestar::python
