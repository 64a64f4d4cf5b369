#include "lodestar/features.h"

#include <algorithm>
#include <cassert>

namespace lodestar {
namespace {

struct WeightStatistics {
  double largest = 0;
  double mean = 0;
};

template <class W>
WeightStatistics weight_statistics(Adjacency<W> adjacency, std::size_t arcs) {
  WeightStatistics out;
  for (std::size_t i = 0; i < arcs; ++i) {
    const double w = static_cast<double>(adjacency.arcs[i].weight);
    out.largest = std::max(out.largest, w);
    out.mean += w / static_cast<double>(arcs);  // divided first: weights may be near 1e288
  }
  return out;
}

double unit_of(const WeightStatistics& weights) {
  if (weights.largest == 0) return 1;
  if (weights.largest > 0.5 && weights.largest <= 1) return 1;
  return 2 * weights.mean;
}

}  // namespace

GraphInput graph_input(const Graph& graph, const FeatureConfig& config) {
  const Direction direction =
      config.direction == MessageDirection::kAlong ? Direction::kBackward : Direction::kForward;
  GraphInput input;
  input.nodes = graph.node_count();
  input.first.reserve(std::size_t{input.nodes} + 1);
  input.sender.reserve(graph.arc_count() + input.nodes);
  input.weight.reserve(graph.arc_count() + input.nodes);
  graph.visit(direction, [&](auto adjacency) {
    const double unit = unit_of(weight_statistics(adjacency, graph.arc_count()));
    double c = 1;
    if (config.degree_normalisation && graph.arc_count() > 0) {
      c = static_cast<double>(graph.arc_count()) / input.nodes / config.reference_degree;
    }
    input.weight_unit = c / unit;
    input.y_unit = unit / c;
    input.first.push_back(0);
    for (NodeId v = 0; v < input.nodes; ++v) {
      input.sender.push_back(v);
      input.weight.push_back(0);
      for (const auto& arc : adjacency.of(v)) {
        const double weight = static_cast<double>(arc.weight) * input.weight_unit;
        if (arc.head == v || (config.degree_normalisation && weight > 1)) continue;
        input.sender.push_back(arc.head);
        input.weight.push_back(static_cast<float>(weight));
      }
      input.first.push_back(static_cast<ArcIndex>(input.sender.size()));
    }
  });
  return input;
}

void node_input(const GraphInput& input, const FeatureConfig& config, Query query,
                std::span<float> x, const HintView* hints) {
  const NodeId n = input.nodes;
  if (query.source >= n || query.target >= n) {
    throw Error("query " + std::to_string(query.source) + " -> " + std::to_string(query.target) +
                " names a node out of range; the graph has " + std::to_string(n) + " nodes");
  }
  assert(x.size() == n * config.node_inputs());
  float* out = x.data();
  for (NodeId v = 0; v < n; ++v) {
    if (config.pos) *out++ = static_cast<float>(static_cast<double>(v) / n);
    *out++ = v == query.source ? 1.0f : 0.0f;
    *out++ = v == query.target ? 1.0f : 0.0f;
    if (!config.hints) continue;
    const bool at_source = v == query.source;
    *out++ = hints ? static_cast<float>(hints->d[v] * input.weight_unit) : 0.0f;
    *out++ = hints ? static_cast<float>(hints->mark[v]) : 0.0f;
    *out++ = (hints ? hints->in_queue[v] != 0 : at_source) ? 1.0f : 0.0f;
    *out++ = (hints ? hints->u == v : at_source) ? 1.0f : 0.0f;
  }
}

void predecessor_input(const GraphInput& input, std::span<float> pi, const HintView* hints) {
  assert(pi.size() == input.sender.size());
  for (NodeId v = 0; v < input.nodes; ++v) {
    const NodeId predecessor = hints ? hints->pi[v] : v;
    for (ArcIndex e = input.first[v]; e < input.first[v + 1]; ++e) {
      pi[e] = input.sender[e] == predecessor ? 1.0f : 0.0f;
    }
  }
}

std::string to_string(MessageDirection direction) {
  return direction == MessageDirection::kAlong ? "along" : "against";
}

MessageDirection parse_message_direction(const std::string& text) {
  if (text == "along") return MessageDirection::kAlong;
  if (text == "against") return MessageDirection::kAgainst;
  throw Error("unknown message direction '" + text + "'; choose along or against");
}

}  // namespace lodestar
