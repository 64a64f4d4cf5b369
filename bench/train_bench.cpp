// A training step of the preset paper against the naive version of the same network: arcs
// concatenated, one matrix product per arc, scatter-amax, all from plain torch operations.
//
//   build/bench/train_bench [--rounds N]
//
// Both are timed in one run, taking turns; the ratio of the medians is what counts. Prints the
// difference of the two losses first: they are the same network.
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/harness/program.h"
#include "bench/harness/statistics.h"
#include "bench/harness/turns.h"
#include "learn/train/dataset.h"
#include "learn/train/loss.h"
#include "learn/train/net.h"
#include "learn/train/optimizer.h"
#include "learn/train/torch.h"

namespace {

using namespace lodestar;
using namespace lodestar::learn;

// Receiver of each arc of the input, [E].
at::Tensor receivers(const Batch& batch) {
  const auto counts = (batch.first.slice(0, 1) - batch.first.slice(0, 0, -1)).to(torch::kLong);
  return torch::repeat_interleave(torch::arange(batch.nodes), counts);
}

struct NaiveOutput {
  at::Tensor y;       // [T × N]
  at::Tensor scores;  // [T × B × n × n]
};

NaiveOutput naive_forward(const Net& net, const Batch& batch) {
  const std::int64_t h = net.config().hidden, n = batch.nodes;
  const auto receiver = receivers(batch), sender = batch.sender.to(torch::kLong);
  const auto message_weight =
      torch::cat({net.parameter("message.receiver"), net.parameter("message.sender"),
                  net.parameter("message.edge")});  // [5H × M]
  const auto update_weight =
      torch::cat({net.parameter("update.self"), net.parameter("update.message")});  // [2H+M × H]
  auto hidden = torch::zeros({n, h});
  std::vector<at::Tensor> y, pointer;
  for (std::int64_t t = 0; t < batch.steps; ++t) {
    const auto z = batch.x[t].matmul(net.parameter("node_encoder"));
    const auto edges = torch::stack({batch.weight, batch.pi[t]}, 1);
    const auto z_e = edges.matmul(net.parameter("edge_encoder"));
    const auto node = torch::cat({z, hidden}, 1);
    const auto arc =
        torch::cat({node.index_select(0, receiver), node.index_select(0, sender), z_e}, 1);
    const auto message = torch::addmm(net.parameter("message.bias"), arc, message_weight).relu();
    const auto index = receiver.unsqueeze(1).expand_as(message);
    const auto m = torch::zeros({n, message.size(1)})
                       .scatter_reduce(0, index, message, "amax", /*include_self=*/false);
    const auto next =
        torch::addmm(net.parameter("update.bias"), torch::cat({node, m}, 1), update_weight).relu();
    y.push_back(torch::cat({z, next, hidden}, 1).matmul(net.parameter("y_decoder")).squeeze(1));
    pointer.push_back(torch::cat({z, hidden, next}, 1));
    hidden = next;
  }
  const auto all = torch::stack(pointer);  // [T × N × 3H]
  const auto sides = [&](const char* name) {
    return all.matmul(net.parameter(name)).view({-1, batch.widest, h});
  };
  const auto scores =
      torch::bmm(sides("predecessor.query"), sides("predecessor.key").transpose(1, 2));
  return {torch::stack(y), scores.view({batch.steps, batch.graphs, batch.widest, batch.widest})};
}

at::Tensor naive_loss(const Net& net, const Batch& batch, const TrainOptions& options) {
  const NaiveOutput out = naive_forward(net, batch);
  const auto shares = step_shares(batch, 0);
  return (options.objective_weight * objective_term(out.y, batch, shares) +
          options.penalty_weight * penalty_term(out.y, batch, shares, options.penalty) +
          options.lambda * norm_term(out.y, batch, shares) +
          options.cross_entropy_weight * cross_entropy_term(out.scores, batch)) /
         static_cast<double>(batch.graphs);
}

int measure(int rounds) {
  mallopt(M_MMAP_MAX, 0);  // as the program does, to both sides' benefit
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  at::set_num_threads(1);
  TrainOptions options = preset_options("paper-tuned");
  options.train_graphs = options.batch;
  options.validation[0].count = 1;
  options.scale_graphs.clear();
  const Dataset data = load_dataset(options);
  std::vector<const Sample*> samples;
  for (const Sample& sample : data.train) samples.push_back(&sample);
  const Batch batch = make_training_batch(samples, options);
  Net net(options.model, 1);
  Descent descent(net.parameters(), options);

  const double fused_value = training_loss(net, batch, options).total.item<double>();
  const double naive_value = naive_loss(net, batch, options).item<double>();
  std::printf("loss %.6f, naive %.6f, difference %.1e\n", fused_value, naive_value,
              std::abs(fused_value - naive_value));
  const bench::Times times = bench::time_in_turns(2, {.turns = rounds}, [&](std::size_t i, int) {
    if (i == 0) {
      naive_loss(net, batch, options).backward();
    } else {
      training_loss(net, batch, options).total.backward();
    }
    descent.step(1e-6);
  });
  const double naive = 1e3 * bench::median(times[0]), fused = 1e3 * bench::median(times[1]);
  std::printf("step of %lld graphs, %lld steps: %.1f ms, naive %.1f ms, ratio %.2f\n",
              static_cast<long long>(batch.graphs), static_cast<long long>(batch.steps), fused,
              naive, naive / fused);
  return std::abs(fused_value - naive_value) < 1e-3 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 15;
  CLI::App app("A training step beside the naive version of the same network", "train_bench");
  app.add_option("--rounds", rounds)->check(CLI::PositiveNumber);
  return bench::run_program(app, argc, argv, [&] { return measure(rounds); });
}
