// The paper's loss, one function per term. Each is a sum over the batch's graphs of means over
// steps; the caller divides by the number of graphs. y is [S × N], the last S of T steps; step
// weights are renormalised over those. Sums over arcs and nodes, not means: with means the
// objective outweighs the penalty on larger graphs and y grows without bound.
#pragma once

#include <ATen/core/Tensor.h>

#include "learn/train/batch.h"
#include "learn/train/net.h"
#include "learn/train/options.h"

namespace lodestar::learn {

// [S × B]: share of each of the last S steps in a graph's mean; columns sum to 1.
at::Tensor step_shares(const Batch& batch, std::int64_t first_step);

// Σ y(s) - y(t), or with starts the mean of y over them instead of y(s)
at::Tensor objective_term(const at::Tensor& y, const Batch& batch, const at::Tensor& shares);
// Σ over arcs (u, v) with y(v) - y(u) > w of the excess (hinge) or of y(v) - y(u) (printed)
at::Tensor penalty_term(const at::Tensor& y, const Batch& batch, const at::Tensor& shares,
                        Penalty penalty);
// Σ y²
at::Tensor norm_term(const at::Tensor& y, const Batch& batch, const at::Tensor& shares);
// Mean over steps and nodes of -log p(predecessor); scores [T × B × n × n]
at::Tensor cross_entropy_term(const at::Tensor& scores, const Batch& batch);

struct Loss {
  at::Tensor total;  // of the batch, divided by its graphs
  double objective = 0, penalty = 0, norm = 0, cross_entropy = 0;  // likewise, without weights
  at::Tensor scores;  // of predecessors, [T × B × n × n]; undefined without imitation
};
Loss training_loss(const Net& net, const Batch& batch, const TrainOptions& options);

}  // namespace lodestar::learn
