// fit(), and tables of potentials: trained, from landmarks, from a file. Also graphs by
// specification.
#include "lodestar/fit.h"

#include <pybind11/stl.h>

#include "arrays.h"
#include "bindings.h"
#include "files.h"
#include "fit_request.h"
#include "graph_handle.h"
#include "interruption.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/generate.h"
#include "lodestar/landmarks.h"
#include "potentials_handle.h"
#include "whole.h"

namespace lodestar::python {
namespace {

PotentialsHandle load(const std::string& path) {
  const Unlocked unlocked;
  return {std::make_shared<const Potentials>(Potentials::load(path)), absolute(path), 0};
}

void save(PotentialsHandle& handle, const py::object& path) {
  const std::string name = text_of_path(path);
  {
    const Unlocked unlocked;
    handle.potentials->save(name);
  }
  handle.file = absolute(name);
}

// Potentials with a file travels as its path, any other as the bytes of such a file.
py::tuple reduce(const py::object& self) {
  const auto& handle = self.cast<const PotentialsHandle&>();
  const py::object pickle = py::module_::import("lodestar._pickle");
  const bool filed = !handle.file.empty() && std::filesystem::exists(handle.file);
  return py::make_tuple(pickle.attr("table"),
                        filed ? py::make_tuple(handle.file, py::none())
                              : py::make_tuple(py::none(), pickle.attr("bytes_of")(self)));
}

GraphPointer make_graph(const std::string& family, const py::object& nodes, const py::object& seed,
                        const std::string& density, const std::string& draw, double obstacles,
                        double degree) {
  GraphSpec spec;
  spec.family = parse_family(family);
  spec.nodes = whole<NodeId>(nodes, "nodes");
  spec.seed = whole<std::uint64_t>(seed, "seed");
  parse_density(density, spec);
  spec.draw = parse_draw(draw);
  spec.obstacles = obstacles;
  spec.degree = degree;
  auto handle = std::make_shared<GraphHandle>();
  const Unlocked unlocked;
  handle->file.graph = generate(spec);
  handle->file.names = NodeNames::numbered(0, handle->graph().node_count());
  return handle;
}

py::object run_fit(const GraphPointer& graph, std::optional<double> seconds,
                   const py::object& rounds, const py::object& queries, bool all_nodes,
                   const py::object& potentials, const py::object& seed, const py::object& threads,
                   const py::object& progress, const py::object& core, bool paths, bool search,
                   bool labels) {
  FitRequest request{.graph = graph,
                     .seconds = seconds,
                     .rounds = whole<std::uint64_t>(rounds, "rounds"),
                     .log = {},
                     .potential_count = whole<std::uint32_t>(potentials, "potentials", 0, 4096),
                     .seed = whole<std::uint64_t>(seed, "seed"),
                     .threads = thread_count(threads_of(threads)),
                     .core = {},
                     .paths = paths,
                     .search = search,
                     .labels = labels,
                     .progress = progress};
  if (!core.is_none()) request.core = whole<NodeId>(core, "core");
  if (!queries.is_none()) {
    if (py::len(queries) != 2) throw Error("queries is a pair of arrays: sources and targets");
    const auto s = graph->nodes(queries[py::int_(0)], "sources");
    const auto t = graph->nodes(queries[py::int_(1)], "targets");
    if (s.size() != t.size()) throw Error("queries: sources and targets must be of one length");
    if (s.empty()) throw Error("queries is empty; leave it out for uniform pairs");
    for (std::size_t i = 0; i < s.size(); ++i) request.log.push_back({s[i], t[i]});
  }
  return all_nodes ? py::cast(fit_potentials(request)) : py::cast(fit_index(request));
}

}  // namespace

void FitRequest::tell(const char* stage, std::uint64_t round, double passed,
                      double expansions) const {
  const py::gil_scoped_acquire locked;
  if (py::isinstance<py::bool_>(progress)) {
    if (!progress.cast<bool>()) return;
    const py::object out = py::module_::import("sys").attr("stderr");
    out.attr("write")(py::str("\rfit: {}, round {}, {:.0f} s, {:.0f} expansions ")
                          .format(stage, round, passed, expansions));
    out.attr("flush")();
  } else if (PyCallable_Check(progress.ptr()) != 0) {
    progress(round, passed, expansions);
  }
}

void FitRequest::tell_end() const {
  if (py::isinstance<py::bool_>(progress) && progress.cast<bool>()) {
    py::module_::import("sys").attr("stderr").attr("write")("\n");
  }
}

PotentialsHandle fit_potentials(const FitRequest& request) {
  if (request.core || !request.paths || request.search || request.labels) {
    throw Error("core, paths, search and labels are for an index, not a table");
  }
  FitOptions options;
  options.potential_count = request.potential_count;
  options.seed = request.seed;
  options.threads = request.threads;
  options.seconds = request.seconds.value_or(10);
  options.rounds = request.rounds;
  if (!request.log.empty()) options.kind = QueryKind::kLog;
  options.log = request.log;
  Interruption interrupted;  // the best so far is kept
  FitHooks hooks;
  hooks.progress = [&](const FitProgress& now) {
    if (now.round == nullptr) return;
    request.tell("training", now.round->round, now.round->seconds, now.round->expansions);
  };
  hooks.stop = [&] { return interrupted(); };
  PotentialsHandle made;
  {
    const py::gil_scoped_release unlocked;
    FitResult fitted = fit(request.graph->graph(), options, hooks);
    made.expansions = fitted.expansions;
    made.potentials = std::make_shared<const Potentials>(std::move(fitted.potentials));
  }
  request.tell_end();
  return made;
}

void bind_fit(py::module_& module) {
  py::class_<PotentialsHandle>(module, "Table", R"(
Potentials of every node of one graph: a heuristic that is exact by construction.

Made by :func:`lodestar.fit` with ``whole=True``, or by :func:`lodestar.landmarks`.

>>> import lodestar
>>> lodestar.landmarks(lodestar.from_edges([0, 1], [1, 0], [2.0, 3.0]), potentials=2).potential_count
2
)")
      .def_property_readonly("nodes",
                             [](const PotentialsHandle& t) { return t.potentials->node_count(); })
      .def_property_readonly(
          "potentials", [](const PotentialsHandle& t) { return t.potentials->count(); },
          "Values per node.")
      .def_property_readonly("bytes",
                             [](const PotentialsHandle& t) { return t.potentials->bytes(); })
      .def_property_readonly(
          "method", [](const PotentialsHandle& t) { return t.potentials->origin().method; })
      .def_readonly("expansions", &PotentialsHandle::expansions,
                    "Mean expansions of queries that were held back; 0: not measured.")
      .def_readonly("file", &PotentialsHandle::file, "The file that holds it, '' if there is none.")
      .def(
          "column",
          [](const PotentialsHandle& t, const py::object& potential) {
            const auto i = whole<std::uint32_t>(potential, "potential");
            if (i >= t.potentials->count())
              throw Error("there is no potential " + std::to_string(i));
            const auto stored = t.potentials->column(i);
            std::vector<double> y(stored.size());
            for (std::size_t v = 0; v < y.size(); ++v) {
              y[v] = t.potentials->unit() * t.potentials->coarse() * stored[v];
            }
            return adopt(std::move(y));
          },
          py::arg("potential"), R"(
One potential: y[v] - y[u] <= w on every arc u → v.

>>> import lodestar
>>> g = lodestar.from_edges([0, 1], [1, 0], [2.0, 3.0])
>>> y = lodestar.landmarks(g, potentials=2).column(0)
>>> bool(y[1] - y[0] <= 2.0)
True
)")
      .def("save", save, py::arg("path"), R"(
Write it (.lsp).

>>> import lodestar, tempfile
>>> potentials = lodestar.landmarks(lodestar.generate("road", 500, seed=1), potentials=2)
>>> with tempfile.TemporaryDirectory() as folder:
...     potentials.save(folder + "/road.lsp")
)")
      .def("_save_detached", [](const PotentialsHandle& t,
                                const py::object& path) { t.potentials->save(text_of_path(path)); })
      .def("_detach", [](PotentialsHandle& t) { t.file.clear(); })
      .def_static(
          "load", [](const py::object& path) { return load(text_of_path(path)); }, py::arg("path"),
          R"(
Read a potentials.

>>> import lodestar, tempfile
>>> potentials = lodestar.landmarks(lodestar.generate("road", 500, seed=1), potentials=2)
>>> with tempfile.TemporaryDirectory() as folder:
...     potentials.save(folder + "/road.lsp")
...     lodestar.Table.load(folder + "/road.lsp").potential_count
2
)")
      .def("__reduce__", reduce)
      .def("__repr__", [](const PotentialsHandle& t) {
        return "<lodestar.Table: " + std::to_string(t.potentials->count()) + " potentials of " +
               std::to_string(t.potentials->node_count()) + " nodes, " +
               t.potentials->origin().method + ">";
      });

  module.def("fit", run_fit, py::arg("graph"), py::kw_only(), py::arg("seconds") = py::none(),
             py::arg("rounds") = 0, py::arg("queries") = py::none(), py::arg("whole") = false,
             py::arg("potentials") = 16, py::arg("seed") = 1, py::arg("threads") = 1,
             py::arg("progress") = false, py::arg("core") = py::none(), py::arg("paths") = true,
             py::arg("search") = false, py::arg("labels") = false, R"(
Learn one graph: an :class:`Index` whose answers are optimal and take microseconds.

The graph is contracted to a core. A small core is crossed by a potentials of its distances; on a larger
one, or with ``search``, potentials are learned for ``seconds`` (3). ``labels`` take the place of any
search: below a microsecond, at five times the memory, and nothing is learned. With
``whole`` the result is a :class:`Table` of potentials for every node instead (10 seconds): slower
queries, but weights may rise at any time. ``rounds`` above 0 takes the place of ``seconds``: the
same result on every machine. ``queries`` is a pair (sources, targets) like those to come; uniform
pairs otherwise. ``core`` fixes the size of the core, ``paths=False`` keeps costs only. ``progress``
is True for a line on standard error, or a function (round, seconds, expansions). Ctrl-C ends
training with the best so far; before that it raises KeyboardInterrupt.

>>> import lodestar
>>> g = lodestar.generate("road", 500, seed=1)
>>> r = lodestar.Router(g, lodestar.fit(g, seconds=0.2))
>>> r.path(0, 400).proven
True
)");
  module.def(
      "landmarks",
      [](const GraphPointer& graph, const py::object& potentials, const std::string& method,
         const py::object& seed) {
        LandmarkOptions options;
        options.potential_count = whole<std::uint32_t>(potentials, "potentials", 1, 4096);
        options.method = parse_landmark_method(method);
        options.seed = whole<std::uint64_t>(seed, "seed");
        const Unlocked unlocked;
        return PotentialsHandle{
            std::make_shared<const Potentials>(landmark_potentials(graph->graph(), options)),
            {},
            0};
      },
      py::arg("graph"), py::kw_only(), py::arg("potentials") = 16, py::arg("method") = "avoid",
      py::arg("seed") = 1, R"(
The classical baseline: distances from landmarks (ALT), as a :class:`Table`.

>>> import lodestar
>>> g = lodestar.generate("road", 500, seed=1)
>>> lodestar.Router(g, lodestar.landmarks(g, potentials=8)).path(0, 400).proven
True
)");
  module.def("generate", make_graph, py::arg("family"), py::arg("nodes"), py::kw_only(),
             py::arg("seed") = 0, py::arg("density") = "dense", py::arg("draw") = "or",
             py::arg("obstacles") = 0.2, py::arg("degree") = 8.0, R"(
A graph by specification: family "er", "grid", "geometric", "road" or "city"; the same seed, the same graph.

>>> import lodestar
>>> lodestar.generate("er", 16, seed=7).nodes
16
)");
}

}  // namespace lodestar::python
