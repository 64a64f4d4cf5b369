// Potentials: trained by fit(), from landmarks, from a file. Also graphs by specification.
#include "lodestar/fit.h"

#include <pybind11/stl.h>

#include "arrays.h"
#include "bindings.h"
#include "graph_handle.h"
#include "interruption.h"
#include "lodestar/detail/parallel.h"
#include "lodestar/fit_family.h"
#include "lodestar/generate.h"
#include "potentials_handle.h"
#include "training_request.h"

namespace lodestar::python {
namespace {

// A family with one unnamed metric is plain potentials.
PotentialsHandle handle_of(PotentialFamily family, std::string file) {
  PotentialsHandle made{family.knots()[0].potentials, std::move(file), 0};
  if (family.knots().size() > 1 || !family.metrics()[0].empty()) {
    made.family = std::make_shared<const PotentialFamily>(std::move(family));
  }
  return made;
}

PotentialsHandle load(const std::string& path) {
  const Unlocked unlocked;
  return handle_of(PotentialFamily::load(path), absolute(path));
}

void save_potentials(PotentialsHandle& handle, const py::object& path) {
  const std::string name = text_of_path(path);
  without_gil([&] { handle.save(name); });
  handle.file = absolute(name);
}

// Potentials in a file are pickled as its path, others as the bytes of such a file.
py::tuple reduce_potentials(const py::object& self) {
  const auto& handle = self.cast<const PotentialsHandle&>();
  const py::object pickle = py::module_::import("lodestar._pickle");
  const auto [path, bytes] = pickled(self, handle.file);
  return py::make_tuple(pickle.attr("potentials"), py::make_tuple(path, bytes));
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
  GeneratedGraph made = generate_with_metrics(spec);
  handle->file.graph = std::move(made.graph);
  handle->file.metrics = std::move(made.metrics);
  handle->file.names = NodeNames::numbered(0, handle->graph().node_count());
  return handle;
}

// Potentials for all blends of several metrics.
PotentialsHandle fit_blends(const TrainingRequest& request, const FamilyOptions& options) {
  Interruption interrupted;
  FamilyHooks hooks;
  hooks.progress = [&](double share, const std::string& doing) { request.tell(share, doing); };
  hooks.stop = [&] { return interrupted(); };
  PotentialsHandle made;
  {
    const py::gil_scoped_release unlocked;
    FamilyResult fitted =
        fit_family(request.graph->graph(), request.graph->file.metrics, options, hooks);
    made = handle_of(std::move(fitted.family), "");
    for (const KnotReport& knot : fitted.knots) {
      made.expansions += knot.expansions / static_cast<double>(fitted.knots.size());
    }
  }
  request.tell_end();
  return made;
}

PotentialsHandle run_fit(const GraphPointer& graph, double seconds, const py::object& rounds,
                         const py::object& queries, const py::object& per_node,
                         const py::object& seed, const py::object& threads,
                         const py::object& progress, const std::vector<std::string>& metrics,
                         const py::object& knots, int bits, const py::kwargs& unknown) {
  reject_keywords("fit", unknown);
  const TrainingRequest request(graph, seconds, rounds, queries, per_node, seed, threads, progress);
  if (bits != 32 && bits != 16) throw Error("bits must be 32 or 16");
  const FitOptions options{.potential_count = request.per_node,
                           .seed = request.seed,
                           .threads = request.threads,
                           .seconds = request.seconds,
                           .rounds = request.rounds,
                           .kind = request.log.empty() ? QueryKind::kUniform : QueryKind::kLog,
                           .log = request.log};
  std::vector<std::string> named = metrics;
  const Metrics& known = graph->file.metrics;
  if (!named.empty() && known.empty()) throw Error("this graph has no metrics");
  const bool has_own = std::any_of(named.begin(), named.end(), [&](const std::string& name) {
    return name == known.metrics[0].name;
  });
  if (!named.empty() && !has_own) named.insert(named.begin(), known.metrics[0].name);
  if (named.size() > 1) {
    return fit_blends(request, {.metrics = named,
                                .knots = knots.is_none() ? 0 : whole<std::size_t>(knots, "knots"),
                                .bits = bits,
                                .fit = options});
  }
  if (!knots.is_none()) throw Error("knots are for several metrics; give metrics as well");
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
    if (bits == 16) fitted.potentials = fitted.potentials.in_16_bits(request.graph->graph());
    made.potentials = std::make_shared<const Potentials>(std::move(fitted.potentials));
  }
  request.tell_end();
  return made;
}

PotentialsHandle run_landmarks(const GraphPointer& graph, const py::object& per_node,
                               const std::string& method, const py::object& seed,
                               const py::kwargs& unknown) {
  reject_keywords("landmarks", unknown);
  LandmarkOptions options;
  options.potential_count = whole<std::uint32_t>(per_node, "per_node", 1, 4096);
  options.method = parse_landmark_method(method);
  options.seed = whole<std::uint64_t>(seed, "seed");
  const Unlocked unlocked;
  return {std::make_shared<const Potentials>(landmark_potentials(graph->graph(), options)), {}, 0};
}

// Shares of the stored weights; the first one of each knot is 1.
py::list knots_of(const PotentialsHandle& handle) {
  py::list out;
  if (handle.family == nullptr) return out;
  for (const Knot& knot : handle.family->knots()) {
    double unit = 0;
    py::dict blend;
    for (std::size_t i = 0; i < knot.blend.size(); ++i) {
      if (knot.blend[i] == 0) continue;
      if (unit == 0) unit = knot.blend[i];
      blend[py::str(handle.family->metrics()[i])] = knot.blend[i] / unit;
    }
    out.append(blend);
  }
  return out;
}

}  // namespace

