
#include <fmt/core.h>

#include <algorithm>

#include "bench/harness/gnuplot.h"
#include "report.h"

namespace lodestar::cli {
namespace {

using bench::Estimate;
using evaluate::Row;

constexpr const char* kStyle =
    "set grid lc rgb '#dddddd'\nset border 3\nset tics nomirror out scale 0.5\n"
    "set style fill transparent solid 0.2 noborder\n";

struct Look {
  const char* method;
  const char* title;
  const char* colour;
  int dash;   // 1: solid
  int point;  // gnuplot's point type
};
// One look per method in every figure; dash and point tell them apart without colour.
constexpr Look kLooks[] = {
    {"Dijkstra", "Dijkstra", kColours[6], 1, 4},
    {"random", "random U[0,1]", kColours[5], 4, 10},
    {"constant", "constant", kColours[3], 3, 8},
    {"swift", "swift", kColours[2], 5, 12},
    {"paper", "paper", kColours[0], 1, 7},
    {"paper-tuned", "paper-tuned", kColours[0], 4, 6},
    {"deep", "deep", kColours[4], 2, 9},
    {"deep + closure", "deep + closure", kColours[1], 1, 5},
    {"exact potential", "perfect heuristic", kColours[6], 3, 2},
};

const Look& look_of(const std::string& method) {
  return *std::find_if(std::begin(kLooks), std::end(kLooks) - 1,
                       [&](const Look& look) { return method == look.method; });
}

// Blocks of a data file and the plot commands that draw them.
class Plot {
 public:
  // Points (x, mean, mean - error, mean + error).
  void add_curve(const Look& look, const std::vector<std::pair<double, Estimate>>& points) {
    if (points.empty()) return;
    data_ += fmt::format("# {}\n", look.method);
    for (const auto& [x, y] : points) {
      data_ += fmt::format("{:.10g} {:.10g} {:.10g} {:.10g}\n", x, y.mean, y.mean - y.error,
                           y.mean + y.error);
    }
    data_ += "\n\n";
    if (std::any_of(points.begin(), points.end(),
                    [](const auto& p) { return p.second.error > 0; })) {
      add(fmt::format("index {} using 1:3:4 with filledcurves fc rgb '{}' notitle", block_,
                      look.colour));
    }
    add(
        fmt::format("index {} using 1:2 with linespoints lw 2 dt {} pt {} ps 0.7 lc rgb '{}' "
                    "title '{}'",
                    block_, look.dash, look.point, look.colour, look.title));
    ++block_;
  }

  // Published values (x, y, error of x, error of y) as crosses with bars.
  void add_published(const std::vector<std::array<double, 4>>& points, const std::string& bars) {
    if (points.empty()) return;
    data_ += "# published\n";
    for (const auto& p : points) {
      data_ += fmt::format("{:.10g} {:.10g} {:.10g} {:.10g}\n", p[0], p[1], p[2], p[3]);
    }
    data_ += "\n\n";
    add(fmt::format("index {} using {} lw 1.5 pt 6 ps 1.1 lc rgb '#555555' title 'as published'",
                    block_, bars));
    ++block_;
  }

  // The plot command so far; the next one begins anew, with the same data file.
  std::string take(const std::string& name) {
    std::string command = "plot ";
    for (std::size_t i = 0; i < commands_.size(); ++i) {
      command += fmt::format("{}'{}.dat' {}", i == 0 ? "" : ", \\\n  ", name, commands_[i]);
    }
    commands_.clear();
    return command + "\n";
  }
  bool empty() const { return commands_.empty(); }
  const std::string& data() const { return data_; }

 private:
  void add(std::string command) { commands_.push_back(std::move(command)); }

