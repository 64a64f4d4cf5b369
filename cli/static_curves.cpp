// Expansions against memory (K = 4 to 64) and against Dijkstra rank: tables and figures.
#include <fmt/core.h>

#include <cmath>

#include "bench_static.h"
#include "static_figures.h"
#include "table.h"

namespace lodestar::cli {
namespace {

void print(const Figure& figure, const std::string& first) {
  std::vector<std::string> header{first};
  for (const Curve& curve : figure.curves) header.push_back(curve.name);
  Table table(header);
  for (std::size_t i = 0; i < figure.curves.front().x.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:.6g}", figure.curves.front().x[i])};
    for (const Curve& curve : figure.curves) row.push_back(fmt::format("{:.1f}", curve.y[i]));
    table.add(row);
  }
  fmt::print("\n{}\n\n{}", figure.title, table.text());
}

void finish(Bench& bench, const Figure& figure, const std::string& first) {
  print(figure, first);
  if (bench.options.folder.empty()) return;
  if (!draw(figure, bench.options.folder)) {
    bench.progress.note("gnuplot is not installed; " + figure.name + ".gp is ready for it");
  }
}

}  // namespace

void draw_against_memory(Bench& bench) {
  Figure figure{"memory",
                "Expansions against memory",
                "bytes per node",
                "expansions per query",
                {{"learned", {}, {}}, {"ALT farthest", {}, {}}, {"ALT avoid", {}, {}}}};
  Searcher searcher(bench.graph);
  for (const std::uint32_t k : {4u, 8u, 16u, 32u, 64u}) {
    const auto put = [&](std::size_t curve, const PotentialTable& table) {
      figure.curves[curve].x.push_back(4.0 * k);
      figure.curves[curve].y.push_back(mean_expansions(searcher, table, bench.queries));
    };
    const auto landmarks = [&](LandmarkMethod method) {
      bench.progress.update(0, fmt::format("{} landmarks", k));
      return prepare_landmarks(bench.graph, method, k, bench.options.seed).table;
    };
    put(0, learned_table(bench, k).table);
    put(1, landmarks(LandmarkMethod::kFarthest));
    put(2, landmarks(LandmarkMethod::kAvoid));
  }
  finish(bench, figure, "bytes per node");
}

void draw_against_rank(Bench& bench) {
  constexpr std::size_t kPerRank = 100;
  const std::uint32_t k = bench.options.fit.potentials;
  const PotentialTable alt =
      prepare_landmarks(bench.graph, LandmarkMethod::kFarthest, k, bench.options.seed).table;
  const PotentialTable learned = learned_table(bench, k).table;
  Figure figure{"rank",
                "Expansions against Dijkstra rank",
                "Dijkstra rank",
                "expansions per query",
                {{"learned", {}, {}}, {"ALT farthest", {}, {}}, {"nodes on the path", {}, {}}}};
  Searcher searcher(bench.graph);
  for (int exponent = 8;; ++exponent) {
    const auto queries = rank_queries(bench.graph, exponent, kPerRank, bench.options.seed);
    if (queries.size() < kPerRank) break;
    double nodes = 0;
    for (const Query& query : queries) {
      searcher.run(query, learned.to(query.target));
      nodes += static_cast<double>(searcher.path().size());
    }
    const double values[] = {mean_expansions(searcher, learned, queries),
                             mean_expansions(searcher, alt, queries), nodes / kPerRank};
    for (std::size_t c = 0; c < 3; ++c) {
      figure.curves[c].x.push_back(std::ldexp(1.0, exponent));
      figure.curves[c].y.push_back(values[c]);
    }
  }
  if (figure.curves[0].x.empty()) throw Error("the graph is too small for ranks of 256 and above");
  finish(bench, figure, "Dijkstra rank");
}

}  // namespace lodestar::cli
