// Tables of potentials: trained, from landmarks, from a file. Also graphs by specification.
#include "lodestar/fit.h"

#include <pybind11/stl.h>

#include <filesystem>

#include "arrays.h"
#include "bindings.h"
#include "graph_handle.h"
#include "lodestar/generate.h"
#include "lodestar/landmarks.h"
#include "table_handle.h"

namespace lodestar::python {
namespace {

std::string text_of_path(const py::object& path) {
  return py::module_::import("os").attr("fspath")(path).cast<std::string>();
}

// Says how far training is, on standard error and in one line.
void show(const FitRound& round, double seconds) {
  const py::object out = py::module_::import("sys").attr("stderr");
  out.attr("write")(py::str("\rfit: round {}, {:.0f} of {:.0f} s, {:.0f} expansions ")
                        .format(round.round, round.seconds, seconds, round.expansions));
  out.attr("flush")();
}

TableHandle run_fit(const GraphPointer& graph, double seconds, std::uint64_t rounds,
                    const py::object& queries, std::uint32_t potentials, std::uint64_t seed,
                    unsigned threads, const py::object& progress) {
  FitOptions options;
  options.potentials = potentials;
  options.seed = seed;
  options.threads = threads;
  options.seconds = seconds;
  options.rounds = rounds;
  if (!queries.is_none()) {
    if (py::len(queries) != 2) throw Error("queries is a pair of arrays: sources and targets");
    const auto s = graph->nodes(queries[py::int_(0)], "sources");
    const auto t = graph->nodes(queries[py::int_(1)], "targets");
    if (s.size() != t.size()) throw Error("queries: sources and targets must be of one length");
    if (s.empty()) throw Error("queries is empty; leave it out for uniform pairs");
    options.kind = QueryKind::kLog;
    for (std::size_t i = 0; i < s.size(); ++i) options.log.push_back({s[i], t[i]});
  }
  const bool own_line = py::isinstance<py::bool_>(progress) && progress.cast<bool>();
  const bool callback = !own_line && PyCallable_Check(progress.ptr()) != 0;
  bool interrupted = false;  // Ctrl-C: the best so far is kept
  FitHooks hooks;
  hooks.progress = [&](const FitProgress& now) {
    if (now.round == nullptr || (!own_line && !callback)) return;
    const py::gil_scoped_acquire locked;
    if (own_line) show(*now.round, seconds);
    if (callback) progress(now.round->round, now.round->seconds, now.round->expansions);
  };
  hooks.stop = [&] {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) return interrupted;
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) throw py::error_already_set();
    PyErr_Clear();
    return interrupted = true;
  };
  TableHandle made;
  {
    const py::gil_scoped_release unlocked;
    FitResult fitted = fit(graph->graph(), options, hooks);
    made.expansions = fitted.expansions;
    made.table = std::make_shared<const PotentialTable>(std::move(fitted.table));
  }
  if (own_line) py::module_::import("sys").attr("stderr").attr("write")("\n");
  return made;
}

TableHandle load(const std::string& path) {
  const py::gil_scoped_release unlocked;
  return {std::make_shared<const PotentialTable>(PotentialTable::load(path)),
          std::filesystem::absolute(path).string(), 0};
}

void save(TableHandle& handle, const py::object& path) {
  const std::string name = text_of_path(path);
  {
    const py::gil_scoped_release unlocked;
    handle.table->save(name);
  }
  handle.file = std::filesystem::absolute(name).string();
}

// A table with a file travels as its path, any other as the bytes of such a file.
py::tuple reduce(const py::object& self) {
  const auto& handle = self.cast<const TableHandle&>();
  const py::object pickle = py::module_::import("lodestar._pickle");
  const bool filed = !handle.file.empty() && std::filesystem::exists(handle.file);
  return py::make_tuple(pickle.attr("table"),
                        filed ? py::make_tuple(handle.file, py::none())
                              : py::make_tuple(py::none(), pickle.attr("table_bytes")(self)));
}

GraphPointer make_graph(const std::string& family, NodeId nodes, std::uint64_t seed,
                        const std::string& density, const std::string& draw, double obstacles,
                        double degree) {
  GraphSpec spec;
  spec.family = parse_family(family);
  spec.nodes = nodes;
  spec.seed = seed;
  parse_density(density, spec);
  spec.draw = parse_draw(draw);
  spec.obstacles = obstacles;
  spec.degree = degree;
  auto handle = std::make_shared<GraphHandle>();
  const py::gil_scoped_release unlocked;
  handle->file.graph = generate(spec);
  handle->file.names = NodeNames::numbered(0, handle->graph().node_count());
  return handle;
}

}  // namespace

