// A model prepared for a graph, shared by PotentialNet and LazyPotential.
#pragma once

#include <array>
#include <vector>

#include "lodestar/infer.h"
#include "lodestar/model.h"
#include "network/features.h"
#include "network/kernels.h"

namespace lodestar::detail {

using kernels::Floats;

// The role of a node in the query, which determines its features except pos.
enum Kind : std::uint8_t { kPlain, kSource, kTarget, kSourceAndTarget };
inline constexpr std::size_t kKinds = 4;

inline Kind kind_of(NodeId v, Query query) {
  return static_cast<Kind>((v == query.source ? kSource : kPlain) +
                           (v == query.target ? kTarget : kPlain));
}

// Products of the model's matrices, padded. The *part* of a node is one row of `width` numbers:
// receive [Mp] (with the message bias), send [Mp], self [Hp] (with the update bias).
struct NetWeights {
  explicit NetWeights(const Model& model);

  std::size_t hidden, message;  // H, M
  std::size_t hidden_p, message_p;
  std::size_t width;  // 2 Mp + Hp

  std::size_t heads;                              // K
  std::vector<std::array<float, kKinds>> kind_y;  // [K] contribution of the features to y
  std::vector<float> pos_y;                       // [K]
  Floats kind_part;                               // [4 × width] from the node features, pos = 0
  Floats pos_part;                                // [width] per unit of pos; empty without pos
  Floats hidden_part;                             // [H × width] from h
  Floats edge;                                    // [Mp] per unit of weight
  Floats self;          // [Mp] extra of a self-loop (the initial predecessor hint)
  Floats update;        // [M × Hp] from the message
  Floats y_new, y_old;  // [K × Hp] from h', h

  struct Layer {
    Floats weight;  // [M × Mp]
    Floats bias;    // [Mp]
  };
  std::vector<Layer> more_layers;  // of the message, after the first
  std::vector<Layer> more_update;  // of the update: weight [H × Hp], bias [Hp]

  std::size_t send_at() const { return message_p; }
  std::size_t self_at() const { return 2 * message_p; }
};

// For one-step nets: the arcs that can attain a maximum, and the receivers of each sender.
struct Collapse {
  std::vector<ArcIndex> first;  // [n + 1] rows as in GraphInput, the receiver itself first
  std::vector<NodeId> sender;
  std::vector<float> weight;

  std::vector<ArcIndex> listeners_first;  // [n + 1] by sender
  std::vector<NodeId> listener;
  std::vector<float> listener_weight;

  std::vector<double>
      base;  // [n] potential of a plain node without messages from source and target
};

// The receivers of each sender, in compressed sparse rows.
struct Listeners {
  std::vector<ArcIndex> first;  // [n + 1]
  std::vector<NodeId> node;
};

struct NetOnGraph {
  NetOnGraph(const Model& model, const Graph& graph, const NetOptions& options);

  NetWeights weights;
  GraphInput input;
  bool pos;
  std::uint32_t steps;
  float settle;         // 0: all steps
  Listeners listeners;  // if settle > 0
  bool collapses;
  double scale_least = 1, scale_most = 0;  // of y, fitted per query; 0: not fitted
  double y_factor;                         // potential = y_factor · network's y
  Floats plain;  // part of each plain node: [n × width] with pos, [1 × width] without
  std::size_t plain_stride;
  Collapse collapse;

  const float* plain_part(NodeId v) const { return plain.data() + v * plain_stride; }
  // Writes the part of v if it has this kind.
  void write_part(NodeId v, Kind kind, float* part) const;
  float features_y(NodeId v, Kind kind, std::size_t head) const;
  float pos_of(NodeId v) const;
  void check(Query query) const;
  // y of a finished hidden state in network units, and as a potential.
  float network_y(NodeId v, Kind kind, const float* h_new, const float* h_old,
                  std::size_t head) const;
  double potential(NodeId v, Kind kind, const float* h_new, const float* h_old,
                   std::size_t head = 0) const;
  kernels::Rows rows() const {
    return {input.first.data(), input.sender.data(), input.weight.data()};
  }
};

// Throws Error if the net was moved from.
void require_net(const NetOnGraph* net);

Collapse collapse_of(const NetOnGraph& net);

// Buffers of one thread.
struct NetMemory {
  Floats start;   // [n × width] parts before the first step; rows of the last query's ends patched
  Query patched;  // these rows
  Floats parts;   // [n × width]
  Floats message;  // [n × Mp]
  Floats h, next;  // [n × Hp]
  Floats tile[2];  // rows of messages, for nets with more layers
  Floats between;  // [n × Hp] between two layers of the update
  Floats ends;     // lazy: parts of source and target [2 × width]
  // Lazy: the messages of one node, and the inputs of its update that are not 0.
  std::vector<const float*> heard_send;  // [longest row]
  std::vector<float> heard_weight;
  std::vector<std::uint32_t> used;  // [M]
  std::uint32_t steps = 0;          // taken for the last query
  Floats settled_y;                 // [n × K] y at the last comparison, network units
  std::vector<NodeId> counted;      // nodes that are compared
  std::vector<std::uint8_t> seen;   // [n]
  std::unique_ptr<LazyPotential> lazy;
  std::shared_ptr<const NetOnGraph> net;  // the owner of this workspace
};

}  // namespace lodestar::detail
