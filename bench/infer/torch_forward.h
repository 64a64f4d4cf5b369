// libtorch's forward pass of a model, behind an interface that shows no torch.
#pragma once

#include <memory>
#include <span>

#include "lodestar/graph.h"
#include "lodestar/model.h"

namespace lodestar::bench {

class TorchForward {
 public:
  virtual ~TorchForward() = default;
  virtual void set_query(Query query) = 0;     // not timed
  virtual void run() = 0;                      // the forward pass
  virtual void read(std::span<double> y) = 0;  // potentials of the last run
};

// On one thread, without gradients. Null when built without torch.
// Plain: the equations of model.h as a user of libtorch would write them (per-arc messages by
// index_select, maximum by segment_reduce). Training: the project's own training network, with its
// products multiplied through and its fused maximum.
std::unique_ptr<TorchForward> make_plain_torch(const Model& model, const Graph& graph);
std::unique_ptr<TorchForward> make_training_torch(const Model& model, const Graph& graph);

}  // namespace lodestar::bench
