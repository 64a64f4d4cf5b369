// Shortest paths in a program of your own: build a graph, ask, and see what is proven.
#include <cstdio>

#include "lodestar/bidirectional.h"
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

  // The best exact method on a graph nothing is known about.
  lodestar::BidirectionalSearcher both(graph);
  return both.run({0, 3}).cost == 5 && found.cost == 5 ? 0 : 1;
}
