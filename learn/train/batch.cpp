#include "learn/train/batch.h"

#include <algorithm>

#include "learn/train/torch.h"

namespace lodestar::learn {
namespace {

torch::Tensor floats(at::IntArrayRef shape) {
  return torch::zeros(shape, torch::kFloat);
}
torch::Tensor longs(at::IntArrayRef shape) {
  return torch::zeros(shape, torch::kLong);
}
torch::Tensor ints(at::IntArrayRef shape) {
  return torch::zeros(shape, torch::kInt);
}

// Steps judged at least, in training for a fixed point.
constexpr std::int64_t kJudgedSteps = 16;

std::int64_t steps_of(const Sample& sample, const TrainOptions& options) {
  if (options.fewest_steps > 0) return sample.hops + kJudgedSteps;
  if (options.train_steps > 0) return options.train_steps;
  return static_cast<std::int64_t>(sample.trajectory.steps());
}

// The parts that do not depend on steps.
Batch join_graphs(std::span<const Sample* const> samples) {
  Batch batch;
  batch.graphs = static_cast<std::int64_t>(samples.size());
  std::int64_t inputs = 0, arcs = 0;
  for (const Sample* sample : samples) {
    const std::int64_t n = sample->graph.node_count();
    batch.nodes += n;
    batch.widest = std::max(batch.widest, n);
    inputs += static_cast<std::int64_t>(sample->input.sender.size());
    arcs += static_cast<std::int64_t>(sample->graph.arc_count());
  }
  batch.first = ints({batch.nodes + 1});
  batch.sender = ints({inputs});
  batch.receiver = longs({inputs});
  batch.weight = floats({inputs});
  batch.source = longs({batch.graphs});
  batch.target = longs({batch.graphs});
  batch.tail = longs({arcs});
  batch.head = longs({arcs});
  batch.limit = floats({arcs});
  batch.arc_graph = longs({arcs});
  batch.node_graph = longs({batch.nodes});
  batch.slot = longs({batch.nodes});

  auto* first = batch.first.data_ptr<std::int32_t>();
  auto* sender = batch.sender.data_ptr<std::int32_t>();
  auto* receiver = batch.receiver.data_ptr<std::int64_t>();
  auto* weight = batch.weight.data_ptr<float>();
  auto* tail = batch.tail.data_ptr<std::int64_t>();
  auto* head = batch.head.data_ptr<std::int64_t>();
  auto* limit = batch.limit.data_ptr<float>();
  auto* arc_graph = batch.arc_graph.data_ptr<std::int64_t>();
  auto* node_graph = batch.node_graph.data_ptr<std::int64_t>();
  auto* slot = batch.slot.data_ptr<std::int64_t>();
  std::int64_t node = 0, edge = 0, arc_index = 0;
  for (std::int64_t g = 0; g < batch.graphs; ++g) {
    const Sample& sample = *samples[static_cast<std::size_t>(g)];
    const GraphInput& input = sample.input;
    batch.source.data_ptr<std::int64_t>()[g] = node + sample.query.source;
    batch.target.data_ptr<std::int64_t>()[g] = node + sample.query.target;
    for (std::size_t e = 0; e < input.sender.size(); ++e) {
      sender[edge + static_cast<std::int64_t>(e)] =
          static_cast<std::int32_t>(node + input.sender[e]);
      weight[edge + static_cast<std::int64_t>(e)] = input.weight[e];
    }
    for (NodeId v = 0; v < input.nodes; ++v) {
      first[node + v] = static_cast<std::int32_t>(edge + input.first[v]);
      std::fill(receiver + edge + input.first[v], receiver + edge + input.first[v + 1], node + v);
      node_graph[node + v] = g;
      slot[node + v] = g * batch.widest + v;
      for (const Arc arc : sample.graph.arcs(v)) {
        tail[arc_index] = node + v;
        head[arc_index] = node + arc.head;
        limit[arc_index] = static_cast<float>(arc.weight * input.weight_unit);
        arc_graph[arc_index++] = g;
      }
    }
    node += input.nodes;
    edge += static_cast<std::int64_t>(input.sender.size());
  }
  first[batch.nodes] = static_cast<std::int32_t>(edge);
  return batch;
}

// Fills x and, with hints, pi; `hinted` tells whether frames of trajectories are used.
void fill_inputs(Batch& batch, std::span<const Sample* const> samples,
                 const FeatureConfig& features, bool hinted) {
  const auto width = static_cast<std::int64_t>(features.node_inputs());
  const std::int64_t copies = features.hints && !batch.own_pointers ? batch.steps : 1;
  const std::int64_t edges = batch.sender.size(0);
  batch.x = floats({copies, batch.nodes, width});
  if (features.hints) batch.pi = floats({copies, edges});
  for (std::int64_t t = 0; t < copies; ++t) {
    float* x = batch.x.data_ptr<float>() + t * batch.nodes * width;
    float* pi = features.hints ? batch.pi.data_ptr<float>() + t * edges : nullptr;
    for (const Sample* sample : samples) {
      const std::size_t size = sample->input.nodes * features.node_inputs();
      HintView view;
      if (hinted) {
        // Beyond the end the last frame stays; such steps have no weight.
        view = sample->trajectory.frame(
            std::min(static_cast<std::size_t>(t), sample->trajectory.steps()));
      }
      node_input(sample->input, features, sample->query, {x, size}, hinted ? &view : nullptr);
      x += size;
      if (pi) {
        const std::size_t count = sample->input.sender.size();
        predecessor_input(sample->input, {pi, count}, hinted ? &view : nullptr);
        pi += count;
      }
    }
  }
}

}  // namespace

std::int64_t training_steps(std::span<const Sample* const> samples, const TrainOptions& options) {
  std::int64_t steps = 0;
  for (const Sample* sample : samples) steps = std::max(steps, steps_of(*sample, options));
  return steps;
}

Batch make_training_batch(std::span<const Sample* const> samples, const TrainOptions& options,
                          std::int64_t steps) {
  Batch batch = join_graphs(samples);
  batch.steps = std::max(steps, training_steps(samples, options));
  batch.own_pointers = !options.teacher_forcing;
  fill_inputs(batch, samples, options.model.features,
              options.model.features.hints && options.teacher_forcing);
  batch.step_weight = floats({batch.steps, batch.graphs});
  batch.node_step_weight = floats({batch.steps, batch.nodes});
  if (options.objective == Objective::kAll) {
    batch.starts = floats({batch.nodes});
    float* share = batch.starts.data_ptr<float>();
    for (const Sample* sample : samples) {
      share = std::copy(sample->starts.begin(), sample->starts.end(), share);
    }
  }
  const bool imitate = options.cross_entropy_weight > 0;
  if (imitate) batch.predecessor = longs({batch.steps, batch.nodes});
  std::int64_t node = 0;
  for (std::int64_t g = 0; g < batch.graphs; ++g) {
    const Sample& sample = *samples[static_cast<std::size_t>(g)];
    const bool settles = options.fewest_steps > 0;
    const std::int64_t own_steps = settles ? batch.steps : steps_of(sample, options);
    const std::int64_t n = sample.graph.node_count(), first = settles ? sample.hops : 0;
    for (std::int64_t t = first; t < own_steps; ++t) {
      const float weight = 1.0f / static_cast<float>(own_steps - first);
      batch.step_weight.data_ptr<float>()[t * batch.graphs + g] = weight;
      float* node_weight = batch.node_step_weight.data_ptr<float>() + t * batch.nodes + node;
      std::fill(node_weight, node_weight + n, weight / static_cast<float>(n));
      if (!imitate) continue;
      const auto after = std::min(static_cast<std::size_t>(t) + 1, sample.trajectory.steps());
      const HintView frame = sample.trajectory.frame(after);
      std::copy(frame.pi.begin(), frame.pi.end(),
                batch.predecessor.data_ptr<std::int64_t>() + t * batch.nodes + node);
    }
    node += n;
  }
  return batch;
}

Batch make_inference_batch(std::span<const Sample* const> samples, const ModelConfig& config) {
  Batch batch = join_graphs(samples);
  batch.steps = config.steps;
  if (config.settle > 0) {
    std::uint32_t hops = 0;
    for (const Sample* sample : samples) hops = std::max(hops, sample->hops);
    batch.steps = std::min(config.steps, most_steps(hops));
  }
  batch.settle = config.settle;
  fill_inputs(batch, samples, config.features, false);
  return batch;
}

}  // namespace lodestar::learn
