// `lodestar bench traffic`: how long each method takes to be exact after weights have changed, and
// how fast it then is.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/harness/comparison.h"
#include "bench/harness/queries.h"
#include "bench/harness/table.h"
#include "bench/harness/traffic.h"
#include "lodestar/rng.h"
#include "lodestar/version.h"
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
    throw Error("--methods: unknown method; choose from " + known);
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
  Table table({"method", "exact after", "expansions", "time per query", "× the fastest", "wrong"});
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
    table.add({result.name, format_seconds(ready_after[m]),
               fmt::format("{:.0f}", result.expansions),
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
               table.text());
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace

void add_bench_traffic(Verb& parent) {
  auto [verb, bench] = parent.verb<BenchTraffic>(
      "traffic", "Compare how fast methods adapt to changed weights", run_bench_traffic);
  verb.option("graph", bench.graph, "Graph file, any format").required();
  verb.option("--kind", bench.kind, "Arcs that change: random, clustered, or the busiest")
      .check(CLI::IsMember({"random", "clustered", "rush-hour"}));
  verb.option("--share", bench.traffic.share, "Share of the arcs that change")
      .check(CLI::Range(0.0, 1.0));
  verb.option("--factor", bench.traffic.factor, "Factor by which their weights change")
      .check(zero_or_more());
  std::string ids;
  for (const bench::TrafficMethod& method : bench::traffic_methods()) {
    ids += (ids.empty() ? "" : ", ") + method.id;
  }
  verb.option("--methods", bench.methods, "Methods to measure, separated by commas: " + ids)
      .comma_separated()
      .default_text("all");
  verb.option("-k,--per-node", bench.options.potential_count, "Potentials per node, of all methods")
      .check(CLI::Range(1, 4096));
  verb.option("--seconds", bench.options.training,
              "Training time before the change, in processor seconds");
  verb.option("--refit-seconds", bench.options.refit,
              "Training time after the change, in processor seconds");
  verb.option("--count", bench.count, "Queries to measure");
  verb.option("--passes", bench.passes, "Passes; times are their medians")
      .check(CLI::Range(1, 1000));
  verb.option("--seed", bench.options.seed, "Seed of all random choices");
  verb.flag("--paths", bench.paths, "Include the path in the times, and check every path");
  verb.flag("--json", bench.json, "Print the comparison as one JSON object");
  add_reading_options(verb, bench.read);
  verb.footer(
      R"(Every cost is checked after the change. A method is listed twice if it first answers with what it
has and later does more: once for each state.

Example:
  lodestar generate road -n 65000 -o roads.lsg
  lodestar bench traffic roads.lsg --kind clustered)");
}

}  // namespace lodestar::cli
