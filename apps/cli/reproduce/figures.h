// The report's figures, as SVG by gnuplot.
#pragma once

#include <string>
#include <vector>

#include "report.h"

namespace lodestar::cli {

struct DrawnFigure {
  std::string name;     // name.svg in the folder, with its data and script
  std::string caption;  // what it shows
  bool drawn = false;   // false when gnuplot is not there
};

// Fig. 1a and 1b of the paper, the front over the scale of y, and where the time goes. Of the
// first draw that was run; what has no rows is left out.
std::vector<DrawnFigure> draw_figures(const Report& report, const std::string& folder);

}  // namespace lodestar::cli
