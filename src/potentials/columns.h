// Landmark and cut potentials as columns of whole numbers: the input of training and of mixes
// (fit_start.h).
#pragma once

#include <cstdint>
#include <vector>

#include "lodestar/cuts.h"
#include "lodestar/detail/stop.h"
#include "lodestar/landmarks.h"

namespace lodestar {

struct PotentialColumns {
  double unit = 1;
  std::vector<std::vector<std::int32_t>> columns;  // [K][n]
};

// landmarks.cpp. At the limit, the columns made so far are repeated; without any they are zero.
PotentialColumns landmark_columns(const Graph& graph, const LandmarkOptions& options,
                                  const TimeLimit& limit = {});
PotentialColumns cut_columns(const Graph& graph, const CutOptions& options);  // cuts.cpp

}  // namespace lodestar
