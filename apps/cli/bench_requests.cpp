// `lodestar bench requests`: weights that belong to the request. Potentials with knots beside
// customising, CH-Potentials, ALT and bidirectional search.
#include <fmt/core.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/harness/requests.h"
#include "bench/harness/table.h"
#include "progress.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct BenchRequests {
  std::string graph;
  bench::RequestBenchOptions options;
  ReadOptions read;
  bool json = false;
};

// Graphs without a second metric get the straight length of their arcs; if there are no
// coordinates, or the weights are these lengths, the number of arcs.
Metrics with_second_metric(const GraphFile& file) {
  if (file.metrics.metrics.size() > 1) return file.metrics;
  MetricsBuilder builder(file.metrics.empty() ? Metric{"weight", "", 1} : file.metrics.metrics[0]);
  std::vector<Weight> lengths;
  double least = kInfinity, most = 0;  // length by weight
  for (NodeId u = 0; file.graph.has_coordinates() && u < file.graph.node_count(); ++u) {
    for (const Arc arc : file.graph.arcs(u)) {
      const Point a = file.graph.points()[u], b = file.graph.points()[arc.head];
      const double length = distance_between(file.graph.coordinate_kind(), a, b);
      lengths.push_back(std::ceil(10 * length));
      if (!(arc.weight > 0)) continue;
      least = std::min(least, length / arc.weight);
      most = std::max(most, length / arc.weight);
    }
  }
  if (most > 1.01 * least) {
    builder.add({"length", "m", 0.1}, std::move(lengths));
  } else {
    builder.add({"arcs", "", 1}, std::vector<Weight>(file.graph.arc_count(), 1));
  }
  return std::move(builder).build(file.graph);
}

int run_bench_requests(BenchRequests& bench) {
  const GraphFile file = read_graph_with_notes(bench.graph, bench.read);
  const Metrics metrics = with_second_metric(file);
  if (bench.options.family.metrics.empty() && metrics.metrics.size() > 2) {
    bench.options.family.metrics = {metrics.metrics[0].name, metrics.metrics[1].name};
  }
  bench.options.family.fit.seed = bench.options.seed;
  Progress progress("requests");
  const bench::RequestBenchResult result = bench::bench_requests(
      file.graph, metrics, file.shape, bench.options,
      [&](double share, const std::string& doing) { progress.update(share, doing); });
  std::map<std::string, double> ours;
  for (const bench::RequestRow& row : result.rows) {
    if (row.method == "learned potentials") ours[row.kind] = row.microseconds;
  }
  if (bench.json) {
    nlohmann::ordered_json out;
    out["graph"] = bench.graph;
    out["nodes"] = file.graph.node_count();
    out["preparation"] = result.preparation;
    for (const bench::RequestRow& row : result.rows) {
      out["rows"].push_back({{"kind", row.kind},
                             {"method", row.method},
                             {"microseconds", row.microseconds},
                             {"expansions", row.expansions},
                             {"wrong", row.wrong}});
    }
    out["checked"] = result.checked;
    out["wrong"] = result.wrong;
    fmt::print("{}\n", out.dump());
    return result.wrong == 0 ? 0 : 1;
  }
  Table table({"request", "method", "µs", "× learned", "expansions", "wrong"});
  std::string kind;
  for (const bench::RequestRow& row : result.rows) {
    table.add({row.kind == kind ? "" : row.kind, row.method,
               fmt::format("{:.1f}", row.microseconds),
               fmt::format("{:.2f}", row.microseconds / ours[row.kind]),
               row.expansions > 0 ? fmt::format("{:.0f}", row.expansions) : "",
               fmt::format("{}", row.wrong)});
    kind = row.kind;
  }
  fmt::print("{}: {} nodes, {} arcs\n", bench.graph, file.graph.node_count(),
             file.graph.arc_count());
  for (const std::string& line : result.preparation) fmt::print("prepared {}\n", line);
  fmt::print("\n{}\n{} answers checked, {} wrong\n", table.text(), result.checked, result.wrong);
  // From how many questions with the same weights on customising pays.
  double customise = 0, question = 0;
  for (const bench::RequestRow& row : result.rows) {
    if (row.method == "customise, then ask") customise = row.microseconds;
    if (row.method != "the question alone, once customised") continue;
    question = row.microseconds;
    const double gain = ours[row.kind] - question;
    if (gain > 0) {
      fmt::print("{}: customising pays from {:.0f} questions with the same weights on\n", row.kind,
                 std::ceil((customise - question) / gain));
    } else {
      fmt::print("{}: customising never pays\n", row.kind);
    }
  }
  return result.wrong == 0 ? 0 : 1;
}

}  // namespace

void add_bench_requests(Verb& parent) {
  auto [verb, bench] = parent.verb<BenchRequests>(
      "requests", "Compare methods on requests with weights of their own", run_bench_requests);
  verb.option("graph", bench.graph, "Graph file, any format").required();
  verb.option("--seconds", bench.options.family.fit.seconds, "Training time of all knots")
      .excludes("--potentials");
  verb.option("--knots", bench.options.family.knots, "Knots of the potentials")
      .default_text("as many as needed")
      .excludes("--potentials");
  verb.option("-k,--per-node", bench.options.family.fit.potential_count,
              "Potentials per node and knot")
      .check(CLI::Range(1, 4096))
      .excludes("--potentials");
  verb.option("--potentials", bench.options.family_file,
              "Potentials made by `lodestar fit --metrics` (.lsp), to use instead of training");
  verb.option("--own-seconds", bench.options.own_seconds,
              "Training time of potentials for each blend alone, to compare with")
      .default_text("no comparison");
  verb.flag("--labels", bench.options.labels, "Compare with label potentials");
  verb.option("--count", bench.options.count, "Requests of each kind");
  verb.option("--customized", bench.options.customised, "Of these, answered by customizing, too");
  verb.option("--passes", bench.options.passes, "Passes; the fastest one counts")
      .check(CLI::Range(1, 1000));
  verb.option("--seed", bench.options.seed, "Seed of all random choices");
  verb.flag("--json", bench.json, "Print the comparison as one JSON object");
  add_reading_options(verb, bench.read);
  verb.footer(
      R"(Every answer is checked against a search without potentials. Areas lie on the middle of the best
path and make roads a thousand times as expensive.

Example:
  lodestar generate road -n 65000 -o roads.lsg
  lodestar bench requests roads.lsg --seconds 60)");
}

}  // namespace lodestar::cli
