#include "lodestar/detail/contract.h"

namespace lodestar::detail {

void refuse_node(NodeId v, NodeId nodes) {
  throw Error("node " + std::to_string(v) + " is out of range; the graph has " +
              std::to_string(nodes) + " nodes");
}

void refuse_estimate(NodeId v, double value) {
  throw Error("the heuristic says " + std::to_string(value) + " at node " + std::to_string(v) +
              "; an estimate must be a finite number (a large one where no way leads on)");
}

void refuse_misfit(NodeId heuristic_nodes, NodeId graph_nodes) {
  throw Error("the heuristic was made for a graph of " + std::to_string(heuristic_nodes) +
              " nodes, this one has " + std::to_string(graph_nodes) +
              "; make it for the graph that is searched");
}

void check_factor(double value, const char* what) {
  if (value >= 0 && value <= std::numeric_limits<double>::max()) return;
  throw Error(std::string(what) + " is " + std::to_string(value) +
              "; it must be a finite number of at least 0");
}

}  // namespace lodestar::detail