TrainingRequest::TrainingRequest(const GraphPointer& given, double time, const py::object& most,
                                 const py::object& queries, const py::object& count,
                                 const py::object& origin, const py::object& workers,
                                 py::object report)
    : graph(given),
      seconds(time),
      rounds(whole<std::uint64_t>(most, "rounds")),
      per_node(whole<std::uint32_t>(count, "per_node", 1, 4096)),
      seed(whole<std::uint64_t>(origin, "seed")),
      threads(thread_count(threads_of(workers))),
      progress(std::move(report)) {
  if (rounds == 0 && !(seconds >= 0)) throw Error("seconds must be at least 0");
  if (queries.is_none()) return;
  if (py::len(queries) != 2) throw Error("queries is a pair of arrays: sources and targets");
  const auto s = graph->nodes(queries[py::int_(0)], "sources");
  const auto t = graph->nodes(queries[py::int_(1)], "targets");
  if (s.size() != t.size()) throw Error("queries: sources and targets must have the same length");
  if (s.empty()) throw Error("queries is empty; leave it out for uniform pairs");
  for (std::size_t i = 0; i < s.size(); ++i) log.push_back({s[i], t[i]});
}

// True and False, or None: in a terminal or notebook, from the third second on.
bool TrainingRequest::shows() const {
  if (py::isinstance<py::bool_>(progress)) return progress.cast<bool>();
  if (!progress.is_none()) return false;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  if (passed.count() < 2) return false;
  const py::module_ sys = py::module_::import("sys");
  if (sys.attr("modules").contains("ipykernel")) return true;
  const py::object out = sys.attr("stderr");
  return !out.is_none() && py::hasattr(out, "isatty") && out.attr("isatty")().cast<bool>();
}

void TrainingRequest::show(const py::object& line) const {
  const py::object out = py::module_::import("sys").attr("stderr");
  out.attr("write")(line);
  out.attr("flush")();
  shown = true;
}

void TrainingRequest::tell(const char* stage, std::uint64_t round, double passed,
                           double expansions) const {
  const py::gil_scoped_acquire locked;
  if (shows()) {
    show(py::str("\r{}, round {}, {:.0f} s, {:.0f} expansions ")
             .format(stage, round, passed, expansions));
  } else if (PyCallable_Check(progress.ptr()) != 0) {
    progress(round, passed, expansions);
  }
}

void TrainingRequest::tell(double share, const std::string& doing) const {
  const py::gil_scoped_acquire locked;
  if (shows()) {
    show(py::str("\r{:.0%} {}        ").format(share, doing));
  } else if (PyCallable_Check(progress.ptr()) != 0) {
    progress(share, doing);
  }
}

void TrainingRequest::tell_end() const {
  if (shown) py::module_::import("sys").attr("stderr").attr("write")("\n");
}

void reject_keywords(const char* function, const py::kwargs& unknown) {
  if (unknown.empty()) return;
  py::module_::import("lodestar._renamed").attr("reject_keywords")(function, unknown);
}

