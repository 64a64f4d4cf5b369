#include "network/features.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <queue>
#include <utility>

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

// For degree normalisation: all light arcs are kept, and heavier ones up to kHeaviest at nodes with
// few light arcs.
constexpr float kLight = 1;
constexpr float kHeaviest = 2;
constexpr std::uint32_t kFewest = 6;

// The lightest `room` of the heavy arcs at one end of a node, in order.
class LightestArcs {
 public:
  explicit LightestArcs(std::uint32_t room) : room_(room) {}

  void add(float weight) {
    if (count_ == room_ && weight >= weights_[room_ - 1]) return;
    std::uint32_t at = count_ < room_ ? count_++ : room_ - 1;
    for (; at > 0 && weights_[at - 1] > weight; --at) weights_[at] = weights_[at - 1];
    weights_[at] = weight;
  }
  float heaviest() const { return count_ > 0 ? weights_[count_ - 1] : kLight; }

 private:
  std::uint32_t room_, count_ = 0;
  std::array<float, kFewest> weights_{};
};

// Removes heavy arcs, except the kFewest lightest arcs that leave or enter a node. At nodes with
// few light arcs a shortest path may use a heavy one, and y would be far too large without it.
void leave_heavy_arcs_out(GraphInput& input) {
  const NodeId n = input.nodes;
  const auto for_arcs = [&](auto&& visit) {
    for (NodeId v = 0; v < n; ++v) {
      for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
        visit(v, n + input.sender[e], input.weight[e]);
      }
    }
  };
  // Step 1. Ends with too few light arcs: v as receiver, n + v as sender.
  std::vector<std::uint32_t> light(std::size_t{2} * n);
  for_arcs([&](std::size_t receiver, std::size_t sender, float weight) {
    const std::uint32_t one = weight <= kLight ? 1 : 0;
    light[receiver] += one;
    light[sender] += one;
  });
  // Step 2. The heaviest arc seen there: of the heavy ones as many of the lightest as are missing.
  constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> list(light.size(), kNone);
  std::vector<LightestArcs> lists;
  for (std::size_t end = 0; end < light.size(); ++end) {
    if (light[end] >= kFewest) continue;
    list[end] = static_cast<std::uint32_t>(lists.size());
    lists.emplace_back(kFewest - light[end]);
  }
  for_arcs([&](std::size_t receiver, std::size_t sender, float weight) {
    if ((list[receiver] & list[sender]) == kNone || weight <= kLight) return;
    for (const std::size_t end : {receiver, sender}) {
      if (list[end] != kNone) lists[list[end]].add(weight);
    }
  });
  std::vector<float> limit(light.size(), kLight);
  for (std::size_t end = 0; end < light.size(); ++end) {
    if (list[end] != kNone) limit[end] = lists[list[end]].heaviest();
  }
  // Step 3. The rows, closed up.
  std::size_t to = 0;
  for (NodeId v = 0; v < n; ++v) {
    const ArcIndex begin = input.first[v], end = input.first[v + 1];
    input.first[v] = static_cast<ArcIndex>(to);
    for (ArcIndex e = begin; e < end; ++e) {
      const float weight = input.weight[e];
      const NodeId sender = input.sender[e];
      input.sender[to] = sender;
      input.weight[to] = weight;
      to += weight <= std::max(limit[v], limit[std::size_t{n} + sender]) ? 1 : 0;
    }
  }
  input.first[n] = static_cast<ArcIndex>(to);
  input.sender.resize(to);
  input.weight.resize(to);
}

struct Farthest {
  NodeId node;
  double distance;
};

// The node of the input that is farthest from `start` against the messages, by Dijkstra's
// algorithm. Unreachable nodes do not count.
Farthest farthest_from(const GraphInput& input, NodeId start, std::vector<double>& distance) {
  using Entry = std::pair<double, NodeId>;
  distance.assign(input.nodes, kInfinity);
  distance[start] = 0;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.push({0, start});
  Farthest last{start, 0};
  while (!queue.empty()) {
    const auto [g, v] = queue.top();
    queue.pop();
    if (g > distance[v]) continue;
    last = {v, g};
    for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
      const double next = g + static_cast<double>(input.weight[e]);
      const NodeId u = input.sender[e];
      if (next >= distance[u]) continue;
      distance[u] = next;
      queue.push({next, u});
    }
  }
  return last;
}

// The node with the most arcs of each connected part that has at least a quarter of the nodes, and
// of the graph. Mazes often fall into two halves, and the target may be in either.
std::vector<NodeId> hubs(const GraphInput& input) {
  std::vector<NodeId> part(input.nodes);
  std::iota(part.begin(), part.end(), NodeId{0});
  const auto part_of = [&](NodeId v) {
    while (part[v] != v) v = part[v] = part[part[v]];
    return v;
  };
  for (NodeId v = 0; v < input.nodes; ++v) {
    for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
      part[part_of(v)] = part_of(input.sender[e]);
    }
  }
  const auto arcs = [&](NodeId v) { return input.first[v + 1] - input.first[v]; };
  std::vector<NodeId> size(input.nodes), hub(input.nodes, kNoNode);
  NodeId most = 0;
  for (NodeId v = 0; v < input.nodes; ++v) {
    const NodeId p = part_of(v);
    ++size[p];
    if (hub[p] == kNoNode || arcs(v) > arcs(hub[p])) hub[p] = v;
    if (arcs(v) > arcs(most)) most = v;
  }
  std::vector<NodeId> out = {most};
  for (NodeId p = 0; p < input.nodes; ++p) {
    if (hub[p] != kNoNode && hub[p] != most && 4 * std::uint64_t{size[p]} >= input.nodes) {
      out.push_back(hub[p]);
    }
  }
  return out;
}

