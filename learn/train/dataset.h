// The training graphs, with everything that is computed once per graph. No torch.
#pragma once

#include <vector>

#include "learn/train/options.h"
#include "lodestar/graph.h"
#include "lodestar/trace.h"
#include "network/features.h"

namespace lodestar::learn {

struct Sample {
  Graph graph;
  Query query;
  GraphInput input;
  Trajectory trajectory;      // no frames unless the run needs them
  std::uint32_t hops = 0;     // messages from the target reach every node in so many steps
  std::vector<float> starts;  // [n], share of each node in the objective; empty: the source alone
};

struct Dataset {
  std::vector<Sample> train;
  std::vector<Sample> validation;
  std::vector<std::vector<Sample>> scale;  // one list per split
};

// Loads what the options name: splits, or the graph files of a folder (name.queries.tsv or
// name.scen beside a file holds its queries; a fifth of all samples, at least one, validates).
// Throws Error when a file cannot be read or nothing is left to train on.
Dataset load_dataset(const TrainOptions& options);

}  // namespace lodestar::learn
