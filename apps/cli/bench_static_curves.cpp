// `bench static --memory-curve` and `--rank-curve`: expansions as tables and figures.
#include <fmt/core.h>

#include "bench/harness/table.h"
#include "bench_static.h"
#include "figure.h"

namespace lodestar::cli {
namespace {

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
