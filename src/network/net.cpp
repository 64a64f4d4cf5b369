#include "network/net.h"

#include <algorithm>
#include <cmath>

namespace lodestar::detail {
namespace {

// Products of weights are computed once, in double precision.
struct Dense {
  std::size_t rows, cols;
  std::vector<double> values;
  double& at(std::size_t r, std::size_t c) { return values[r * cols + c]; }
  double at(std::size_t r, std::size_t c) const { return values[r * cols + c]; }
};

Dense rows_of(const Matrix& matrix, std::size_t begin, std::size_t count) {
  Dense out{count, matrix.cols, {}};
  const auto from = matrix.values.begin() + static_cast<std::ptrdiff_t>(begin * matrix.cols);
  out.values.assign(from, from + static_cast<std::ptrdiff_t>(count * matrix.cols));
  return out;
}

Dense product(const Dense& a, const Dense& b) {
  Dense out{a.rows, b.cols, std::vector<double>(a.rows * b.cols, 0.0)};
  for (std::size_t r = 0; r < a.rows; ++r) {
    for (std::size_t k = 0; k < a.cols; ++k) {
      for (std::size_t c = 0; c < b.cols; ++c) out.at(r, c) += a.at(r, k) * b.at(k, c);
    }
  }
  return out;
}

void write(const Dense& from, float* to, std::size_t stride) {
  for (std::size_t r = 0; r < from.rows; ++r) {
    for (std::size_t c = 0; c < from.cols; ++c) {
      to[r * stride + c] = static_cast<float>(from.at(r, c));
    }
  }
}

// The inputs of each kind of node with pos = 0, from features.h: [4 × F].
Dense kind_inputs(const FeatureConfig& features) {
  GraphInput three;
  three.nodes = 3;
  const std::size_t inputs = features.node_inputs();
  Dense out{kKinds, inputs, std::vector<double>(kKinds * inputs)};
  std::vector<float> x(3 * inputs);
  const auto take = [&](Query query, NodeId node, Kind kind) {
    node_input(three, features, query, x);
    for (std::size_t f = 0; f < inputs; ++f) {
      out.at(kind, f) = features.pos && f == 0 ? 0 : static_cast<double>(x[node * inputs + f]);
    }
  };
  take({0, 1}, 2, kPlain);
  take({0, 1}, 0, kSource);
  take({0, 1}, 1, kTarget);
  take({0, 0}, 0, kSourceAndTarget);
  return out;
}

Listeners listeners_of(const GraphInput& input) {
  Listeners out{std::vector<ArcIndex>(std::size_t{input.nodes} + 1),
                std::vector<NodeId>(input.sender.size() - input.nodes)};
  const auto for_arcs = [&](auto&& visit) {
    for (NodeId v = 0; v < input.nodes; ++v) {
      for (ArcIndex e = input.first[v] + 1; e < input.first[v + 1]; ++e) visit(input.sender[e], v);
    }
  };
  for_arcs([&](NodeId sender, NodeId) { ++out.first[sender + 1]; });
  for (NodeId v = 0; v < input.nodes; ++v) out.first[v + 1] += out.first[v];
  std::vector<ArcIndex> at(out.first.begin(), out.first.end() - 1);
  for_arcs([&](NodeId sender, NodeId receiver) { out.node[at[sender]++] = receiver; });
  return out;
}

}  // namespace

NetWeights::NetWeights(const Model& model)
    : hidden(model.config.hidden),
      message(model.config.message),
      hidden_p(kernels::padded(hidden)),
      message_p(kernels::padded(message)),
      width(2 * message_p + hidden_p),
      heads(model.config.heads),
      kind_y(heads),
      pos_y(heads),
      kind_part(kKinds * width),
      hidden_part(hidden * width),
      edge(message_p),
      self(message_p),
      update(message * hidden_p),
      y_new(heads * hidden_p),
      y_old(heads * hidden_p) {
  const FeatureConfig& features = model.config.features;
  const Dense encoder = rows_of(model.matrix("node_encoder"), 0, features.node_inputs());
  const Dense kinds = kind_inputs(features);
  if (features.pos) pos_part.resize(width);

  // Receive, send, self: [z, h] W = x (encoder W_z) + h W_h.
  const auto part = [&](const char* name, const char* bias, std::size_t at) {
    const Matrix& matrix = model.matrix(name);
    const Dense from_x = product(encoder, rows_of(matrix, 0, hidden));
    Dense from_kind = product(kinds, from_x);
    if (bias != nullptr) {
      const Matrix& added = model.matrix(bias);
      for (std::size_t k = 0; k < kKinds; ++k) {
        for (std::size_t c = 0; c < from_kind.cols; ++c) {
          from_kind.at(k, c) += static_cast<double>(added.values[c]);
        }
      }
    }
    write(from_kind, kind_part.data() + at, width);
    write(rows_of(matrix, hidden, hidden), hidden_part.data() + at, width);
    if (features.pos) {
      for (std::size_t c = 0; c < from_x.cols; ++c) {
        pos_part[at + c] = static_cast<float>(from_x.at(0, c));
      }
    }
  };
  part("message.receiver", "message.bias", 0);
  part("message.sender", nullptr, send_at());
  part("update.self", "update.bias", self_at());
  write(rows_of(model.matrix("update.message"), 0, message), update.data(), hidden_p);

  const Dense edges = product(rows_of(model.matrix("edge_encoder"), 0, features.edge_inputs()),
                              rows_of(model.matrix("message.edge"), 0, hidden));
  for (std::size_t c = 0; c < message; ++c) {
    edge[c] = static_cast<float>(edges.at(0, c));
    if (features.hints) self[c] = static_cast<float>(edges.at(1, c));
  }
  const auto further = [&](const char* what, std::uint32_t layers, std::size_t size,
                           std::vector<Layer>& out) {
    const std::size_t stride = kernels::padded(size);
    for (std::uint32_t k = 2; k <= layers; ++k) {
      Layer layer{Floats(size * stride), Floats(stride)};
      const std::string name = what + std::to_string(k);
      write(rows_of(model.matrix(name + ".weight"), 0, size), layer.weight.data(), stride);
      write(rows_of(model.matrix(name + ".bias"), 0, 1), layer.bias.data(), stride);
      out.push_back(std::move(layer));
    }
  };
  further("message.", model.config.message_layers, message, more_layers);
  further("update.", model.config.update_layers, hidden, more_update);

  const Matrix& decoder = model.matrix("y_decoder");  // [z, h', h]
  const Dense y_from_x = product(encoder, rows_of(decoder, 0, hidden));
  const Dense y_of_kind = product(kinds, y_from_x);
  for (std::size_t k = 0; k < heads; ++k) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      kind_y[k][kind] = static_cast<float>(y_of_kind.at(kind, k));
    }
    if (features.pos) pos_y[k] = static_cast<float>(y_from_x.at(0, k));
    for (std::size_t c = 0; c < hidden; ++c) {
      y_new[k * hidden_p + c] = decoder.values[(hidden + c) * heads + k];
      y_old[k * hidden_p + c] = decoder.values[(2 * hidden + c) * heads + k];
    }
  }
}

