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

}  // namespace lodestar
