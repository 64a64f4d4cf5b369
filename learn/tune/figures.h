// Scatter figures of a search: the metric against each hyperparameter, as SVG by gnuplot.
#pragma once

#include <string>
#include <vector>

#include "learn/tune/search.h"

namespace lodestar::tune {

struct ScatterFigure {
  std::string option;
  std::string path;  // of the SVG
};

// One figure per drawn option, with data and script beside it, in `folder`. Empty when gnuplot is
// not installed. Trials far off the rest are drawn at the upper edge.
std::vector<ScatterFigure> draw_scatter(const Search& search, const std::string& folder);

}  // namespace lodestar::tune
