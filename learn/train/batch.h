// Several samples as one disjoint union, with consecutive node numbers.
// B graphs of any sizes, N nodes, E arcs of the input, C arcs of the graphs, T steps.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>

#include "learn/train/dataset.h"

namespace lodestar::learn {

struct Batch {
  std::int64_t graphs = 0;  // B
  std::int64_t nodes = 0;   // N
  std::int64_t steps = 0;   // T
  double settle = 0;        // above 0: the steps end when nothing changes by more
  std::int64_t widest = 0;  // nodes of the largest graph

  at::Tensor x;               // [T × N × F_n] with hints, otherwise [1 × N × F_n]
  at::Tensor first;           // [N + 1] int32, rows of the input by receiver
  at::Tensor sender;          // [E] int32
  at::Tensor receiver;        // [E] int64
  at::Tensor weight;          // [E], network units
  at::Tensor pi;              // [T × E] with hints, otherwise undefined
  bool own_pointers = false;  // x and pi are those of the first step; later pi are the network's

  at::Tensor source, target;    // [B] int64, node numbers of the union
  at::Tensor starts;            // [N], share of each node in the objective; undefined: sources
  at::Tensor tail, head;        // [C] int64, the graphs' own arcs: the constraints
  at::Tensor limit;             // [C], network units
  at::Tensor arc_graph;         // [C] int64
  at::Tensor node_graph;        // [N] int64
  at::Tensor slot;              // [N] int64, graph · widest + node of the graph
  at::Tensor step_weight;       // [T × B], 1 / (steps of the graph), 0 beyond them
  at::Tensor predecessor;       // [T × N] int64 within the graph; undefined without trajectories
  at::Tensor node_step_weight;  // [T × N], step_weight / nodes of the graph
};

// Train: the steps the options ask for, or so many when the samples are part of a batch that needs
// more. Infer: config.steps with the initial hints.
Batch make_training_batch(std::span<const Sample* const> samples, const TrainOptions& options,
                          std::int64_t steps = 0);
// The steps of a batch of these samples.
std::int64_t training_steps(std::span<const Sample* const> samples, const TrainOptions& options);
Batch make_inference_batch(std::span<const Sample* const> samples, const ModelConfig& config);

}  // namespace lodestar::learn