void take_index(RouterOptions& options, const py::object& index) {
  if (index.is_none()) return;
  if (py::isinstance<TableHandle>(index)) {
    options.table = index.cast<const TableHandle&>().table;
  } else {
    options.table_file = text_of_path(index);
  }
}

void bind_fit(py::module_& module) {
  py::class_<TableHandle>(module, "Table", R"(
Potentials of every node of one graph: a heuristic that is exact by construction.

Made by :func:`lodestar.fit` or :func:`lodestar.landmarks`.
)")
      .def_property_readonly("nodes", [](const TableHandle& t) { return t.table->node_count(); })
      .def_property_readonly(
          "potentials", [](const TableHandle& t) { return t.table->potentials(); },
          "Values per node.")
      .def_property_readonly("bytes", [](const TableHandle& t) { return t.table->bytes(); })
      .def_property_readonly("method",
                             [](const TableHandle& t) { return t.table->origin().method; })
      .def_readonly("expansions", &TableHandle::expansions,
                    "Mean expansions of queries that were held back; 0: not measured.")
      .def_readonly("file", &TableHandle::file, "The file that holds it, '' if there is none.")
      .def(
          "column",
          [](const TableHandle& t, std::uint32_t i) {
            if (i >= t.table->potentials())
              throw Error("there is no potential " + std::to_string(i));
            const auto stored = t.table->column(i);
            std::vector<double> y(stored.size());
            for (std::size_t v = 0; v < y.size(); ++v) {
              y[v] = t.table->unit() * t.table->coarse() * stored[v];
            }
            return adopt(std::move(y));
          },
          py::arg("potential"), "One potential: y[v] - y[u] <= w on every arc u → v.")
      .def("save", save, py::arg("path"), "Write it (.lsp).")
      .def("_save_detached",
           [](const TableHandle& t, const py::object& path) { t.table->save(text_of_path(path)); })
      .def_static("_load_detached",
                  [](const py::object& path) {
                    TableHandle handle = load(text_of_path(path));
                    handle.file.clear();
                    return handle;
                  })
      .def_static(
          "load", [](const py::object& path) { return load(text_of_path(path)); }, py::arg("path"))
      .def("__reduce__", reduce)
      .def("__repr__", [](const TableHandle& t) {
        return "<lodestar.Table: " + std::to_string(t.table->potentials()) + " potentials of " +
               std::to_string(t.table->node_count()) + " nodes, " + t.table->origin().method + ">";
      });

  module.def("fit", run_fit, py::arg("graph"), py::kw_only(), py::arg("seconds") = 10.0,
             py::arg("rounds") = 0, py::arg("queries") = py::none(), py::arg("potentials") = 16,
             py::arg("seed") = 1, py::arg("threads") = 1, py::arg("progress") = false, R"(
Learn potentials for one graph; every answer with them stays optimal, found faster.

``rounds`` above 0 takes the place of ``seconds``: the same result on every machine.
``queries`` is a pair (sources, targets) like those to come; uniform pairs otherwise. ``progress``
is True for a line on standard error, or a function (round, seconds, expansions). Ctrl-C keeps the
best so far.

>>> import lodestar
>>> g = lodestar.generate("road", 500, seed=1)
>>> r = lodestar.Router(g, lodestar.fit(g, seconds=0.2))
>>> r.path(0, 400).proven
True
)");
  module.def(
      "landmarks",
      [](const GraphPointer& graph, std::uint32_t potentials, const std::string& method,
         std::uint64_t seed) {
        LandmarkOptions options;
        options.potentials = potentials;
        options.method = parse_landmark_method(method);
        options.seed = seed;
        const py::gil_scoped_release unlocked;
        return TableHandle{
            std::make_shared<const PotentialTable>(landmark_table(graph->graph(), options)), {}, 0};
      },
      py::arg("graph"), py::kw_only(), py::arg("potentials") = 16, py::arg("method") = "avoid",
      py::arg("seed") = 1, "The classical baseline: distances from landmarks (ALT).");
  module.def("generate", make_graph, py::arg("family"), py::arg("nodes"), py::kw_only(),
             py::arg("seed") = 0, py::arg("density") = "dense", py::arg("draw") = "or",
             py::arg("obstacles") = 0.2, py::arg("degree") = 8.0, R"(
A graph by specification: family "er", "grid", "geometric" or "road"; the same seed, the same graph.

>>> import lodestar
>>> lodestar.generate("er", 16, seed=7).nodes
16
)");
}

}  // namespace lodestar::python
