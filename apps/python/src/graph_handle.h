// A Graph as Python holds it: with the names its nodes go by and the file it came from.
//
// A graph that was read from, or saved to, Lodestar's own format is pickled as that file's path and
// its fingerprint. Any other is pickled as what such a file would hold.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "filled.h"
#include "lodestar/graph_io.h"
#include "lodestar/places.h"

namespace lodestar::python {

namespace py = pybind11;

// Made of a graph when it is first needed.
struct Lazy {
  std::mutex mutex;
  std::unique_ptr<const Places> places;
  std::uint64_t fingerprint = 0;  // 0: not yet known
  std::optional<CostUnit> unit;
  std::unordered_map<std::int64_t, NodeId> node_of_id;  // of OpenStreetMap
  std::vector<ArcIndex> closed_arcs;
};

struct GraphHandle {
  using Filled = GraphHandle;
  GraphFile file;
  std::string mapped;  // path of the .lsg that holds this very graph; empty: none
  // In a graph made from networkx or igraph, nodes are named by their labels there.
  py::object labels = py::none();    // list, by node
  py::object index_of = py::none();  // dict: label -> node

  // Keys of the edges of a networkx multigraph, by arc; None for other graphs.
  py::object keys = py::none();
  // Arcs of infinite weight are stored with this one, which no other path costs. Costs as large are
  // infinite. 0: there are no such arcs.
  double closed = 0;

  // Belongs to the weights: a copy with others needs its own.
  std::shared_ptr<Lazy> lazy = std::make_shared<Lazy>();

  const Graph& graph() const { return file.graph; }
  // A hash of arcs, weights, metrics and coordinates, to tell whether two graphs are equal.
  std::uint64_t fingerprint() const;
  const Places& places() const;  // places.cpp
  CostUnit unit() const;

  // A node as the user names it: a label where there are labels, otherwise a number. Throws Error.
  NodeId node(const py::handle& name) const;
  // A node by the name in its file, or by its id of OpenStreetMap; kNoNode if there is none.
  NodeId find(const std::string& name) const;
  // Many of them.
  std::vector<NodeId> nodes(const py::handle& names, const std::string& what) const;
  bool is_closed(Cost cost) const { return closed > 0 && cost >= closed; }
  const std::vector<ArcIndex>& closed_arcs() const;
  // The largest limit of a search that uses no closed arc.
  double open_limit(double limit) const { return closed > 0 ? std::min(limit, closed / 2) : limit; }
  // Makes costs over closed arcs infinite, and what belongs to them kNoNode.
  void close(std::span<Cost> costs, std::span<NodeId> first = {},
             std::span<NodeId> second = {}) const;
  // Replaces infinite weights and returns the weight of closed arcs; 0 if there are none.
  static double close_weights(std::span<double> weights, NodeId nodes);

  // The other way: one node, or an array of nodes (a list where there are labels).
  py::object label(NodeId v) const;
  py::object names(std::vector<NodeId>&& nodes) const;
};

using GraphPointer = std::shared_ptr<GraphHandle>;

}  // namespace lodestar::python
