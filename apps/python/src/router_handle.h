// A Router as Python holds it. Its graph and weights may be replaced (update()): every call copies
// what it uses while it holds Python's lock.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "filled.h"
#include "graph_handle.h"
#include "interruption.h"
#include "lodestar/index.h"
#include "lodestar/router.h"

namespace lodestar::python {

struct RouterHandle {
  using Filled = RouterHandle;
  GraphPointer graph;
  RouterOptions options;
  Router router;
  std::string note;                                 // what had to be done to the index
  py::object arguments;                             // of the constructor, for pickling
  std::shared_ptr<const Index> flexible = nullptr;  // prepared for changing weights by update()

  RouterHandle(GraphPointer g, RouterOptions o, std::string n, py::object a)
      : graph(std::move(g)),
        options(std::move(o)),
        router(graph->graph(), options),
        note(n.empty() ? router.note() : std::move(n)),
        arguments(std::move(a)) {}

  // The same router with another bound. Created on first use, then kept.
  Router with_bound(double bound) {
    if (bound == options.bound) return router;
    if (!(bound >= 0)) throw Error("the bound must be a number of at least 0; 0.05 allows 5 %");
    const auto found = by_bound.find(bound);
    if (found != by_bound.end()) return found->second;
    RouterOptions other = options;
    other.bound = bound;
    if (by_bound.size() >= 8) by_bound.clear();
    return by_bound.emplace(bound, Router(graph->graph(), std::move(other))).first->second;
  }

  std::map<double, Router> by_bound;
};

using RouterClass = py::class_<RouterHandle, std::shared_ptr<RouterHandle>>;
void bind_making(py::module_& module, RouterClass& router);  // the constructor; router_making.cpp
void bind_paths(RouterClass& router);                        // router_paths.cpp
void bind_reach(RouterClass& router);                        // reach.cpp
void bind_update(RouterClass& router);                       // update.cpp

// Arguments of queries; router_paths.cpp.
BatchOptions batch_options(const py::object& threads);
std::vector<Query> queries_of(const RouterHandle& r, const py::object& sources,
                              const py::object& targets);
Router chosen(RouterHandle& r, const py::object& bound);
// Null: a query without preferences. Arcs that the graph closes are closed for the query as well.
std::shared_ptr<const Preferences> wishes(const RouterHandle& r, const py::object& preferences,
                                          const py::object& bound);

// One node, or several in a list, a range or an array; router.cpp.
std::vector<NodeId> roots_of(const RouterHandle& r, const py::object& node);

}  // namespace lodestar::python
