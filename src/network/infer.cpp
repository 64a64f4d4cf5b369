#include "lodestar/infer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "lodestar/detail/parallel.h"
#include "network/net.h"

namespace lodestar {
namespace {

using detail::Kind;
using detail::kind_of;
using detail::kPlain;
using detail::NetMemory;
using detail::NetOnGraph;
using kernels::Then;

constexpr std::size_t kTileRows = 48;  // messages computed at a time when they have more layers

// Sets the rows of source and target, and resets those of the previous query.
void patch_start(const NetOnGraph& net, NetMemory& memory, Query query) {
  const std::size_t width = net.weights.width;
  const auto write = [&](NodeId v, Kind kind) {
    if (v != kNoNode) net.write_part(v, kind, memory.start.data() + v * width);
  };
  write(memory.patched.source, kPlain);
  write(memory.patched.target, kPlain);
  write(query.source, kind_of(query.source, query));
  write(query.target, kind_of(query.target, query));
  memory.patched = query;
}

// Messages with more than one layer: one product per arc, in tiles. best [Mp] gets the maximum.
void deep_message(const NetOnGraph& net, NetMemory& memory, const float* parts, NodeId v,
                  float* best) {
  const auto& w = net.weights;
  const GraphInput& input = net.input;
  const std::size_t mp = w.message_p;
  std::fill_n(best, mp, 0.0f);  // a message is a relu: never below 0
  for (ArcIndex begin = input.first[v]; begin < input.first[v + 1]; begin += kTileRows) {
    const ArcIndex end = std::min<ArcIndex>(begin + kTileRows, input.first[v + 1]);
    float* row = memory.tile[0].data();
    for (ArcIndex e = begin; e < end; ++e, row += mp) {
      const float* send = parts + input.sender[e] * w.width + w.send_at();
      const bool self_loop = e == input.first[v];
      std::fill_n(row, mp, -std::numeric_limits<float>::infinity());
      kernels::take_message(mp, send, self_loop ? 1.0f : input.weight[e],
                            self_loop ? w.self.data() : w.edge.data(), row);
      kernels::add_relu(mp, parts + v * w.width, row, row);
    }
    std::size_t now = 0;
    for (const auto& layer : w.more_layers) {
      kernels::multiply(end - begin, w.message, mp, {memory.tile[now].data(), mp},
                        {layer.weight.data(), mp}, {layer.bias.data(), 0},
                        {memory.tile[1 - now].data(), mp}, Then::kRelu);
      now = 1 - now;
    }
    for (ArcIndex e = begin; e < end; ++e) {
      kernels::take_message(mp, memory.tile[now].data() + (e - begin) * mp, 0, w.edge.data(), best);
    }
  }
}

// Lists the nodes that reach the target: y of the others may change for ever, and serves no search.
// Returns the number of steps in which the target's messages reach them.
std::uint32_t list_counted(const NetOnGraph& net, NetMemory& memory, NodeId target) {
  std::vector<std::uint8_t>& seen = memory.seen;
  seen.assign(net.input.nodes, 0);
  memory.counted.assign(1, target);
  seen[target] = 1;
  std::uint32_t hops = 0;
  for (std::size_t i = 0, ring_end = 1; i < memory.counted.size(); ++i) {
    if (i == ring_end) {
      ring_end = memory.counted.size();
      ++hops;
    }
    const NodeId u = memory.counted[i];
    for (ArcIndex e = net.listeners.first[u]; e < net.listeners.first[u + 1]; ++e) {
      const NodeId v = net.listeners.node[e];
      if (seen[v] != 0) continue;
      seen[v] = 1;
      memory.counted.push_back(v);
    }
  }
  return hops;
}

// Compares y with that of the last comparison, and keeps it for the next.
bool has_settled(const NetOnGraph& net, NetMemory& memory, Query query) {
  const std::size_t hp = net.weights.hidden_p, heads = net.weights.heads;
  const bool first = memory.steps == kSettleSteps;
  if (first) memory.settled_y.resize(net.input.nodes * heads);
  const auto head_at = [&](NodeId v, std::size_t k) {
    return net.network_y(v, kind_of(v, query), memory.next.data() + v * hp,
                         memory.h.data() + v * hp, k);
  };
  float largest = 0;
  for (std::size_t k = 0; k < heads; ++k) {
    const float at_target = head_at(query.target, k);
    for (const NodeId v : memory.counted) {
      const float y = head_at(v, k) - at_target;
      float& before = memory.settled_y[v * heads + k];
      largest = std::max(largest, std::abs(y - before));
      before = y;
    }
  }
  return !first && largest <= net.settle;
}

// All nodes, all steps. Afterwards memory.next is h' and memory.h is h of the last step.
void forward(const NetOnGraph& net, NetMemory& memory, Query query) {
  const auto& w = net.weights;
  const std::size_t n = net.input.nodes;
  patch_start(net, memory, query);
  memory.steps = 0;
  std::uint32_t steps = net.steps;
  if (net.settle > 0) {
    steps = std::min(steps, most_steps(list_counted(net, memory, query.target)));
  }
  for (std::uint32_t step = 0; step < steps; ++step) {
    check_stop();
    const float* parts = memory.start.data();  // h = 0
    if (step > 0) {
      std::swap(memory.h, memory.next);
      kernels::multiply(n, w.hidden, w.width, {memory.h.data(), w.hidden_p},
                        {w.hidden_part.data(), w.width}, {memory.start.data(), w.width},
                        {memory.parts.data(), w.width}, Then::kNothing);
      parts = memory.parts.data();
    }
    if (w.more_layers.empty()) {
      kernels::max_messages(0, n, w.message_p, net.rows(), {parts, w.width},
                            {parts + w.send_at(), w.width}, w.edge.data(), w.self.data(),
                            {memory.message.data(), w.message_p});
    } else {
      for (NodeId v = 0; v < n; ++v) {
        if (v % 64 == 0) check_stop();
        deep_message(net, memory, parts, v, memory.message.data() + v * w.message_p);
      }
    }
    kernels::multiply(n, w.message, w.hidden_p, {memory.message.data(), w.message_p},
                      {w.update.data(), w.hidden_p}, {parts + w.self_at(), w.width},
                      {memory.next.data(), w.hidden_p}, Then::kRelu);
    for (const auto& layer : w.more_update) {
      kernels::multiply(n, w.hidden, w.hidden_p, {memory.next.data(), w.hidden_p},
                        {layer.weight.data(), w.hidden_p}, {layer.bias.data(), 0},
                        {memory.between.data(), w.hidden_p}, Then::kRelu);
      std::swap(memory.next, memory.between);
    }
    ++memory.steps;
    if (net.settle > 0 && memory.steps % kSettleSteps == 0 && has_settled(net, memory, query)) {
      break;
    }
  }
}

// y of the final states. Heads are combined relative to their values at the target:
// the minimum of y_v,k - y_t,k gives the maximum of the heuristics.
void decode(const NetOnGraph& net, const NetMemory& memory, Query query, std::span<double> y) {
  const std::size_t hp = net.weights.hidden_p;
  const auto head_at = [&](NodeId v, std::size_t head) {
    return net.potential(v, kind_of(v, query), memory.next.data() + v * hp,
                         net.steps > 1 ? memory.h.data() + v * hp : nullptr, head);
  };
  const bool several = net.weights.heads > 1;
  for (std::size_t k = 0; k < net.weights.heads; ++k) {
    const double at_target = several ? head_at(query.target, k) : 0;
    for (NodeId v = 0; v < net.input.nodes; ++v) {
      const double value = head_at(v, k) - at_target;
      y[v] = k == 0 ? value : std::min(y[v], value);
    }
  }
}

void check_finite(std::span<const double> y) {
  for (const double value : y) {
    if (!std::isfinite(value)) {
      throw Error("the model's potentials are not finite on this graph; choose another model");
    }
  }
}

}  // namespace

PotentialNet::PotentialNet(const Model& model, const Graph& graph, const NetOptions& options)
    : net_(std::make_shared<const NetOnGraph>(model, graph, options)) {}

NodeId PotentialNet::node_count() const {
  detail::require_net(net_.get());
  return net_->input.nodes;
}
std::uint32_t PotentialNet::steps() const {
  detail::require_net(net_.get());
  return net_->steps;
}
bool PotentialNet::collapses() const {
  detail::require_net(net_.get());
  return net_->collapses;
}

PotentialNet::Workspace::Workspace(const PotentialNet& net)
    : memory_(std::make_unique<NetMemory>()) {
  detail::require_net(net.net_.get());
  const NetOnGraph& on = *net.net_;
  memory_->net = net.net_;
  if (on.collapses) {
    memory_->lazy = std::make_unique<LazyPotential>(net);
    return;
  }
  const std::size_t n = on.input.nodes;
  const auto& w = on.weights;
  memory_->start.resize(n * w.width);
  for (NodeId v = 0; v < n; ++v) {
    std::copy_n(on.plain_part(v), w.width, memory_->start.data() + v * w.width);
  }
  if (on.steps > 1) memory_->parts.resize(n * w.width);
  memory_->message.resize(n * w.message_p);
  memory_->next.resize(n * w.hidden_p);
  if (on.steps > 1) memory_->h.resize(n * w.hidden_p);
  if (!w.more_update.empty()) memory_->between.resize(n * w.hidden_p);
  if (!w.more_layers.empty()) {
    for (auto& tile : memory_->tile) tile.resize(kTileRows * w.message_p);
  }
}
PotentialNet::Workspace::~Workspace() = default;
PotentialNet::Workspace::Workspace(Workspace&&) noexcept = default;
PotentialNet::Workspace& PotentialNet::Workspace::operator=(Workspace&&) noexcept = default;

std::uint32_t PotentialNet::Workspace::steps() const {
  return memory_ ? memory_->steps : 0;
}

void PotentialNet::potentials(Query query, Workspace& work, std::span<double> y) const {
  detail::require_net(net_.get());
  const NetOnGraph& net = *net_;
  net.check(query);
  if (!work.memory_ || work.memory_->net != net_) {
    throw Error("the workspace belongs to another net; make one for each net");
  }
  if (y.size() < net.input.nodes) {
    throw Error("y has room for " + std::to_string(y.size()) + " potentials, but the graph has " +
                std::to_string(net.input.nodes) + " nodes");
  }
  NetMemory& memory = *work.memory_;
  if (memory.lazy) {
    memory.lazy->begin(query);
    for (NodeId v = 0; v < net.input.nodes; ++v) {
      if (v % 64 == 0) check_stop();
      y[v] = memory.lazy->potential(v);
    }
  } else {
    forward(net, memory, query);
    decode(net, memory, query, y);
    if (net.scale_most > 0) {
      const double scale = fitted_scale(net.input, y, net.scale_least, net.scale_most);
      for (double& value : y.first(net.input.nodes)) value *= scale;
    }
  }
  check_finite(y.first(net.input.nodes));
}

void PotentialNet::potentials(std::span<const Query> queries, std::span<double> y,
                              unsigned threads) const {
  const std::size_t n = node_count();
  if (y.size() < queries.size() * n) {
    throw Error("y has room for " + std::to_string(y.size()) + " potentials, but " +
                std::to_string(queries.size()) + " queries need " +
                std::to_string(queries.size() * n));
  }
  std::vector<std::optional<Workspace>> work(thread_count(threads));
  parallel_for(queries.size(), threads, [&](std::size_t i, std::size_t worker) {
    if (!work[worker]) work[worker].emplace(*this);
    potentials(queries[i], *work[worker], y.subspan(i * n, n));
  });
}

}  // namespace lodestar
