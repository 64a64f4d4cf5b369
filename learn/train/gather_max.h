// The message step in one kernel, for one-layer messages, with its gradient.
//
// In: q [N × (2M + H)], per node the receiver's part a, the sender's part b and the update's own
// part s. Out: m [N × M] with
//   m_v = relu(a_v + max over the row of v of (b_u + w_e alpha + pi_e beta))
// and s. Per arc this reads M numbers and makes none; plain operations would make E × M.
// The gradient goes to the argmax alone, as that of max does; of equal ones the first.
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>

namespace lodestar::learn {

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
