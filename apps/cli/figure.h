// Figures of curves: data beside a gnuplot script, drawn when gnuplot is there.
#pragma once

#include <string>
#include <vector>

#include "bench/harness/curves.h"

namespace lodestar::cli {

struct Figure {
  std::string name;  // of its files: name.dat, name.gp, name.svg
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<bench::Curve> curves;
};

// Both axes logarithmic to base 2 and 10. Writes data and script into the folder and runs gnuplot;
// returns false when there is none (data and script are written all the same).
bool draw(const Figure& figure, const std::string& folder);

}  // namespace lodestar::cli
