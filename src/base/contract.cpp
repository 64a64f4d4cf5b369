#include "lodestar/detail/contract.h"

namespace lodestar::detail {

void refuse_node(NodeId v, NodeId nodes) {
  throw Error("node " + std::to_string(v) + " is out of range; the graph has " +
              std::to_string(nodes) + " nodes");
}

void refuse_estimate(NodeId v, double value) {
  throw Error("the heuristic returned " + std::to_string(value) + " at node " + std::to_string(v) +
              "; estimates must be finite (use a large number if the target is unreachable)");
}

void refuse_misfit(NodeId heuristic_nodes, NodeId graph_nodes) {
  throw Error("the heuristic was made for a graph with " + std::to_string(heuristic_nodes) +
              " nodes, but this graph has " + std::to_string(graph_nodes) +
              "; make the heuristic for this graph");
}

void check_potentials(std::size_t potentials, NodeId nodes) {
  if (potentials == nodes) return;
  throw Error("there are " + std::to_string(potentials) + " potentials for " +
              std::to_string(nodes) + " nodes; give one per node");
}

void check_factor(double value, const char* what) {
  if (value >= 0 && value <= std::numeric_limits<double>::max()) return;
  throw Error(std::string(what) + " is " + std::to_string(value) +
              "; it must be finite and at least 0");
}

}  // namespace lodestar::detail
