// `lodestar bench traffic`: weights change; how long until each method is exact again, and how fast
// it then is.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/harness/comparison.h"
#include "bench/harness/queries.h"
#include "bench/harness/table.h"
#include "bench/harness/traffic.h"
#include "lodestar/rng.h"
#include "lodestar/version.h"
#include "notes.h"
#include "progress.h"
#include "reading.h"
#include "verbs.h"

namespace lodestar::cli {
namespace {

struct BenchTraffic {
  std::string graph;
  std::string kind = "random";
  bench::Traffic traffic;
  bench::TrafficOptions options;
  std::vector<std::string> methods;
  std::size_t count = 1000;
  int passes = 3;
  bool paths = false;
  bool json = false;
  ReadOptions read;
};

std::vector<const bench::TrafficMethod*> chosen(const std::vector<std::string>& ids) {
  std::vector<const bench::TrafficMethod*> methods;
  std::string known;
  for (const bench::TrafficMethod& method : bench::traffic_methods()) {
    known += (known.empty() ? "" : ", ") + method.id;
    if (ids.empty() || std::find(ids.begin(), ids.end(), method.id) != ids.end()) {
      methods.push_back(&method);
    }
  }
  if (!ids.empty() && methods.size() != ids.size()) {
    throw Error("--methods names one that is not there; choose from " + known);
  }
  return methods;
}

int run_bench_traffic(BenchTraffic& bench) {
  bench.traffic.kind = bench::parse_traffic_kind(bench.kind);
  bench.traffic.seed = bench.options.seed;
  const auto methods = chosen(bench.methods);
  GraphFile file = read_graph_with_notes(bench.graph, bench.read);
  const Graph before = std::move(file.graph);
  const Graph after = bench::with_traffic(before, bench.traffic);
  Progress progress("bench traffic");
  bench::Comparison comparison(
      after, bench::reachable_pairs(after, bench.count, Rng(mix64(bench.options.seed + 1))));
  std::vector<double> ready_after;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(methods.size());
    progress.update(share, "preparing " + methods[i]->name);
    const bench::React react = methods[i]->prepare(before, bench.options);
    if (!react) continue;
    progress.update(share, methods[i]->name + " after the change");
    for (bench::Reaction& reaction : react(after)) {
      bench::Method described;
      described.id = methods[i]->id + ":" + reaction.name;
      described.name = methods[i]->name + ", " + reaction.name;
      reaction.ready.preparation_seconds = reaction.seconds;
      ready_after.push_back(reaction.seconds);
      comparison.add(described, std::move(reaction.ready));
    }
  }
  comparison.measure({.passes = bench.passes,
                      .fresh = true,
                      .seed = mix64(bench.options.seed + 2),
                      .paths = bench.paths},
                     [&](double share) { progress.update(share, "answering queries"); });

  double fastest = 0;
  for (const bench::MethodResult& result : comparison.results()) {
    fastest = fastest == 0 ? result.seconds : std::min(fastest, result.seconds);
  }
  Table potentials(
      {"method", "exact after", "expansions", "time per query", "× the fastest", "wrong"});
  nlohmann::ordered_json out;
  out["graph"] = bench.graph;
  out["nodes"] = after.node_count();
  out["kind"] = bench.kind;
  out["share"] = bench.traffic.share;
  out["factor"] = bench.traffic.factor;
  out["version"] = kVersion;
  out["commit"] = kCommit;
  add_notes(out, file.notes);
  std::size_t wrong = 0;
  for (std::size_t m = 0; m < comparison.results().size(); ++m) {
    const bench::MethodResult& result = comparison.results()[m];
    wrong += result.wrong;
    potentials.add(
        {result.name, format_seconds(ready_after[m]), fmt::format("{:.0f}", result.expansions),
         fmt::format("{:.1f} µs", 1e6 * result.seconds),
         fmt::format("{:.2f}×", result.seconds / fastest), std::to_string(result.wrong)});
    out["methods"].push_back({{"id", result.id},
                              {"name", result.name},
                              {"exact_after_seconds", ready_after[m]},
                              {"expansions", result.expansions},
                              {"seconds", result.seconds},
                              {"wrong", result.wrong}});
  }
  if (bench.json) {
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print("{}: {} nodes; {} traffic, {:.0f} % of the arcs × {:g}; {} queries{}\n\n{}",
               bench.graph, after.node_count(), bench.kind, 100 * bench.traffic.share,
               bench.traffic.factor, comparison.query_count(), bench.paths ? " with path" : "",
               potentials.text());
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace

void add_bench_traffic(CLI::App& parent, int* status) {
  auto bench = std::make_shared<BenchTraffic>();
  CLI::App* app = parent.add_subcommand(
      "traffic", "Weights change: until when is each method exact again, and how fast then");
  app->add_option("graph", bench->graph, "Graph file, any format")->required();
  app->add_option("--kind", bench->kind, "Which arcs: anywhere, in balls, or the busiest")
      ->check(CLI::IsMember({"random", "clustered", "rush-hour"}))
      ->capture_default_str();
  app->add_option("--share", bench->traffic.share, "Share of the arcs that change")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app->add_option("--factor", bench->traffic.factor, "What their weights are multiplied with")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  std::string ids;
  for (const bench::TrafficMethod& method : bench::traffic_methods()) {
    ids += (ids.empty() ? "" : ", ") + method.id;
  }
  app->add_option("--methods", bench->methods, "Only these, separated by commas: " + ids)
      ->delimiter(',');
  app->add_option("-k,--per-node", bench->options.potential_count,
                  "Potentials per node, for all methods")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app->add_option("--time", bench->options.training, "Processor seconds of training before")
      ->capture_default_str();
  app->add_option("--refit", bench->options.refit, "Processor seconds of training after")
      ->capture_default_str();
  app->add_option("--count", bench->count, "Queries measured")->capture_default_str();
  app->add_option("--passes", bench->passes, "Times are medians over this many passes")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app->add_option("--seed", bench->options.seed, "Seed of all random choices")
      ->capture_default_str();
  app->add_flag("--paths", bench->paths, "Times include the path; every path is checked");
  add_reading_options(*app, bench->read);
  app->add_flag("--json", bench->json, "The comparison as one JSON object");
  app->callback([bench, status] { *status = run_bench_traffic(*bench); });
}

}  // namespace lodestar::cli
