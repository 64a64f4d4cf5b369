// All methods on the same queries: expansions and times as ratios, memory, preparation.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench_static.h"
#include "lodestar/atomic_file.h"
#include "lodestar/bidirectional.h"
#include "lodestar/version.h"
#include "table.h"

namespace lodestar::cli {
namespace {

std::string megabytes(std::size_t bytes) {
  return bytes == 0 ? "–" : fmt::format("{:.1f}", static_cast<double>(bytes) / 1e6);
}

}  // namespace

int compare_static(Bench& bench) {
  const BenchStatic& options = bench.options;
  const std::uint32_t k = options.fit.potentials;
  StaticBench table(bench.graph, bench.queries);
  Searcher searcher(bench.graph);
  BidirectionalSearcher both(bench.graph);
  std::optional<Geometry> geometry;
  if (bench.graph.has_coordinates()) geometry.emplace(bench.graph);
  if (!options.quick) {
    table.add({.name = "Dijkstra"}, [&](Query q) { return searcher.run(q, Zero{}); });
    table.add({.name = "bidirectional"}, [&](Query q) { return both.run(q); });
    if (geometry && geometry->scale() > 0) {
      table.add({.name = "A* geometric"},
                [&](Query q) { return searcher.run(q, geometry->to(q.target)); });
    }
  }
  std::vector<PreparedTable> prepared;
  prepared.reserve(6);
  const auto add = [&](const std::string& name, PreparedTable made) {
    prepared.push_back(std::move(made));
    const PotentialTable& kept = prepared.back().table;
    table.add({.name = name, .bytes = kept.bytes(), .preparation_seconds = prepared.back().seconds},
              [&](Query q) { return searcher.run(q, kept.to(q.target)); });
  };
  for (const auto method :
       {LandmarkMethod::kFarthest, LandmarkMethod::kAvoid, LandmarkMethod::kGreedy}) {
    if (options.quick && method == LandmarkMethod::kGreedy) continue;
    bench.progress.update(0, "landmarks, " + to_string(method));
    add("ALT " + to_string(method), prepare_landmarks(bench.graph, method, k, options.seed));
  }
  add("learned", learned_table(bench, k));
  const PotentialTable& learned = prepared.back().table;
  const std::size_t violated = learned.verify(bench.graph).violated_arcs;
  if (!options.quick && learned.storage() == TableStorage::k32Bit) {
    add("learned, 16 bits", {learned.in_16_bits(bench.graph), prepared.back().seconds});
    table.add({.name = "learned, bidirectional",
               .bytes = learned.bytes(),
               .preparation_seconds = prepared.back().seconds},
              [&](Query q) { return both.run(q, learned.to(q.target), learned.from(q.source)); });
  }
  table.measure(options.passes,
                [&](double share) { bench.progress.update(share, "answering queries"); });

  const MethodResult& farthest = table.result("ALT farthest");
  const MethodResult& avoid = table.result("ALT avoid");
  const MethodResult& alt = farthest.expansions <= avoid.expansions ? farthest : avoid;
  Table shown({"method", "MB", "preparation", "expansions", "per path node", "fewer than ALT",
               "time per query", "faster than ALT", "wrong"});
  nlohmann::ordered_json out;
  out["graph"] = options.graph;
  out["nodes"] = bench.graph.node_count();
  out["queries"] = bench.queries.size();
  out["potentials"] = k;
  out["path_nodes"] = table.path_nodes();
  out["violated_arcs"] = violated;
  out["version"] = kVersion;
  out["commit"] = kCommit;
  std::size_t wrong = 0;
  for (const MethodResult& method : table.results()) {
    wrong += method.wrong;
    shown.add({method.name, megabytes(method.bytes),
               method.preparation_seconds == 0 ? "–" : format_seconds(method.preparation_seconds),
               fmt::format("{:.0f}", method.expansions),
               fmt::format("{:.2f}", method.expansions / table.path_nodes()),
               fmt::format("{:.2f}×", alt.expansions / method.expansions),
               fmt::format("{:.1f} µs", 1e6 * method.seconds),
               fmt::format("{:.2f}×", alt.seconds / method.seconds), std::to_string(method.wrong)});
    out["methods"].push_back({{"name", method.name},
                              {"bytes", method.bytes},
                              {"preparation_seconds", method.preparation_seconds},
                              {"expansions", method.expansions},
                              {"seconds", method.seconds},
                              {"fewer_than_alt", alt.expansions / method.expansions},
                              {"faster_than_alt", alt.seconds / method.seconds},
                              {"wrong", method.wrong}});
  }
  if (options.json) {
    fmt::print("{}\n", out.dump());
  } else if (!options.row.empty()) {
    const MethodResult& made = table.result("learned");
    fmt::print(
        "| {} | {} | {:.1f} | {:.1f} | {:.0f} | {:.0f} | {:.2f} | {:.2f}× | {:.1f} | {:.1f} | "
        "{:.2f}× | {} | {} |\n",
        options.row, bench.graph.node_count(), made.preparation_seconds,
        static_cast<double>(made.bytes) / 1e6, alt.expansions, made.expansions,
        made.expansions / table.path_nodes(), alt.expansions / made.expansions, 1e6 * alt.seconds,
        1e6 * made.seconds, alt.seconds / made.seconds, wrong, violated);
  } else {
    fmt::print(
        "{}: {} nodes, {} arcs; {} queries of {:.0f} nodes on the path, K = {}, {} arcs "
        "violated\n\n{}",
        options.graph, bench.graph.node_count(), bench.graph.arc_count(), bench.queries.size(),
        table.path_nodes(), k, violated, shown.text());
  }
  if (!options.folder.empty()) {
    AtomicFile markdown((std::filesystem::path(options.folder) / "static.md").string());
    markdown.write(shown.markdown());
    markdown.commit();
    AtomicFile data((std::filesystem::path(options.folder) / "static.json").string());
    data.write(out.dump(2) + "\n");
    data.commit();
  }
  return wrong == 0 && violated == 0 ? 0 : 1;
}

}  // namespace lodestar::cli
