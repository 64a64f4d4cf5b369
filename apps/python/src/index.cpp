// Index: contraction, a core, labels (lodestar/index.h).
#include "lodestar/index.h"

#include <pybind11/stl.h>

#include <chrono>

#include "arrays.h"
#include "bindings.h"
#include "interruption.h"
#include "lodestar/index_estimate.h"
#include "potentials_handle.h"
#include "training_request.h"

namespace lodestar::python {
namespace {

IndexHandle open(const py::object& path, const GraphPointer& graph, bool map) {
  const std::string name = text_of_path(path);
  const Unlocked unlocked;
  return {std::make_shared<const Index>(Index::open(name, graph->graph(), map)), graph,
          absolute(name)};
}

void save_index(IndexHandle& handle, const py::object& path) {
  const std::string name = text_of_path(path);
  without_gil([&] { handle.index->save(name); });
  handle.file = absolute(name);
}

IndexHandle customized(const IndexHandle& handle, const GraphPointer& graph, double seconds) {
  const Unlocked unlocked;
  return {
      std::make_shared<const Index>(handle.index->customized(graph->graph(), {.seconds = seconds})),
      graph,
      {}};
}

py::dict query_times(const IndexHandle& handle) {
  auto times = without_gil([&] { return measure_queries(*handle.index); });
  py::dict out;
  out["index"] = times.index;
  out["bidirectional"] = times.bidirectional;
  return out;
}

// An index in a file is pickled as its path, others as the bytes of such a file.
py::tuple reduce_index(const py::object& self) {
  const auto& handle = self.cast<const IndexHandle&>();
  const py::object pickle = py::module_::import("lodestar._pickle");
  const auto [path, bytes] = pickled(self, handle.file);
  return py::make_tuple(pickle.attr("index"), py::make_tuple(path, bytes, handle.graph));
}

std::string describe_index(const IndexHandle& handle) {
  const IndexFacts facts = handle.index->facts();
  return "<lodestar.Index: a core of " + std::to_string(facts.core) + " of " +
         std::to_string(facts.nodes) + " nodes, " + std::to_string(facts.potential_count) +
         " potentials per node>";
}

IndexHandle run_index(const GraphPointer& graph, const std::optional<double>& seconds,
                      const py::object& rounds, const py::object& queries, bool labels, bool paths,
                      bool search, const py::object& core, const py::object& per_node,
                      const py::object& seed, const py::object& threads, const py::object& progress,
                      const py::kwargs& unknown) {
  reject_keywords("index", unknown);
  const double limit = seconds.value_or(kDefaultIndexSeconds);
  const TrainingRequest request(graph, limit, rounds, queries, per_node, seed, threads, progress);
  IndexOptions options;
  options.seconds = seconds;
  options.rounds = request.rounds;
  options.potential_count = request.per_node;
  options.seed = request.seed;
  options.threads = request.threads;
  options.paths = paths;
  if (!core.is_none()) options.core = whole<NodeId>(core, "core");
  options.labels = labels;
  if (search) options.crossing = Crossing::kSearch;
  options.log = request.log;
  Interruption interrupted;  // the index stays exact, only less contracted or trained
  const auto start = std::chrono::steady_clock::now();
  const auto report = [&](const IndexProgress& now) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    request.tell(now.stage, now.rounds, passed.count(), now.expansions);
  };
  std::shared_ptr<const Index> made;
  {
    const py::gil_scoped_release unlocked;
    made = std::make_shared<const Index>(Index::build(
        request.graph->graph(), options, [&] { return interrupted(); }, report));
  }
  request.tell_end();
  if (made->facts().plain &&
      PyErr_WarnEx(PyExc_UserWarning,
                   "an index does not pay here: contraction does not help this graph, or had no "
                   "time; queries search from both ends, as they do without an index",
                   1) != 0) {
    throw py::error_already_set();
  }
  return {std::move(made), request.graph, {}};
}

}  // namespace

std::string take_index(RouterOptions& options, const GraphPointer& graph, py::object& index) {
  if (index.is_none()) return {};
  if (py::isinstance<PotentialsHandle>(index)) {
    take_potentials(options, index);
    return {};
  }
  if (!py::isinstance<IndexHandle>(index)) {
    const std::string file = text_of_path(index);
    if (!file.ends_with(".lsi")) {
      options.potentials_file = file;
      return {};
    }
    auto opened = without_gil([&] { return Index::open_or_customize(file, graph->graph()); });
    options.index = std::make_shared<const Index>(std::move(opened.index));
    // An index, so that processes it is sent to map one file.
    if (opened.note.empty()) index = py::cast(IndexHandle{options.index, graph, absolute(file)});
    return opened.note;
  }
  options.index = index.cast<const IndexHandle&>().index;
  const Unlocked unlocked;
  if (options.index->fits(graph->graph())) return {};
  options.index = std::make_shared<const Index>(options.index->customized(graph->graph()));
  return "the index was made for other weights and has been customized";
}

void take_potentials(RouterOptions& options, const py::object& potentials) {
  if (potentials.is_none()) return;
  if (options.potentials != nullptr || options.family != nullptr ||
      !options.potentials_file.empty()) {
    throw Error("give potentials once, as index or as potentials");
  }
  if (!py::isinstance<PotentialsHandle>(potentials)) {
    options.potentials_file = text_of_path(potentials);
    return;
  }
  const auto& handle = potentials.cast<const PotentialsHandle&>();
  options.family = handle.family;
  if (handle.family == nullptr) options.potentials = handle.potentials;
}

