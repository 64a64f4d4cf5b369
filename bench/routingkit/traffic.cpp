#include "traffic.h"

#include <algorithm>
#include <cstdio>

#include "bench/harness/comparison.h"
#include "bench/harness/queries.h"
#include "peer.h"

namespace lodestar::bench {
namespace {

constexpr std::uint64_t kPairSeed = 99;

std::vector<bench::TrafficMethod> chosen(const std::vector<std::string>& ids) {
  std::vector<bench::TrafficMethod> methods = {routingkit_ch_traffic(), routingkit_cch_traffic()};
  std::size_t found = 0;
  for (const bench::TrafficMethod& method : bench::traffic_methods()) {
    if (std::find(ids.begin(), ids.end(), method.id) == ids.end()) continue;
    methods.push_back(method);
    ++found;
  }
  if (found != ids.size()) throw Error("--methods names one that `bench traffic` does not have");
  return methods;
}

}  // namespace

std::size_t show_traffic(const Graph& before, const TrafficRun& run) {
  const Graph after = bench::with_traffic(before, {.kind = run.kind});
  bench::Comparison comparison(after, bench::reachable_pairs(after, run.count, Rng(kPairSeed)));
  std::vector<double> ready;
  for (const bench::TrafficMethod& method : chosen(run.methods)) {
    std::fprintf(stderr, "preparing %s\n", method.name.c_str());
    const bench::React react = method.prepare(before, {});
    if (!react) continue;
    for (bench::Reaction& reaction : react(after)) {
      ready.push_back(reaction.seconds);
      bench::Method described;
      described.id = method.id + ":" + reaction.name;
      described.name = method.name + ", " + reaction.name;
      comparison.add(described, std::move(reaction.ready));
    }
  }
  const bench::CostsAndPaths measured = bench::measure_costs_and_paths(comparison, run.passes);
  std::printf(
      "| method | exact after | expansions | µs | µs with path | wrong |\n"
      "|:--|--:|--:|--:|--:|--:|\n");
  std::size_t wrong = 0;
  for (std::size_t m = 0; m < ready.size(); ++m) {
    const bench::MethodResult& costs = measured.costs[m];
    wrong += measured.wrong(m);
    std::printf("| %s | %.1f ms | %.0f | %.2f | %.2f | %zu |\n", costs.name.c_str(), 1e3 * ready[m],
                costs.expansions, 1e6 * costs.seconds, 1e6 * measured.paths[m].seconds,
                measured.wrong(m));
  }
  std::fflush(stdout);
  return wrong;
}

}  // namespace lodestar::bench
