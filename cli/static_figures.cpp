#include "static_figures.h"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>

#include "lodestar/atomic_file.h"
#include "lodestar/types.h"

namespace lodestar::cli {
namespace {

void write(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

// Colours that differ for colour-blind readers too (Okabe, Ito).
constexpr const char* kColours[] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9"};

}  // namespace

bool draw(const Figure& figure, const std::string& folder) {
  std::string data;
  for (const Curve& curve : figure.curves) {
    data += fmt::format("# {}\n", curve.name);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      data += fmt::format("{:.10g} {:.10g}\n", curve.x[i], curve.y[i]);
    }
    data += "\n\n";
  }
  std::string script = fmt::format(
      "set terminal svg size 640,420 dynamic background rgb 'white' font 'sans-serif,13'\n"
      "set output '{0}.svg'\n"
      "set title '{1}'\nset xlabel '{2}'\nset ylabel '{3}'\n"
      "set logscale x 2\nset logscale y 10\nset grid lc rgb '#dddddd'\n"
      "set key outside bottom center horizontal\nset border 3\nset tics nomirror\nset format x "
      "'{4}'\n",
      figure.name, figure.title, figure.x_label, figure.y_label,
      figure.x_label.find("rank") == std::string::npos ? "%g" : "2^{%L}");
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    script +=
        fmt::format("{} '{}.dat' index {} with linespoints lw 2 pt 7 ps 0.6 lc rgb '{}' title '{}'",
                    i == 0 ? "plot" : ",\\\n    ", figure.name, i,
                    kColours[i % std::size(kColours)], figure.curves[i].name);
  }
  script += "\n";
  const std::string base = (std::filesystem::path(folder) / figure.name).string();
  write(base + ".dat", data);
  write(base + ".gp", script);
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) return false;
  // The name is ours and the folder quoted: nothing of it is a command.
  std::string quoted = "'";
  for (const char c : folder) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::string command =
      "cd " + quoted + "' && gnuplot " + figure.name + ".gp >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

}  // namespace lodestar::cli