NetOnGraph::NetOnGraph(const Model& model, const Graph& graph, const NetOptions& options)
    : weights(model),
      input(graph_input(graph, model.config.features)),
      pos(model.config.features.pos),
      steps(options.steps != 0 ? options.steps : model.config.steps),
      settle(static_cast<float>(model.config.settle)),
      collapses(options.collapse && steps == 1 && weights.more_layers.empty() &&
                weights.more_update.empty() && weights.heads == 1),
      y_factor((options.scale != 0 ? options.scale : model.config.y_scale) * input.y_unit),
      plain((pos ? std::size_t{input.nodes} : 1) * weights.width),
      plain_stride(pos ? weights.width : 0) {
  if (!std::isfinite(y_factor)) throw Error("the scale of y is not finite");
  if (model.config.y_scale_most > 0 && options.scale == 0 && !collapses) {
    scale_least = model.config.y_scale;
    scale_most = model.config.y_scale_most;
    y_factor = input.y_unit;
  }
  if (settle > 0) listeners = listeners_of(input);
  for (NodeId v = 0; v < (pos ? input.nodes : 1); ++v) {
    write_part(v, kPlain, plain.data() + v * plain_stride);
  }
  if (collapses) collapse = collapse_of(*this);
}

float NetOnGraph::pos_of(NodeId v) const {
  return static_cast<float>(static_cast<double>(v) / input.nodes);
}

void NetOnGraph::write_part(NodeId v, Kind kind, float* part) const {
  const float* of_kind = weights.kind_part.data() + kind * weights.width;
  if (!pos) {
    std::copy_n(of_kind, weights.width, part);
    return;
  }
  const float at = pos_of(v);
  for (std::size_t j = 0; j < weights.width; ++j) part[j] = of_kind[j] + at * weights.pos_part[j];
}

float NetOnGraph::features_y(NodeId v, Kind kind, std::size_t head) const {
  const float of_kind = weights.kind_y[head][kind];
  return pos ? of_kind + pos_of(v) * weights.pos_y[head] : of_kind;
}

void require_net(const NetOnGraph* net) {
  if (net == nullptr) throw Error("this net was moved; use the object it was moved to");
}

void NetOnGraph::check(Query query) const {
  if (query.source < input.nodes && query.target < input.nodes) return;
  throw Error("query " + std::to_string(query.source) + " -> " + std::to_string(query.target) +
              " has a node out of range; the graph has " + std::to_string(input.nodes) + " nodes");
}

float NetOnGraph::network_y(NodeId v, Kind kind, const float* h_new, const float* h_old,
                            std::size_t head) const {
  const std::size_t at = head * weights.hidden_p;
  float y =
      features_y(v, kind, head) + kernels::dot(weights.hidden_p, h_new, weights.y_new.data() + at);
  if (h_old != nullptr) y += kernels::dot(weights.hidden_p, h_old, weights.y_old.data() + at);
  return y;
}

double NetOnGraph::potential(NodeId v, Kind kind, const float* h_new, const float* h_old,
                             std::size_t head) const {
  return y_factor * static_cast<double>(network_y(v, kind, h_new, h_old, head));
}

}  // namespace lodestar::detail
