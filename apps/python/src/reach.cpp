// What is within a limit: sums of values, and the trees of the networkx functions.
#include <algorithm>

#include "arrays.h"
#include "interruption.h"
#include "lodestar/detail/parallel.h"
#include "path_handle.h"
#include "router_handle.h"

namespace lodestar::python {
namespace {

constexpr const char* kAggregates[] = {"sum", "mean", "count", "min", "max"};

std::size_t parse_aggregate(const std::string& name) {
  const auto* found = std::find(std::begin(kAggregates), std::end(kAggregates), name);
  if (found != std::end(kAggregates)) return static_cast<std::size_t>(found - kAggregates);
  throw Error("unknown aggregate '" + name + "'; choose sum, mean, count, min or max");
}

// Aggregates the values of the nodes reached; NaN stands for a node without a value.
double aggregated(std::size_t kind, const std::vector<ReachedNode>& nodes,
                  std::span<const double> values) {
  double sum = 0, least = kInfinity, most = -kInfinity;
  std::size_t count = 0;
  for (const ReachedNode& reached : nodes) {
    const double value = values[reached.node];
    if (value != value) continue;
    ++count;
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  const auto all = static_cast<double>(count);
  if (count == 0) least = most = std::numeric_limits<double>::quiet_NaN();
  const double results[] = {sum, sum / all, all, least, most};  // 0 / 0 is NaN, too
  return results[kind];
}

py::array_t<double> reach(RouterHandle& r, const py::object& values, double limit,
                          const py::object& sources, const std::string& aggregate, bool reverse,
                          const py::object& threads) {
  const NodeId count = r.graph->graph().node_count();
  const auto numbers = number_array(values, "values");
  if (numbers.size() != static_cast<py::ssize_t>(count)) {
    throw Error("values needs one number per node: " + std::to_string(count) + ", not " +
                std::to_string(numbers.size()));
  }
  std::vector<NodeId> from;
  if (sources.is_none()) {
    for (NodeId v = 0; v < count; ++v) from.push_back(v);
  } else {
    from = r.graph->nodes(sources, "sources");
  }
  const std::size_t kind = parse_aggregate(aggregate);
  const unsigned workers = threads_of(threads);
  ReachOptions options;
  if (reverse) options.direction = Direction::kBackward;
  const std::span<const double> by_node(numbers.data(), count);
  limit = r.graph->open_limit(limit);
  const Router router = r.router;
  std::vector<double> out(from.size());
  {
    const Unlocked unlocked;
    parallel_for(from.size(), workers, [&](std::size_t i, std::size_t) {
      const Reach found = router.within(std::span(&from[i], 1), limit, options);
      out[i] = aggregated(kind, found.nodes, by_node);
    });
  }
  return adopt(std::move(out));
}

// Nodes by ascending cost, their costs, and their neighbours towards the root (-1: a root).
py::tuple tree(RouterHandle& r, const py::object& node, double limit, bool reverse) {
  const std::vector<NodeId> roots = roots_of(r, node);
  ReachOptions options;
  if (reverse) options.direction = Direction::kBackward;
  const Router router = r.router;
  auto found = without_gil([&] { return router.within(roots, limit, options); });
  const std::size_t count = found.nodes.size();
  std::vector<std::int64_t> nodes(count), parents(count);
  std::vector<double> costs(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ReachedNode& one = found.nodes[i];
    nodes[i] = one.node;
    costs[i] = one.cost;
    parents[i] = one.parent == kNoNode ? -1 : std::int64_t{one.parent};
  }
  return py::make_tuple(adopt(std::move(nodes)), adopt(std::move(costs)),
                        adopt(std::move(parents)));
}

// The path, and the nodes whose arcs it was computed from: searched forward, and backward.
py::tuple searched(RouterHandle& r, const py::object& source, const py::object& target) {
  const Query query{r.graph->node(source), r.graph->node(target)};
  const Router router = r.router;
  auto trace = without_gil([&] { return router.trace(query); });
  py::list forward, backward;
  for (const Settled& one : trace.settled) {
    (one.side == Direction::kForward ? forward : backward).append(one.node);
  }
  return py::make_tuple(PathHandle{trace.route.result, std::move(trace.route.nodes), r.graph},
                        forward, backward);
}

}  // namespace

void bind_reach(RouterClass& router) {
  router.def("reach", reach, py::arg("values"), py::arg("limit"), py::kw_only(),
             py::arg("sources") = py::none(), py::arg("aggregate") = "sum",
             py::arg("reverse") = false, py::arg("threads") = 1, R"(
For each source the sum of ``values`` over all nodes within ``limit``, such as jobs within 30 minutes.

``values`` has one number per node; NaN stands for none. By default all nodes are sources.
``aggregate`` is "sum", "mean", "count", "min" or "max". With ``reverse`` it counts the nodes from
which the source is within the limit.

>>> import lodestar
>>> r = lodestar.Router(lodestar.from_edges([0, 1], [1, 2], [2.0, 3.0]))
>>> r.reach([10, 20, 40], limit=3).tolist()
[30.0, 60.0, 40.0]
)");
  router.def("_tree", tree);
  router.def("_searched", searched);
}

}  // namespace lodestar::python