void bind_index(py::module_& module) {
  const auto fact = [](auto member) {
    return [member](const IndexHandle& handle) { return handle.index->facts().*member; };
  };
  py::class_<IndexHandle>(module, "Index", R"(
For many queries on one graph with fixed weights: exact and fast. Made by :func:`lodestar.index`.

>>> import lodestar
>>> g = lodestar.generate("road", 500, seed=1)
>>> index = lodestar.index(g, rounds=2)
>>> index.nodes == g.nodes, index.core < g.nodes
(True, True)
)")
      .def_readonly("graph", &IndexHandle::graph, "The graph it was made for.")
      .def_readonly("file", &IndexHandle::file, "The file that holds it, or ''.")
      .def_property_readonly("nodes", fact(&IndexFacts::nodes))
      .def_property_readonly("core", fact(&IndexFacts::core),
                             "Nodes that were not contracted and have potentials.")
      .def_property_readonly("per_node", fact(&IndexFacts::potential_count),
                             "Potentials per node of the core; 0 if it needs none.")
      .def_property_readonly("bytes", fact(&IndexFacts::bytes))
      .def_property_readonly("plain", fact(&IndexFacts::plain),
                             "Whether contraction does not help, so queries search from both ends.")
      .def("query_times", query_times, R"(
Mean seconds of random queries with this index, and of a search from both ends without it.

>>> import lodestar
>>> g = lodestar.generate("road", 500, seed=1)
>>> sorted(lodestar.index(g, rounds=1).query_times())
['bidirectional', 'index']
)")
      .def("save", save_index, py::arg("path"), R"(
Write it to a file (.lsi).

>>> import lodestar, tempfile
>>> g = lodestar.generate("road", 500, seed=1)
>>> with tempfile.TemporaryDirectory() as folder:
...     lodestar.index(g, rounds=1).save(folder + "/road.lsi")
)")
      .def("_save_detached", [](const IndexHandle& handle,
                                const py::object& path) { handle.index->save(text_of_path(path)); })
      .def("_detach", [](IndexHandle& handle) { handle.file.clear(); })
      .def_static("open", open, py::arg("path"), py::arg("graph"), py::kw_only(),
                  py::arg("map") = false,
                  R"(
Read an index that was made for this graph; ``map`` as for :func:`lodestar.read`.

>>> import lodestar, tempfile
>>> g = lodestar.generate("road", 500, seed=1)
>>> with tempfile.TemporaryDirectory() as folder:
...     lodestar.index(g, rounds=1).save(folder + "/road.lsi")
...     index = lodestar.Index.open(folder + "/road.lsi", g)
>>> lodestar.Router(g, index).path(0, 400).optimal
True
)")
      .def("customized", customized, py::arg("graph"), py::kw_only(), py::arg("seconds") = 0.3, R"(
The index for the same arcs with other weights, in about half the time of a new one. A router
customizes an index by itself; call this to keep the result.

>>> import lodestar
>>> g = lodestar.generate("road", 500, seed=1)
>>> slow = g.with_weights(2 * g.csr()[2])
>>> index = lodestar.index(g, rounds=2).customized(slow)
>>> lodestar.Router(slow, index).path(0, 400).optimal
True
)")
      .def("__reduce__", reduce_index)
      .def("__repr__", describe_index);
  module.def("index", run_index, py::arg("graph"), py::kw_only(), py::arg("seconds") = py::none(),
             py::arg("rounds") = 0, py::arg("queries") = py::none(), py::arg("labels") = false,
             py::arg("paths") = true, py::arg("search") = false, py::arg("core") = py::none(),
             py::arg("per_node") = 16, py::arg("seed") = 1, py::arg("threads") = 1,
             py::arg("progress") = py::none(), R"(
Build an :class:`Index` of one graph with fixed weights: exact answers in microseconds.

The graph is contracted to a core. A small core uses stored core distances. On a larger one, or
with ``search``, potentials of the core are learned. ``seconds`` limits the whole time; by default
contraction takes the time it needs, and learning up to 3 s. On graphs that do not contract, queries
search from both ends (``plain``), and a warning says so. ``labels`` replace the search: queries take less than a
microsecond and the index five times the memory; nothing is learned.
``paths=False`` keeps costs only, ``core`` fixes the number of nodes of the core, and ``per_node``
is the number of potentials per node of the core. ``rounds`` above 0 replaces ``seconds``: the index
is then the same on every machine. ``queries`` is a pair (sources, targets) of typical queries; by
default pairs are uniform. ``threads=0`` uses all cores. ``progress`` is True for a line on standard
error, None for one in a terminal or notebook after two seconds, or a function (round, seconds,
expansions). Ctrl-C ends training with the best so far;
before training starts it raises KeyboardInterrupt.

>>> import lodestar
>>> g = lodestar.generate("road", 500, seed=1)
>>> r = lodestar.Router(g, lodestar.index(g, seconds=0.2))
>>> r.path(0, 400).optimal
True
)");
}

}  // namespace lodestar::python