// A lower bound on the diameter, in network units.
double estimated_diameter(const GraphInput& input) {
  if (input.nodes == 0) return 0;
  double largest = 0;
  std::vector<double> distance;
  for (const NodeId hub : hubs(input)) {
    const Farthest once = farthest_from(input, hub, distance);
    largest =
        std::max({largest, once.distance, farthest_from(input, once.node, distance).distance});
  }
  return largest;
}

// The input with all weights multiplied by `factor` as well.
GraphInput scaled_input(const Graph& graph, const FeatureConfig& config, double factor) {
  const Direction direction =
      config.direction == MessageDirection::kAlong ? Direction::kBackward : Direction::kForward;
  GraphInput input;
  input.nodes = graph.node_count();
  input.direction = config.direction;
  input.first.reserve(std::size_t{input.nodes} + 1);
  input.sender.reserve(graph.arc_count() + input.nodes);
  input.weight.reserve(graph.arc_count() + input.nodes);
  graph.visit(direction, [&](auto adjacency) {
    const double unit = unit_of(weight_statistics(adjacency, graph.arc_count()));
    double c = 1;
    if (config.degree_normalisation && graph.arc_count() > 0) {
      c = static_cast<double>(graph.arc_count()) / input.nodes / config.reference_degree;
    }
    input.weight_unit = c / unit * factor;
    input.y_unit = unit / c / factor;
    const double heaviest = config.degree_normalisation ? kHeaviest : kInfinity;
    std::vector<NodeId> sender;
    std::vector<float> weight;
    input.first.push_back(0);
    for (NodeId v = 0; v < input.nodes; ++v) {
      const auto arcs = adjacency.of(v);
      if (sender.size() < arcs.size() + 2) {
        sender.resize(2 * arcs.size() + 2);
        weight.resize(sender.size());
      }
      // A row begins with the self-loop. No branch depends on the weight, because on dense graphs
      // few arcs are kept and the branch would be unpredictable.
      sender[0] = v;
      weight[0] = 0;
      std::size_t count = 1;
      for (const auto& arc : arcs) {
        const double scaled = static_cast<double>(arc.weight) * input.weight_unit;
        sender[count] = arc.head;
        weight[count] = static_cast<float>(scaled);
        count += (arc.head != v ? 1u : 0u) & (scaled <= heaviest ? 1u : 0u);
      }
      if (config.reach > 0 && count <= kFewest && count <= arcs.size()) {
        count = 1;
        for (const auto& arc : arcs) {
          sender[count] = arc.head;
          weight[count] = static_cast<float>(static_cast<double>(arc.weight) * input.weight_unit);
          count += arc.head != v ? 1 : 0;
        }
      }
      input.sender.insert(input.sender.end(), sender.begin(), sender.begin() + count);
      input.weight.insert(input.weight.end(), weight.begin(), weight.begin() + count);
      input.first.push_back(static_cast<ArcIndex>(input.sender.size()));
    }
  });
  if (config.degree_normalisation) leave_heavy_arcs_out(input);
  return input;
}

}  // namespace

GraphInput graph_input(const Graph& graph, const FeatureConfig& config) {
  GraphInput input = scaled_input(graph, config, 1);
  if (config.reach <= 0) return input;
  const double diameter = estimated_diameter(input);
  if (diameter <= config.reach) return input;
  return scaled_input(graph, config, config.reach / diameter);
}

double fitted_scale(const GraphInput& input, std::span<const double> y, double least, double most) {
  double steepest = 0;  // rise of y ÷ weight
  const double sign = input.direction == MessageDirection::kAgainst ? 1 : -1;
  for (NodeId v = 0; v < input.nodes; ++v) {
    for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) {
      const double rise = sign * (y[input.sender[e]] - y[v]);
      const double w = static_cast<double>(input.weight[e]) * input.y_unit;
      if (rise > steepest * w && w > 0) steepest = rise / w;
    }
  }
  constexpr double kRounding = 1e-6;  // float32 weights and sums
  return steepest > 0 ? std::clamp((1 - kRounding) / steepest, least, most) : most;
}

void node_input(const GraphInput& input, const FeatureConfig& config, Query query,
                std::span<float> x, const HintView* hints) {
  const NodeId n = input.nodes;
  if (query.source >= n || query.target >= n) {
    throw Error("query " + std::to_string(query.source) + " -> " + std::to_string(query.target) +
                " has a node out of range; the graph has " + std::to_string(n) + " nodes");
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
