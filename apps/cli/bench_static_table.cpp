// All methods on the same queries: expansions and times as ratios, memory, preparation.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/harness/comparison.h"
#include "bench/harness/table.h"
#include "bench_static.h"
#include "lodestar/atomic_file.h"
#include "lodestar/version.h"
#include "reading.h"

namespace lodestar::cli {
namespace {

using bench::MethodResult;

std::string megabytes(std::size_t bytes) {
  return bytes == 0 ? "–" : fmt::format("{:.1f}", static_cast<double>(bytes) / 1e6);
}

}  // namespace

int show_static_table(BenchStatic& bench) {
  const BenchStaticOptions& options = bench.options;
  const auto methods = !options.methods.empty() ? bench::choose_methods(options.methods)
                       : options.quick          ? bench::choose_methods(bench::Selection::kQuick)
                                                : bench::choose_methods(bench::Selection::kUsual);
  bench::Workshop workshop(bench.graph, bench.workshop_options(), bench.reporter());
  bench::Comparison table(bench.graph, bench.queries);
  for (const bench::Method* method : methods) {
    if (auto ready = bench::prepare_timed(*method, workshop)) table.add(*method, std::move(*ready));
  }
  const std::size_t violated =
      workshop.has_learned() ? workshop.learned()->potentials.verify(bench.graph).violated_arcs : 0;
  table.measure({.passes = options.passes,
                 .fresh = options.fresh,
                 .seed = mix64(options.seed + 2),
                 .paths = options.paths},
                [&](double share) { bench.progress.update(share, "answering queries"); });

  const MethodResult* alt = table.best_of({"alt-farthest", "alt-avoid"});
  const auto over = [](double theirs, double ours) {
    return fmt::format("{:.2f}×", theirs / ours);
  };
  Table shown({"method", "MB", "preparation", "expansions", "per path node", "fewer than ALT",
               "time per query", "faster than ALT", "wrong"});
  nlohmann::ordered_json out;
  out["graph"] = options.graph;
  out["nodes"] = bench.graph.node_count();
  out["queries"] = bench.queries.size();
  out["potentials"] = options.fit.potential_count;
  out["fresh"] = options.fresh;
  out["paths"] = options.paths;
  out["path_nodes"] = table.path_nodes();
  out["violated_arcs"] = violated;
  out["version"] = kVersion;
  out["commit"] = kCommit;
  add_notes(out, bench.notes);
  std::size_t wrong = 0;
  for (const MethodResult& method : table.results()) {
    wrong += method.wrong;
    shown.add({method.name, megabytes(method.bytes),
               method.preparation_seconds == 0 ? "–" : format_seconds(method.preparation_seconds),
               fmt::format("{:.0f}", method.expansions),
               fmt::format("{:.2f}", method.expansions / table.path_nodes()),
               alt && method.expansions > 0 ? over(alt->expansions, method.expansions) : "–",
               fmt::format("{:.1f} µs", 1e6 * method.seconds),
               alt ? over(alt->seconds, method.seconds) : "–", std::to_string(method.wrong)});
    out["methods"].push_back({{"id", method.id},
                              {"name", method.name},
                              {"bytes", method.bytes},
                              {"preparation_seconds", method.preparation_seconds},
                              {"expansions", method.expansions},
                              {"seconds", method.seconds},
                              {"wrong", method.wrong}});
    if (alt == nullptr) continue;
    out["methods"].back()["fewer_than_alt"] = alt->expansions / method.expansions;
    out["methods"].back()["faster_than_alt"] = alt->seconds / method.seconds;
  }
  fmt::print(
      "{}",
      options.json
          ? out.dump() + "\n"
          : fmt::format("{}: {} nodes, {} arcs; {} queries of {:.0f} nodes on the path, K = {}, "
                        "{} arcs violated\n\n{}",
                        options.graph, bench.graph.node_count(), bench.graph.arc_count(),
                        bench.queries.size(), table.path_nodes(), options.fit.potential_count,
                        violated, shown.text()));
  if (!options.folder.empty()) {
    const std::filesystem::path folder = options.folder;
    replace_file((folder / "static.md").string(), shown.markdown());
    replace_file((folder / "static.json").string(), out.dump(2) + "\n");
  }
  return wrong == 0 && violated == 0 ? 0 : 1;
}

}  // namespace lodestar::cli
