#include "traffic.h"

#include <algorithm>
#include <cstdio>

#include "bench/harness/comparison.h"
#include "bench/harness/queries.h"
#include "peer.h"

namespace lodestar::bench {
namespace {

constexpr std::uint64_t kPairSeed = 99;

std::vector<eval::TrafficMethod> chosen(const std::vector<std::string>& ids) {
  std::vector<eval::TrafficMethod> methods = {routingkit_ch_traffic(), routingkit_cch_traffic()};
  std::size_t found = 0;
  for (const eval::TrafficMethod& method : eval::traffic_methods()) {
    if (std::find(ids.begin(), ids.end(), method.id) == ids.end()) continue;
    methods.push_back(method);
    ++found;
  }
  if (found != ids.size()) throw Error("--methods names one that `bench traffic` does not have");
  return methods;
}

}  // namespace

std::size_t show_traffic(const Graph& before, const TrafficRun& run) {
  const Graph after = eval::with_traffic(before, {.kind = run.kind});
  eval::Comparison comparison(after, eval::reachable_pairs(after, run.count, Rng(kPairSeed)));
  std::vector<double> ready;
  for (const eval::TrafficMethod& method : chosen(run.methods)) {
    std::fprintf(stderr, "preparing %s\n", method.name.c_str());
    const eval::React react = method.prepare(before, {});
    if (!react) continue;
    for (eval::Reaction& reaction : react(after)) {
      ready.push_back(reaction.seconds);
      eval::Method described;
      described.id = method.id + ":" + reaction.name;
      described.name = method.name + ", " + reaction.name;
      comparison.add(described, std::move(reaction.ready));
    }
  }
  const eval::CostsAndPaths measured = eval::measure_costs_and_paths(comparison, run.passes);
  std::printf(
      "| method | exact after | expansions | µs | µs with path | wrong |\n"
      "|:--|--:|--:|--:|--:|--:|\n");
  std::size_t wrong = 0;
  for (std::size_t m = 0; m < ready.size(); ++m) {
    const eval::MethodResult& costs = measured.costs[m];
    wrong += measured.wrong(m);
    std::printf("| %s | %.1f ms | %.0f | %.2f | %.2f | %zu |\n", costs.name.c_str(), 1e3 * ready[m],
                costs.expansions, 1e6 * costs.seconds, 1e6 * measured.paths[m].seconds,
                measured.wrong(m));
  }
  std::fflush(stdout);
  return wrong;
}

}  // namespace lodestar::bench
