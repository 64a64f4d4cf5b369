// Computes the network's input from a graph and a query. Training and inference share this code.
//
//   const GraphInput input = graph_input(graph, config.features);        // once per graph
//   node_input(input, config.features, query, x);                        // once per query
//   … y = network(input, x) …
//   for (v) potential[v] = model.y_scale * input.y_unit * y[v];
//
// Node inputs, in this order:
//   pos (if on)  v / n
//   is_source, is_target
//   d, mark, in_queue, u (if hints are on)  as the CLRS benchmark defines them, d in network units
// Edge inputs:
//   weight, in network units
//   pi (if hints are on)  1 where the receiver's predecessor is the sender
//
// Every node has a self-loop of weight 0, first in its row, like the diagonal of the CLRS
// adjacency; so every maximum has an operand. The graph's own self-loops are on no path and are
// left out.
//
// Network units. The networks are trained on weights U[0, 1). If the largest weight of a graph lies
// in (1/2, 1], weights are used unchanged. Otherwise they are divided by twice their mean, which is
// 1 for U[0, 1). With degree normalisation, weights are multiplied by c = (arcs / n) /
// reference_degree, and the network (not the search) ignores arcs that then weigh more than 1. Near
// the target, a graph of any density then resembles the training graphs. The six lightest arcs that
// leave a node, and the six that enter it, are kept up to a weight of 2. y is multiplied by y_unit
// = unit / c.
//
// With a `reach`, weights are scaled down further on graphs whose distances would exceed it. Two
// searches over the input (from the node with the most arcs, then from the node farthest from it)
// estimate the diameter; the larger distance found becomes `reach` network units. Weights are never
// scaled up. For every target of a connected undirected graph, the farthest node then is between
// half the reach and the reach away, up to the estimate's error. A node keeps its six lightest arcs
// whatever they weigh.
#pragma once

#include <span>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/model.h"
#include "lodestar/trace.h"

namespace lodestar {

// The input graph of the network, in compressed sparse rows by receiver.
struct GraphInput {
  NodeId nodes = 0;
  std::vector<ArcIndex> first;  // [n + 1]
  std::vector<NodeId> sender;   // [first[n]], the receiver itself first in its row
  std::vector<float> weight;    // [first[n]], network units, 0 on the self-loop
  double weight_unit = 1;       // network weight = weight_unit · weight of the graph
  double y_unit = 1;            // potential = y_scale · y_unit · network's y
  MessageDirection direction = MessageDirection::kAlong;
};

GraphInput graph_input(const Graph& graph, const FeatureConfig& config);

// The largest factor of the potential y [n], within [least, most], at which no arc of the input is
// violated; one pass over the arcs. Arcs of weight 0 do not count.
double fitted_scale(const GraphInput& input, std::span<const double> y, double least, double most);

// Fills x [n × node_inputs()] row by row. If `hints` is null, a model with hints gets the initial
// state: d = mark = 0, in_queue = u = the source. Throws Error if the query is not in the graph.
void node_input(const GraphInput& input, const FeatureConfig& config, Query query,
                std::span<float> x, const HintView* hints = nullptr);

// Fills pi [arcs of the input]: 1 if the sender is the predecessor of the row's node. If `hints` is
// null, every node is its own predecessor, so the self-loops are 1.
void predecessor_input(const GraphInput& input, std::span<float> pi,
                       const HintView* hints = nullptr);

}  // namespace lodestar
