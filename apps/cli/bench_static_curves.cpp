// `bench static --memory-curve` and `--rank-curve`: expansions as tables and figures.
#include <fmt/core.h>

#include "bench/harness/curves.h"
#include "bench/harness/gnuplot.h"
#include "bench/harness/table.h"
#include "bench_static.h"

namespace lodestar::cli {
namespace {

struct Figure {
  std::string name;  // of its files: name.dat, name.gp, name.svg
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<bench::Curve> curves;
};

// Both axes logarithmic to base 2 and 10. Returns false if there is no gnuplot; data and script are
// written all the same.
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

void show(BenchStatic& bench, const Figure& figure) {
  std::vector<std::string> header{figure.x_label};
  for (const bench::Curve& curve : figure.curves) header.push_back(curve.name);
  Table table(header);
  for (std::size_t i = 0; i < figure.curves.front().x.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:.6g}", figure.curves.front().x[i])};
    for (const bench::Curve& curve : figure.curves)
      row.push_back(i < curve.y.size() ? fmt::format("{:.1f}", curve.y[i]) : "-");
    table.add(row);
  }
  fmt::print("\n{}\n\n{}", figure.title, table.text());
  if (bench.options.folder.empty()) return;
  if (!draw(figure, bench.options.folder)) {
    bench.progress.note("gnuplot is not installed; " + figure.name + ".gp is ready for it");
  }
}

}  // namespace

void draw_against_memory(BenchStatic& bench) {
  const std::vector<std::uint32_t> usual = {16, 32, 64, 128, 256};
  const Figure figure = {
      "memory", "Expansions against memory", "bytes per node", "expansions per query",
      bench::curves_against_memory(bench.graph, bench.workshop_options(), bench.queries,
                                   bench.options.bytes.empty() ? usual : bench.options.bytes,
                                   bench.reporter())};
  show(bench, figure);
  const bench::Curve& farthest = figure.curves.front();
  std::vector<std::string> header{figure.x_label};
  for (const bench::Curve& curve : figure.curves) header.push_back(curve.name);
  Table table(header);
  for (std::size_t i = 0; i < farthest.x.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:.6g}", farthest.x[i])};
    for (const bench::Curve& curve : figure.curves) {
      row.push_back(i < curve.y.size() ? fmt::format("{:.3f}", curve.y[i] / farthest.y[i]) : "-");
    }
    table.add(row);
  }
  fmt::print("\nExpansions relative to {}\n\n{}", farthest.name, table.text());
}

void draw_against_rank(BenchStatic& bench) {
  bench::Workshop workshop(bench.graph, bench.workshop_options(), bench.reporter());
  show(bench, {"rank", "Expansions against Dijkstra rank", "Dijkstra rank", "expansions per query",
               bench::curves_against_rank(workshop)});
}

}  // namespace lodestar::cli
