// Answers many requests on random nasty graphs and compares them with an oracle that shares no code
// with the library (tests/support/request_oracle.h).
//
//   build/bench/requests_check --answers 1000000
#include <CLI/CLI.hpp>
#include <cstdio>

#include "lodestar/router.h"
#include "request_family.h"

namespace lodestar {
namespace {

using namespace lodestar::testing;

struct Counts {
  std::uint64_t answers = 0, reached = 0, guided = 0, wrong = 0;
};

void check_case(std::uint64_t seed, Counts& counts) {
  Rng rng(seed);
  const std::size_t metric_count = 1 + seed % 3;
  const auto nodes = static_cast<NodeId>(2 + rng.below(60));
  const RequestCase graph = random_case(rng, nodes, metric_count, seed % 2 == 0);
  if (graph.arcs.empty()) return;
  RouterOptions options{.metrics = graph.metrics};
  std::vector<Router> routers = {Router(graph.graph, options)};
  for (const int bits : {32, 16}) {
    options.family = family_of(graph, metric_count + seed % 4, bits);
    if (options.family) routers.emplace_back(graph.graph, options);
  }
  for (int i = 0; i < 10; ++i) {
    const Preferences wish = random_preferences(rng, graph);
    std::vector<double> weights;
    for (ArcIndex a = 0; a < graph.arcs.size(); ++a)
      weights.push_back(plain_weight(graph, wish, a));
    for (int j = 0; j < 3; ++j) {
      const auto source = static_cast<NodeId>(rng.below(nodes));
      const auto truth = plain_dijkstra(nodes, graph.arcs, weights, source);
      for (const Router& router : routers) {
        try {
          Router::Requests requests = router.requests(wish);
          for (int k = 0; k < 5; ++k) {
            const Query query{source, static_cast<NodeId>(rng.below(nodes))};
            const RequestRoute route = requests.route(query);
            const double want = truth[query.target];
            double sum = 0;
            for (const ArcIndex arc : route.arcs) sum += weights[arc];
            const double slack = 1e-3 * nodes + 1e-9 * want;
            const bool right = want == kInfinity
                                   ? route.result.cost == kInfinity
                                   : std::abs(route.result.cost - want) <= slack &&
                                         std::abs(sum - want) <= slack && route.result.optimal();
            ++counts.answers;
            counts.reached += want < kInfinity;
            counts.guided += route.potentials;
            if (right) continue;
            ++counts.wrong;
            std::printf("seed %llu: %u to %u costs %.17g, not %.17g\n",
                        static_cast<unsigned long long>(seed), query.source, query.target, want,
                        route.result.cost);
          }
        } catch (const Error&) {  // a blend in which every path costs nothing
        }
      }
    }
  }
}

}  // namespace
}  // namespace lodestar

int main(int argc, char** argv) {
  CLI::App app("Checks requests against an oracle");
  std::uint64_t answers = 100'000, seed = 1;
  app.add_option("--answers", answers, "Answers to check")->capture_default_str();
  app.add_option("--seed", seed, "First seed")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  lodestar::Counts counts;
  for (; counts.answers < answers; ++seed) lodestar::check_case(seed, counts);
  std::printf("%llu answers, %llu with a path, %llu with potentials, %llu wrong\n",
              static_cast<unsigned long long>(counts.answers),
              static_cast<unsigned long long>(counts.reached),
              static_cast<unsigned long long>(counts.guided),
              static_cast<unsigned long long>(counts.wrong));
  return counts.wrong == 0 ? 0 : 1;
}
