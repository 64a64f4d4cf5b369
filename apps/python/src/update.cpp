// Router.update: other weights for some arcs, in milliseconds.
#include <algorithm>

#include "arrays.h"
#include "interruption.h"
#include "lodestar/cch.h"
#include "lodestar/index.h"
#include "lodestar/weight_changes.h"
#include "metrics.h"
#include "router_handle.h"

namespace lodestar::python {
namespace {

GraphPointer copy_without_file(const GraphHandle& handle) {
  auto out = std::make_shared<GraphHandle>(handle);
  out->mapped.clear();
  out->lazy = std::make_shared<Lazy>();
  return out;
}

// An index is prepared for changes when the first one comes; a graph without small separators is
// contracted again each time.
std::shared_ptr<const Index> customized(RouterHandle& r, const Graph& graph) {
  const std::shared_ptr<const Index> before = r.options.index;
  std::shared_ptr<const Index> flexible = r.flexible;
  const Unlocked unlocked;
  if (flexible == nullptr) {
    try {
      flexible = std::make_shared<const Index>(before->flexible());
    } catch (const TooManyShortcuts&) {
      return std::make_shared<const Index>(before->customized(graph));
    }
  }
  return std::make_shared<const Index>(flexible->customized(graph, {.seconds = 0, .quick = true}));
}

void update(RouterHandle& r, const py::object& arcs, const py::object& weights) {
  const GraphPointer graph = with_some_weights(*r.graph, arcs, weights);
  RouterOptions options = r.options;
  options.metrics = graph->file.metrics;
  if (options.index != nullptr) {
    options.index = customized(r, graph->graph());
    if (options.index->facts().flexible) r.flexible = options.index;
  }
  Router router = without_gil([&] { return Router(graph->graph(), options); });
  py::list arguments(r.arguments);  // unpickled with an index for other weights, it is customized
  arguments[0] = graph;
  r.graph = graph;
  r.options = std::move(options);
  r.router = std::move(router);
  r.by_bound.clear();
  r.arguments = py::tuple(arguments);
}

}  // namespace

GraphPointer with_all_weights(const GraphHandle& handle, std::vector<double> weights) {
  const Graph& graph = handle.graph();
  const GraphPointer out = copy_without_file(handle);
  out->closed = GraphHandle::close_weights(weights, graph.node_count());
  if (!handle.keys.is_none()) {  // parallel arcs are sorted by their weights
    const py::array_t<double> by_arc(static_cast<py::ssize_t>(weights.size()), weights.data());
    out->keys = py::module_::import("lodestar._convert")
                    .attr("sorted_keys")(csr(handle)[0], csr(handle)[1], by_arc, handle.keys);
  }
  const Unlocked unlocked;
  out->file.graph = graph.with_weights(weights);
  if (!out->file.metrics.empty()) {
    out->file.metrics = lodestar::with_weights(handle.file.metrics, graph, weights);
  }
  return out;
}

GraphPointer with_some_weights(const GraphHandle& handle, const py::object& arcs,
                               const py::object& weights) {
  const Graph& graph = handle.graph();
  const std::vector<NodeId> changed =
      node_array(arcs, static_cast<NodeId>(graph.arc_count()), "arcs");
  const auto numbers = number_array(weights, "weights");
  std::vector<double> values(numbers.data(), numbers.data() + numbers.size());
  if (values.size() != changed.size()) {
    throw Error("arcs and weights must be of one length; they have " +
                std::to_string(changed.size()) + " and " + std::to_string(values.size()));
  }
  // Parallel arcs may change places, and their keys and metrics with them.
  const bool simple = handle.closed == 0 && std::all_of(values.begin(), values.end(), is_weight) &&
                      std::none_of(changed.begin(), changed.end(),
                                   [&](ArcIndex arc) { return may_be_parallel(graph, arc); });
  if (simple) {
    const GraphPointer out = copy_without_file(handle);
    const Unlocked unlocked;
    out->file.graph = lodestar::with_weights(graph, changed, values);
    return out;
  }
  std::vector<double> all = graph.weights();
  for (double& w : all) {
    if (handle.is_closed(w)) w = kInfinity;
  }
  for (std::size_t i = 0; i < changed.size(); ++i) all[changed[i]] = values[i];
  return with_all_weights(handle, std::move(all));
}

void bind_update(RouterClass& router) {
  router.def("update", update, py::arg("arcs"), py::arg("weights"), R"(
Give some arcs other weights, for all queries that begin afterwards. ``arcs`` are positions in the
order of :meth:`Graph.csr`; an infinite weight closes an arc. :attr:`graph` is then a new graph.

An index is customized. The first update prepares it, which takes about as long as building it;
later ones take milliseconds.

>>> import lodestar
>>> r = lodestar.Router(lodestar.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.0, 3.0]))
>>> r.update([0], [9.0])
>>> r.path(0, 2).cost
3.0
)");
}

}  // namespace lodestar::python
