#include "learn/train/loss.h"

#include "learn/train/torch.h"

namespace lodestar::learn {

at::Tensor step_shares(const Batch& batch, std::int64_t first_step) {
  const auto last = batch.step_weight.slice(0, first_step);
  return last / last.sum(0, true).clamp_min(1e-12);
}

at::Tensor objective_term(const at::Tensor& y, const Batch& batch, const at::Tensor& shares) {
  if (batch.starts.defined()) {
    const auto low = y * batch.starts * shares.index_select(1, batch.node_graph);
    return low.sum() - (y.index_select(1, batch.target) * shares).sum();
  }
  return ((y.index_select(1, batch.source) - y.index_select(1, batch.target)) * shares).sum();
}

at::Tensor penalty_term(const at::Tensor& y, const Batch& batch, const at::Tensor& shares,
                        Penalty penalty) {
  const auto rise = y.index_select(1, batch.head) - y.index_select(1, batch.tail);
  const auto excess = rise - batch.limit;
  const auto violation =
      penalty == Penalty::kHinge ? excess.relu() : rise * (excess > 0).to(rise.dtype());
  return (violation * shares.index_select(1, batch.arc_graph)).sum();
}

at::Tensor norm_term(const at::Tensor& y, const Batch& batch, const at::Tensor& shares) {
  return (y * y * shares.index_select(1, batch.node_graph)).sum();
}

at::Tensor cross_entropy_term(const at::Tensor& scores, const Batch& batch) {
  const std::int64_t t = scores.size(0);
  const auto rows = scores.log_softmax(-1).view({t, batch.graphs * batch.widest, batch.widest});
  const auto own = batch.graphs * batch.widest == batch.nodes
                       ? rows
                       : rows.index_select(1, batch.slot);  // [T × N × widest]
  const auto chosen = own.gather(2, batch.predecessor.unsqueeze(2)).squeeze(2);
  return -(chosen * batch.node_step_weight).sum();
}

Loss training_loss(const Net& net, const Batch& batch, const TrainOptions& options) {
  const NetOutput out = net.forward(batch, options.loss_steps);
  const auto shares = step_shares(batch, out.first_step);
  const auto objective = objective_term(out.y, batch, shares);
  const auto penalty = penalty_term(out.y, batch, shares, options.penalty);
  const auto norm = norm_term(out.y, batch, shares);
  auto total = options.objective_weight * objective + options.penalty_weight * penalty +
               options.lambda * norm;
  Loss loss;
  const auto graphs = static_cast<double>(batch.graphs);
  if (options.cross_entropy_weight > 0) {
    loss.scores = net.predecessor_scores(batch, out);
    const auto entropy = cross_entropy_term(loss.scores, batch);
    total = total + options.cross_entropy_weight * entropy;
    loss.cross_entropy = entropy.item<double>() / graphs;
  }
  loss.objective = objective.item<double>() / graphs;
  loss.penalty = penalty.item<double>() / graphs;
  loss.norm = norm.item<double>() / graphs;
  loss.total = total / graphs;
  return loss;
}

}  // namespace lodestar::learn
