// index_changes GRAPH [--arcs K] [--changes N]: the time from a change of K weights to the first
// query, through the library. Some queries after every change are compared with a bidirectional
// search. Exits with 1 on a wrong answer.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bench/harness/program.h"
#include "bench/harness/stopwatch.h"
#include "lodestar/bidirectional.h"
#include "lodestar/graph_io.h"
#include "lodestar/index.h"
#include "lodestar/rng.h"
#include "lodestar/router.h"
#include "lodestar/weight_changes.h"

namespace {

using namespace lodestar;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Change {
  std::vector<ArcIndex> arcs;
  std::vector<Weight> weights;
};

// K random edges get 1, 2 or 3 times their weights of the file; both directions alike if `both`.
Change draw(const Graph& base, std::size_t count, bool both, Rng& rng) {
  Change change;
  const auto& first = base.arrays().first[0];
  while (change.arcs.size() < count) {
    const NodeId u = rng.below(base.node_count());
    if (base.degree(u) == 0) continue;
    const auto i = static_cast<ArcIndex>(rng.below(static_cast<NodeId>(base.degree(u))));
    const Arc arc = base.arcs(u)[i];
    const Weight weight = arc.weight * (1 + rng.below(3));
    change.arcs.push_back(first[u] + i);
    change.weights.push_back(weight);
    if (!both) continue;
    const ArcRange back = base.arcs(arc.head);
    for (ArcIndex k = 0; k < back.size(); ++k) {
      if (back[k].head != u) continue;
      change.arcs.push_back(first[arc.head] + k);
      change.weights.push_back(weight);
      break;
    }
  }
  return change;
}

}  // namespace

int main(int argc, char** argv) {
  std::string path;
  std::size_t arcs = 100, changes = 50, queries = 20;
  bool both = false;
  std::uint64_t seed = 1;
  CLI::App app("Time of small changes of weights", "index_changes");
  app.add_option("graph", path)->required();
  app.add_option("--arcs", arcs, "Arcs of a change");
  app.add_option("--changes", changes);
  app.add_option("--queries", queries, "Queries compared after every change");
  app.add_flag("--both", both, "Change both directions of an edge");
  app.add_option("--seed", seed);
  return bench::run_program(app, argc, argv, [&] {
    const Graph base = read_graph(path).graph;
    Graph graph = base;
    const IndexOptions quick{.seconds = 0, .quick = true};
    IndexOptions chosen;
    chosen.rounds = 1;
    Index index = Index::build(graph, chosen).customized(graph, quick);
    Rng rng(seed);
    std::vector<double> graph_ms, index_ms, router_ms, sum_ms;
    std::size_t wrong = 0, checked = 0;
    for (std::size_t i = 0; i < changes; ++i) {
      const Change change = draw(base, arcs, both, rng);
      bench::Stopwatch watch;
      graph = with_weights(graph, change.arcs, change.weights);
      const double made_graph = watch.seconds();
      index = index.customized(graph, quick);
      const double made_index = watch.seconds();
      const Router router(graph, {.index = std::make_shared<const Index>(index)});
      const double made_router = watch.seconds();
      graph_ms.push_back(1e3 * made_graph);
      index_ms.push_back(1e3 * (made_index - made_graph));
      router_ms.push_back(1e3 * (made_router - made_index));
      sum_ms.push_back(1e3 * made_router);
      BidirectionalSearcher oracle(graph);
      for (std::size_t q = 0; q < queries; ++q, ++checked) {
        const Query query{rng.below(graph.node_count()), rng.below(graph.node_count())};
        wrong += router.path(query).result.cost != oracle.run(query).cost;
      }
    }
    std::printf(
        "%zu changes of %zu arcs, medians: graph %.2f ms, index %.2f ms, router %.2f ms; "
        "together %.2f ms, longest %.2f ms; %zu answers, %zu wrong\n",
        changes, arcs, median(graph_ms), median(index_ms), median(router_ms), median(sum_ms),
        *std::max_element(sum_ms.begin(), sum_ms.end()), checked, wrong);
    return wrong == 0 ? 0 : 1;
  });
}