  std::string data_;
  std::vector<std::string> commands_;
  int block_ = 0;
};

// A metric against the number of nodes, the paper's sizes only.
std::vector<std::pair<double, Estimate>> by_size(const Report& report, const std::string& method,
                                                 Draw draw, Density density,
                                                 Estimate Row::*metric) {
  std::vector<std::pair<double, Estimate>> points;
  for (const Row& row : report.rows) {
    if (row.method == method && row.split.draw == draw && row.split.density == density &&
        row.scale == 1 && row.split.nodes <= 256) {
      points.emplace_back(row.split.nodes, row.*metric);
    }
  }
  return points;
}

std::vector<std::array<double, 4>> published_by_size(Density density,
                                                     PublishedValue PublishedCell::*value) {
  std::vector<std::array<double, 4>> points;
  for (const PublishedCell& cell : published_table()) {
    if (cell.density != density) continue;
    points.push_back({double(cell.nodes), (cell.*value).mean, 0, (cell.*value).error});
  }
  return points;
}

DrawnFigure draw_accuracy(const Report& report, Draw draw, const std::string& folder) {
  const std::string name = "fig1a";
  Plot plot;
  std::string script = std::string(kStyle) + "set xlabel 'number of nodes'\nset xrange [0:264]\n";
  script += "set multiplot layout 1,2\nset key top right\n";
  script +=
      "set ylabel 'shortest paths found, % of graphs'\nset yrange [0:105]\nset key bottom "
      "left\n";
  for (const char* who : {"random", "constant", "paper", "deep + closure"}) {
    plot.add_curve(look_of(who), by_size(report, who, draw, Density::kDense, &Row::accuracy));
  }
  script += plot.take(name);
  script +=
      "set ylabel 'relative distance above the optimum, %'\nset yrange [0:*]\nset key top "
      "left\n";
  for (const char* who : {"random", "constant", "paper", "deep + closure"}) {
    plot.add_curve(look_of(who), by_size(report, who, draw, Density::kDense, &Row::distance));
  }
  plot.add_published(published_by_size(Density::kDense, &PublishedCell::distance),
                     "1:2:4 with yerrorbars");
  script += plot.take(name) + "unset multiplot\n";
  return {
      name,
      "Fig. 1a of the paper: how often A* finds the shortest path, and by how much it misses, on "
      "dense " +
          draw_words(draw) + ". Shaded: standard error over models.",
      draw_with_gnuplot(folder, name, plot.data(), script, {1200, 420})};
}

DrawnFigure draw_iterations(const Report& report, Draw draw, const std::string& folder) {
  const std::string name = "fig1b";
  Plot plot;
  std::string script =
      std::string(kStyle) +
      "set xlabel 'number of nodes'\nset xrange [0:264]\nset multiplot layout 1,3\n"
      "set yrange [0:*]\nset ylabel 'iterations (nodes expanded)'\n"
      "set key top left samplen 2 font ',11'\n";
  for (const Density density : kDensities) {
    script += fmt::format("set title '{}'\n", density_words(density));
    for (const char* who : {"Dijkstra", "random", "paper", "deep + closure", "exact potential"}) {
      plot.add_curve(look_of(who), by_size(report, who, draw, density, &Row::iterations));
    }
    plot.add_published(published_by_size(density, &PublishedCell::iterations),
                       "1:2:4 with yerrorbars");
    script += plot.take(name);
  }
  return {
      name,
      "Fig. 1b of the paper, for all three densities: iterations until A* reaches the target, " +
          draw_words(draw) + ". Shaded: standard error over models.",
      draw_with_gnuplot(folder, name, plot.data(), script + "unset multiplot\n", {1200, 420})};
}

DrawnFigure draw_front(const Report& report, const std::string& folder) {
  const std::string name = "front";
  Plot plot;
  NodeId nodes = 0;
  for (const Row& row : report.rows) {
    if (row.scale != 1) nodes = std::max(nodes, row.split.nodes);
  }
  std::string script = std::string(kStyle) +
                       "set xlabel 'iterations ÷ those of Dijkstra'\nset logscale x 10\n"
                       "set ylabel 'relative distance above the optimum, %'\n"
                       "set xrange [0.025:1.1]\nset xtics (0.03, 0.05, 0.1, 0.2, 0.5, 1)\nset "
                       "yrange [0:*]\nset multiplot layout 1,3\n"
                       "set key top right samplen 2 font ',11'\n";
  for (const Density density : kDensities) {
    script += fmt::format("set title '{}, {} nodes'\n", density_words(density), nodes);
    for (const char* who : {"constant", "swift", "paper", "deep", "deep + closure"}) {
      std::vector<std::pair<double, Row>> found;
      for (const Row& row : report.rows) {
        if (row.method == who && row.split.draw == Draw::kOr && row.split.density == density &&
            row.split.nodes == nodes) {
          found.emplace_back(row.scale, row);
        }
      }
      std::sort(found.begin(), found.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      std::vector<std::pair<double, Estimate>> points;
      for (const auto& [scale, row] : found) {
        points.emplace_back(row.ratio.mean, row.distance);
        points.back().second.error = 0;
      }
      plot.add_curve(look_of(who), points);
    }
    if (const PublishedCell* cell = published_cell(density, nodes)) {
      plot.add_published(
          {{cell->ratio(), cell->distance.mean, cell->ratio_error(), cell->distance.error}},
          "1:2:3:4 with xyerrorbars");
    }
    script += plot.take(name);
  }
  return {
      name,
      "What is traded: every point is a scale of y from a quarter to twice the model's own. Left "
      "is less effort, down is shorter paths; the paper's own point is the circle.",
      nodes > 0 &&
          draw_with_gnuplot(folder, name, plot.data(), script + "unset multiplot\n", {1200, 440})};
}

DrawnFigure draw_times(const Report& report, Draw draw, const std::string& folder) {
  const std::string name = "times";
  const NodeId nodes = published_sizes(report, draw).back();
  std::string data, script = std::string(kStyle) +
                             "set multiplot layout 1,3\nset style data histograms\n"
                             "set style histogram rowstacked\nset boxwidth 0.7\n"
                             "set style fill solid 0.9 noborder\nset xtics rotate by -40 left\n"
                             "set ylabel 'time per query, µs'\nset yrange [0:*]\n"
                             "set key top left samplen 1 font ',11'\nset bmargin 6\n"
                             "set rmargin 5\n";
  int block = 0;
  for (const Density density : kDensities) {
    double tallest = 0;
    for (const char* who :
         {"Dijkstra", "bidirectional", "paper", "swift", "deep", "deep + closure"}) {
      const Row* row = evaluate::find_row(report.rows, who, draw, density, nodes);
      if (row == nullptr) continue;
      const evaluate::TypicalSeconds& s = row->seconds;
      tallest = std::max(tallest, 1e6 * s.total());
      data += fmt::format("\"{}\" {:.4g} {:.4g} {:.4g} {:.4g} {:.4g}\n", who, 1e6 * s.preparation,
                          1e6 * s.heuristic, 1e6 * s.closure, 1e6 * s.search, 1e6 * s.total());
    }
    data += "\n\n";
    script += fmt::format(
        "set title '{0}, {1} nodes'\nset yrange [0:{2:.4g}]\n"
        "plot '{3}.dat' index {4} using 2:xtic(1) title 'once per graph' lc rgb '{5}', \\\n"
        "  '' index {4} using 3 title 'heuristic' lc rgb '{6}', \\\n"
        "  '' index {4} using 4 title 'closure' lc rgb '{7}', \\\n"
        "  '' index {4} using 5 title 'search' lc rgb '{8}', \\\n"
        "  '' index {4} using 0:6:(sprintf('%.0f', $6)) with labels offset 0,0.6 font ',11' "
        "notitle\n",
        density_words(density), nodes, 1.6 * tallest, name, block++, kColours[4], kColours[1],
        kColours[5], kColours[0]);
  }
  return {name,
          "Where the time goes on a graph that is seen once, " + draw_words(draw) +
              ": what a method prepares for the graph, the heuristic, the closure, the search.",
          draw_with_gnuplot(folder, name, data, script + "unset multiplot\n", {1200, 440})};
}

}  // namespace

std::vector<DrawnFigure> draw_figures(const Report& report, const std::string& folder) {
  std::vector<DrawnFigure> figures;
  const std::vector<Draw> draws = draws_of(report);
  if (draws.empty()) return figures;
  figures.push_back(draw_accuracy(report, draws.front(), folder));
  figures.push_back(draw_iterations(report, draws.front(), folder));
  if (std::any_of(report.rows.begin(), report.rows.end(),
                  [](const Row& row) { return row.scale != 1; })) {
    figures.push_back(draw_front(report, folder));
  }
  if (!published_sizes(report, draws.front()).empty()) {
    figures.push_back(draw_times(report, draws.front(), folder));
  }
  return figures;
}

}  // namespace lodestar::cli
