// Untrained models of any shape, for tests and benchmarks: random numbers small enough that no
// output explodes, the same on every machine.
#pragma once

#include <cmath>

#include "lodestar/model.h"
#include "lodestar/rng.h"

namespace lodestar {

inline Model random_model(const ModelConfig& config, std::uint64_t seed) {
  Rng rng(seed);
  Model model;
  model.config = config;
  for (const MatrixShape& shape : model_shapes(config)) {
    Matrix matrix{shape.rows, shape.cols, {}};
    const double scale = 1.2 / std::sqrt(static_cast<double>(shape.rows));
    for (std::size_t i = 0; i < std::size_t{shape.rows} * shape.cols; ++i) {
      matrix.values.push_back(static_cast<float>(scale * rng.normal()));
    }
    model.matrices.emplace(shape.name, std::move(matrix));
  }
  return model;
}

// At most this wide and this many steps.
inline ModelConfig random_config(Rng& rng, std::uint32_t width, std::uint32_t steps) {
  ModelConfig config;
  config.hidden = 1 + rng.below(width);
  config.message = 1 + rng.below(width);
  config.message_layers = 1 + rng.below(3);
  config.steps = 1 + rng.below(steps);
  config.predecessor = rng.chance(0.5);
  config.features.pos = rng.chance(0.5);
  config.features.hints = rng.chance(0.5);
  config.features.direction =
      rng.chance(0.5) ? MessageDirection::kAlong : MessageDirection::kAgainst;
  config.features.degree_normalisation = rng.chance(0.5);
  config.y_scale = rng.uniform(0.5, 1.5);
  return config;
}

}  // namespace lodestar
