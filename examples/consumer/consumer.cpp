// Shortest paths in a program of your own: build a graph, ask, and see what is proven.
#include <cstdio>
#include <memory>

#include "lodestar/fit.h"
#include "lodestar/router.h"
#include "lodestar/search.h"

int main() {
  lodestar::GraphBuilder builder(4);
  builder.add_edge(0, 1, 2);
  builder.add_edge(1, 2, 2);
  builder.add_edge(0, 2, 5);
  builder.add_edge(2, 3, 1);
  const lodestar::Graph graph = builder.build();

  // A* with a heuristic of your own. A lambda promises nothing, so the search reports a bound.
  lodestar::Searcher searcher(graph);
  const auto found = searcher.run({0, 3}, [](lodestar::NodeId v) { return v == 3 ? 0.0 : 1.0; });
  std::printf("cost %g, lower bound %g, %llu expansions, path:", found.cost, found.lower_bound,
              static_cast<unsigned long long>(found.expansions));
  for (const lodestar::NodeId v : searcher.path()) std::printf(" %u", v);
  std::printf("\n");

  // Potentials learned for this graph, asked from any thread, by name or by object.
  lodestar::FitOptions options;
  options.potential_count = 2;
  options.rounds = 2;
  const auto potentials =
      std::make_shared<const lodestar::Potentials>(lodestar::fit(graph, options).potentials);
  const lodestar::Router router(graph, {.potentials = potentials});
  const lodestar::Route route = router.path({0, 3});
  std::printf("learned: cost %g, %s\n", route.result.cost,
              route.result.optimal() ? "proven optimal" : "not proven");
  return route.result.cost == 5 && found.cost == 5 && route.result.optimal() ? 0 : 1;
}