void bind_fit(py::module_& module) {
  py::class_<PotentialsHandle>(module, "Potentials", R"(
Potentials of every node of one graph: a consistent heuristic, so every answer is optimal.

Made by :func:`lodestar.fit` or :func:`lodestar.landmarks`. They stay exact when weights rise.

>>> import lodestar
>>> lodestar.landmarks(lodestar.from_edges([0, 1], [1, 0], [2.0, 3.0]), per_node=2).count
2
)")
      .def_property_readonly("nodes",
                             [](const PotentialsHandle& t) { return t.potentials->node_count(); })
      .def_property_readonly(
          "count", [](const PotentialsHandle& t) { return t.potentials->count(); },
          "Potentials per node.")
      .def_property_readonly("bytes",
                             [](const PotentialsHandle& t) {
                               return t.family ? t.family->bytes() : t.potentials->bytes();
                             })
      .def_property_readonly("knots", knots_of,
                             "Blends with potentials of their own, as dicts of shares of the "
                             "stored weights; empty for "
                             "one metric.")
      .def_property_readonly(
          "method", [](const PotentialsHandle& t) { return t.potentials->origin().method; })
      .def_readonly("expansions", &PotentialsHandle::expansions,
                    "Mean expansions of the held-out queries; 0 if not measured.")
      .def_readonly("file", &PotentialsHandle::file, "The file that holds them, or ''.")
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
>>> y = lodestar.landmarks(g, per_node=2).column(0)
>>> bool(y[1] - y[0] <= 2.0)
True
)")
      .def("save", save_potentials, py::arg("path"), R"(
Write them to a file (.lsp).

>>> import lodestar, tempfile
>>> potentials = lodestar.landmarks(lodestar.generate("road", 500, seed=1), per_node=2)
>>> with tempfile.TemporaryDirectory() as folder:
...     potentials.save(folder + "/road.lsp")
)")
      .def("_save_detached",
           [](const PotentialsHandle& t, const py::object& path) { t.save(text_of_path(path)); })
      .def("_detach", [](PotentialsHandle& t) { t.file.clear(); })
      .def_static(
          "load", [](const py::object& path) { return load(text_of_path(path)); }, py::arg("path"),
          R"(
Read a file (.lsp).

>>> import lodestar, tempfile
>>> potentials = lodestar.landmarks(lodestar.generate("road", 500, seed=1), per_node=2)
>>> with tempfile.TemporaryDirectory() as folder:
...     potentials.save(folder + "/road.lsp")
...     lodestar.Potentials.load(folder + "/road.lsp").count
2
)")
      .def("__reduce__", reduce_potentials)
      .def("__repr__", [](const PotentialsHandle& t) {
        return "<lodestar.Potentials: " +
               (t.family ? std::to_string(t.family->knots().size()) + " knots, " : "") +
               std::to_string(t.potentials->count()) + " for each of " +
               std::to_string(t.potentials->node_count()) + " nodes, " +
               t.potentials->origin().method + ">";
      });

  module.def("fit", run_fit, py::arg("graph"), py::kw_only(),
             py::arg("seconds") = kDefaultFitSeconds, py::arg("rounds") = 0,
             py::arg("queries") = py::none(), py::arg("per_node") = 16, py::arg("seed") = 1,
             py::arg("threads") = 1, py::arg("progress") = py::none(),
             py::arg("metrics") = std::vector<std::string>(), py::arg("knots") = py::none(),
             py::arg("bits") = 32, R"(
Learn :class:`Potentials` of one graph, for weights that belong to the request: a router with them
is exact, also after weights have risen. For fixed weights an :func:`index` is faster.

``per_node`` is the number of potentials per node. ``rounds`` above 0 replaces ``seconds``: the
result is then the same on every machine. ``queries`` is a pair (sources, targets) of typical
queries; by default pairs are uniform. ``threads=0`` uses all cores. ``progress`` is True for a line
on standard error, None for one in a terminal or notebook after two seconds, or a function
(round, seconds, expansions). Ctrl-C ends training with the best
so far; before training starts it raises KeyboardInterrupt. ``bits=16`` halves the memory.

``metrics`` names up to three metrics of the graph: the potentials then serve all blends of these and
the weight.
``knots`` is the number of blends with potentials of their own; by default as many as are needed.
``progress`` is then a function (share, text).

>>> import lodestar
>>> g = lodestar.generate("road", 500, seed=1)
>>> potentials = lodestar.fit(g, seconds=0.2)
>>> lodestar.Router(g, potentials).path(0, 400).optimal
True
)");
  module.def("landmarks", run_landmarks, py::arg("graph"), py::kw_only(), py::arg("per_node") = 16,
             py::arg("method") = "avoid", py::arg("seed") = 1, R"(
:class:`Potentials` without training: distances from landmarks (ALT), the classical baseline.

``method`` is "farthest", "avoid" or "greedy".

>>> import lodestar
>>> g = lodestar.generate("road", 500, seed=1)
>>> lodestar.Router(g, lodestar.landmarks(g, per_node=8)).path(0, 400).optimal
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
