// The network of model.h in torch: same matrices, same names, with gradients.
//
//   Net net(config, seed);
//   const NetOutput out = net.forward(batch, 2);          // y at the last two steps
//   const Model model = net.to_model();
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "learn/train/batch.h"
#include "learn/train/options.h"
#include "lodestar/model.h"

namespace lodestar::learn {

struct NetOutput {
  std::int64_t first_step = 0;  // of those y has
  at::Tensor y;                 // [T - first_step × N]
  // When the net has a predecessor decoder, at all steps:
  at::Tensor z;              // [T × N × H] with hints, otherwise [1 × N × H]
  at::Tensor before, after;  // [T × N × H], h before and after the step
  at::Tensor pi;             // [T × E], the predecessors each step heard; undefined without hints
};

class Net {
 public:
  // Parameters uniform in ±1/√(inputs of the layer), from the project's own random numbers.
  // The linear decoder of predecessors takes the place of the model's own, and is no part of it.
  //
  // The first `carry` units c carry messages unchanged: h'_v,c = max over arcs of relu(h_u,c - a_c
  // w), and h_t,c = b_c at the target, with a_c and b_c learned. The rest of their columns is fixed
  // (0, 1, and a gate that closes the target's ears); all other units and the decoder may read
  // them. Their fixed point is relu(b_c - a_c d), exactly, after any number of hops: a gain of
  // 0.999 a step would be 10 % after a hundred. The model file has the matrices with the fixed
  // entries.
  Net(const ModelConfig& config, std::uint64_t seed, Decoder decoder = Decoder::kBilinear,
      std::uint32_t carry = 0);
  explicit Net(const Model& model);

  // loss_steps: y at the last so many steps, 0 for all.
  NetOutput forward(const Batch& batch, std::int64_t loss_steps) const;

  // Scores of u as predecessor of v, [T × B × n × n] for graphs padded to n nodes.
  at::Tensor predecessor_scores(const Batch& batch, const NetOutput& out) const;

  // In the order of model_shapes; those of the linear decoder last.
  std::vector<at::Tensor>& parameters() { return parameters_; }
  const at::Tensor& parameter(const std::string& name) const {
    return parameters_[index_.at(name)];
  }
  // The matrix that is used: the parameter itself, but for the fixed entries of carrying units.
  at::Tensor matrix(const std::string& name) const;
  const ModelConfig& config() const { return config_; }
  Model to_model() const;

 private:
  void fix_carry(std::uint32_t carry);
  void add_parameter(const MatrixShape& shape, at::Tensor tensor);
  bool scores_predecessors() const { return config_.predecessor || linear_; }
  at::Tensor messages(const Batch& batch, const at::Tensor& q, const at::Tensor& alpha,
                      const at::Tensor& beta, const at::Tensor& pi, at::Tensor& own) const;
  at::Tensor bilinear_scores(const Batch& batch, const NetOutput& out) const;
  at::Tensor linear_scores(const Batch& batch, const NetOutput& out) const;
  at::Tensor chosen_pointers(const Batch& batch, const NetOutput& one_step) const;

  ModelConfig config_;
  bool linear_ = false;  // decoder of predecessors
  std::vector<at::Tensor> parameters_;
  std::map<std::string, std::size_t> index_;
  struct Fixed {
    at::Tensor learned, added;  // the matrix is parameter · learned + added, entry by entry
  };
  std::map<std::string, Fixed> fixed_;
};

// The message step in one kernel, for one-layer messages, with its gradient.
//
// In: q [N × (2M + H)], per node the receiver's part a, the sender's part b and the update's own
// part s. Out: m [N × M] with
//   m_v = relu(a_v + max over the row of v of (b_u + w_e alpha + pi_e beta))
// and s. Per arc this reads M numbers and makes none; plain operations would make E × M.
// The gradient goes to the argmax alone, as that of max does; of equal ones the first.
struct MessageRows {
  at::Tensor first;   // [N + 1] int32
  at::Tensor sender;  // [E] int32
  at::Tensor weight;  // [E]
  at::Tensor pi;      // [E] or undefined
};

// alpha, beta [M]: what a weight of 1, a predecessor pointer of 1 adds to a message.
std::pair<at::Tensor, at::Tensor> gather_max(const at::Tensor& q, const at::Tensor& alpha,
                                             const at::Tensor& beta, const MessageRows& rows);

// For messages of several layers: max over each row of values [E × M] -> [N × M].
at::Tensor segment_max(const at::Tensor& values, const at::Tensor& first);

}  // namespace lodestar::learn
