// A trained network: its matrices and its configuration. Reading and using it needs no torch.
//
//   const Model model = load_model("deep");                   // embedded, or a file's path
//   const Matrix& w = model.matrix("update.self");            // [2H × H]
//
// The network (the paper's encode-process-decode; row vectors, x W). H hidden, M message size,
// F_n node inputs, F_e edge inputs (src/network/features.h), h_v = 0 before the first step:
//
//   z_v  = x_v node_encoder                                    node_encoder     [F_n × H]
//   z_e  = x_e edge_encoder                                    edge_encoder     [F_e × H]
//   each of `steps` times, for every node v at once:
//   φ(v, u, e) = relu([z_v, h_v] message.receiver              message.receiver [2H × M]
//                   + [z_u, h_u] message.sender                message.sender   [2H × M]
//                   + z_e message.edge + message.bias)         message.edge     [H × M]
//                                                              message.bias     [1 × M]
//                followed for k = 2 … message_layers by
//                relu(· message.k.weight + message.k.bias)     message.k.weight [M × M]
//                                                              message.k.bias   [1 × M]
//   m_v  = max over the arcs e = (u -> v) of the input, self-loop included, of φ(v, u, e)
//          (one layer: relu(a_v + max_u (b_u + c_e)), no product per arc)
//   h'_v = relu([z_v, h_v] update.self                         update.self      [2H × H]
//             + m_v update.message + update.bias)              update.message   [M × H]
//                                                              update.bias      [1 × H]
//                followed for k = 2 … update_layers by
//                relu(· update.k.weight + update.k.bias)       update.k.weight  [H × H]
//                                                              update.k.bias    [1 × H]
//   y_v  = [z_v, h'_v, h_v] y_decoder                          y_decoder        [3H × K]
//
// With `settle` above 0 the network was trained for a fixed point. Every kSettleSteps steps
// y_v,k - y_t,k of all nodes and heads are compared with those of the last comparison; the steps
// end when none has changed by more than `settle` network units, or after
// most_steps(hops of the graph and target) or `steps` steps.
// The result after the last step, times y_scale and the input's y_unit, is a potential. With
// y_scale_most above 0 the scale is the largest from y_scale to y_scale_most that violates no arc.
// A model with K > 1 heads predicts K potentials and combines them as y_v = min over k of (y_v,k -
// y_t,k), so its heuristic is the maximum of the heads' heuristics. Models with hints are used with
// one step and the initial hints, as in the paper. If `predecessor` is on, the network also learns
// the predecessor pointer of Dijkstra's algorithm, which scores u for v as
//   [z_v, h_v, h'_v] predecessor.query · [z_u, h_u, h'_u] predecessor.key    both [3H × H]
// and is used in training only.
//
// On disk: safetensors, float32, metadata "lodestar" (format version), "config", "provenance"
// (JSON texts) and "shape_hash". A file whose tensors do not match its config is rejected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/types.h"

namespace lodestar {

// Along: messages come from predecessors, as in the paper. Against: they come from successors,
// which suits the distance to a target.
enum class MessageDirection : std::uint8_t { kAlong, kAgainst };

struct FeatureConfig {
  bool pos = true;
  bool hints = true;
  MessageDirection direction = MessageDirection::kAlong;
  bool degree_normalisation = false;
  double reference_degree = 8.7;  // mean degree of the paper's training graphs (dense, 16 nodes)
  double reach = 0;               // largest distance in network units; 0: not limited

  std::size_t node_inputs() const { return (pos ? 1u : 0u) + 2u + (hints ? 4u : 0u); }
  std::size_t edge_inputs() const { return hints ? 2u : 1u; }
  friend bool operator==(const FeatureConfig&, const FeatureConfig&) = default;
};
std::string to_string(MessageDirection direction);             // "along", "against"
MessageDirection parse_message_direction(const std::string&);  // throws Error

inline constexpr std::uint32_t kSettleSteps = 4;
// The bound on the steps of such a network, if messages from the target take `hops` steps to reach
// every node that they reach.
inline constexpr std::uint32_t most_steps(std::uint32_t hops) {
  return 2 * hops + 24;
}

struct ModelConfig {
  std::string preset = "paper";  // for display only
  std::uint32_t hidden = 90;     // H
  std::uint32_t message = 90;    // M
  std::uint32_t message_layers = 1;
  std::uint32_t update_layers = 1;
  std::uint32_t steps = 1;  // at inference, at most
  double settle = 0;        // inference ends when no y changes by more; 0: after all steps
  std::uint32_t heads = 1;  // K
  bool predecessor = true;
  FeatureConfig features;
  double y_scale = 1;       // selected on validation graphs
  double y_scale_most = 0;  // above 0: fitted per query from y_scale up to this
  friend bool operator==(const ModelConfig&, const ModelConfig&) = default;
};

struct Matrix {
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  std::vector<float> values;  // [rows × cols], row by row
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

struct MatrixShape {
  std::string name;
  std::uint32_t rows;
  std::uint32_t cols;
};

// All matrices of a model with this config, in the order of the file.
std::vector<MatrixShape> model_shapes(const ModelConfig& config);

struct Model {
  ModelConfig config;
  std::map<std::string, Matrix, std::less<>> matrices;
  std::string provenance = "{}";  // JSON: how the model was trained

  const Matrix& matrix(std::string_view name) const;  // one of model_shapes
  std::size_t parameter_count() const;

  // Throws Error if the matrices differ from model_shapes(config) or a number is not finite.
  void check(const std::string& where) const;
};

// Hashes of 16 hexadecimal digits. shape_hash covers the config without preset and y_scale;
// content_hash also covers y_scale and all numbers. Both ignore the provenance.
std::string shape_hash(const ModelConfig& config);
std::string content_hash(const Model& model);

std::string model_bytes(const Model& model);  // the file's content
// `where` names the source in errors. Throws Error if the model is malformed or not finite.
Model parse_model(std::span<const std::byte> bytes, const std::string& where);
Model read_model(const std::string& path);
// Writes the file atomically.
void write_model(const Model& model, const std::string& path);

// The config as JSON text, and back. Unknown fields and wrong types throw Error.
std::string config_json(const ModelConfig& config);
ModelConfig parse_config(const std::string& json, const std::string& where);

// Pretrained models inside the library. Each file of learn/models/ has a name such as
// "paper-0123abcd"; "paper", "deep" and "swift" select the default model of each preset.
struct EmbeddedModel {
  std::string_view name;    // "paper-0123abcd"
  std::string_view preset;  // "paper"
  bool is_default;          // the result of load_model(preset)
  std::span<const std::byte> bytes;
};
std::span<const EmbeddedModel> embedded_models();

// Loads a model by the name of an embedded model or preset, or by the path of a file.
Model load_model(const std::string& name_or_path);

}  // namespace lodestar
