#include "figure.h"

#include <fmt/core.h>

#include "bench/harness/gnuplot.h"

namespace lodestar::cli {

bool draw(const Figure& figure, const std::string& folder) {
  std::string data;
  for (const bench::Curve& curve : figure.curves) {
    data += fmt::format("# {}\n", curve.name);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      data += fmt::format("{:.10g} {:.10g}\n", curve.x[i], curve.y[i]);
    }
    data += "\n\n";
  }
  std::string script = fmt::format(
      "set title '{0}'\nset xlabel '{1}'\nset ylabel '{2}'\n"
      "set logscale x 2\nset logscale y 10\nset grid lc rgb '#dddddd'\n"
      "set key outside bottom center horizontal\nset border 3\nset tics nomirror\nset format x "
      "'{3}'\n",
      figure.title, figure.x_label, figure.y_label,
      figure.x_label.find("rank") == std::string::npos ? "%g" : "2^{%L}");
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    script +=
        fmt::format("{} '{}.dat' index {} with linespoints lw 2 pt 7 ps 0.6 lc rgb '{}' title '{}'",
                    i == 0 ? "plot" : ",\\\n    ", figure.name, i,
                    kColours[i % std::size(kColours)], figure.curves[i].name);
  }
  script += "\n";
  return draw_with_gnuplot(folder, figure.name, data, script);
}

}  // namespace lodestar::cli
