// infer: the cost and the gain of learned heuristics. All measurements take turns in one process;
// ratios are of medians over rounds.
//
//   build/bench/infer [--quick]
//
// 1. One 256-node dense graph: the potentials of a query. One-step models are timed as the search
//    uses them: begin() and the nodes it evaluates.
// 2. Heap allocations per query after warm-up.
// 3. Heuristic + search against our own Dijkstra on a graph that is queried repeatedly.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "allocations.h"
#include "bench/harness/program.h"
#include "bench/harness/queries.h"
#include "bench/harness/statistics.h"
#include "bench/harness/turns.h"
#include "lodestar/bidirectional.h"
#include "lodestar/generate.h"
#include "lodestar/learned.h"
#include "random_model.h"

namespace lodestar::bench {
namespace {

struct NamedModel {
  std::string name;
  Model model;
};

// The embedded model; a random one of the same shape where there is none yet.
NamedModel model_of(const std::string& preset) {
  for (const EmbeddedModel& embedded : embedded_models()) {
    if (embedded.preset == preset && embedded.is_default) return {preset, load_model(preset)};
  }
  ModelConfig config;
  config.preset = preset;
  if (preset != "paper") {
    config.hidden = config.message = preset == "deep" ? 32 : 16;
    config.steps = preset == "deep" ? 12 : 1;
    config.predecessor = false;
    config.features = {.pos = false,
                       .hints = false,
                       .direction = MessageDirection::kAgainst,
                       .degree_normalisation = true};
  }
  return {preset + " (random)", random_model(config, 1)};
}

// Median seconds per query of each task.
std::vector<double> interleave(int rounds, std::span<const Query> queries,
                               const std::vector<std::function<void(Query)>>& tasks) {
  const auto ask_all = [&](std::size_t c, int) {
    for (const Query query : queries) tasks[c](query);
  };
  bench::time_in_turns(tasks.size(), {.turns = 1}, ask_all);  // warms up
  std::vector<double> out;
  for (const auto& times : bench::time_in_turns(tasks.size(), {.turns = rounds}, ask_all)) {
    out.push_back(bench::median(times) / static_cast<double>(queries.size()));
  }
  return out;
}

Graph dense_graph(Density density, std::uint64_t seed) {
  GraphSpec spec;
  spec.nodes = 256;
  spec.density = density;
  spec.seed = seed;
  return generate(spec);
}

std::vector<Query> random_queries(const Graph& graph, std::size_t count) {
  return bench::reachable_pairs(graph, count, Rng(9));
}

// Records the nodes whose estimate a search requests.
struct Recorder {
  LazyPotential& lazy;
  std::vector<NodeId>& asked;
  Cost operator()(NodeId v) {
    asked.push_back(v);
    return lazy(v);
  }
};

void time_queries(int rounds) {
  std::printf("One query, 256 nodes, dense\n%-18s %10s\n", "model", "µs");
  const Graph graph = dense_graph(Density::kDense, 3);
  const std::vector<Query> queries = random_queries(graph, 10);
  for (const char* preset : {"paper", "deep", "swift"}) {
    const NamedModel model = model_of(preset);
    const PotentialNet net(model.model, graph);
    PotentialNet::Workspace work(net);
    std::vector<double> y(256);
    volatile double sink = 0;

    // What the search evaluates, per query.
    std::vector<std::vector<NodeId>> asked(queries.size());
    std::unique_ptr<LazyPotential> lazy;
    if (net.collapses()) {
      lazy = std::make_unique<LazyPotential>(net);
      Searcher searcher(graph);
      for (std::size_t i = 0; i < queries.size(); ++i) {
        lazy->begin(queries[i]);
        searcher.run(queries[i], Recorder{*lazy, asked[i]});
      }
    }
    std::size_t at = 0;
    std::vector<std::function<void(Query)>> tasks;
    tasks.push_back([&](Query query) {
      if (!lazy) {
        net.potentials(query, work, y);
        return;
      }
      lazy->begin(query);
      double sum = 0;
      for (const NodeId v : asked[at]) sum += (*lazy)(v);
      sink = sum;
      at = (at + 1) % asked.size();
    });
    const auto seconds = interleave(rounds, queries, tasks);
    std::printf("%-18s %10.2f\n", model.name.c_str(), seconds[0] * 1e6);
  }
}

void count_allocations() {
  std::printf("\nHeap allocations in 1000 queries after warm-up, 256 nodes, dense\n");
  std::printf("%-18s %8s %8s %8s\n", "model", "free", "exact", "bounded");
  const Graph graph = dense_graph(Density::kDense, 3);
  const std::vector<Query> queries = random_queries(graph, 1000);
  for (const char* preset : {"paper", "deep", "swift"}) {
    const NamedModel model = model_of(preset);
    const PotentialNet net(model.model, graph);
    std::printf("%-18s", model.name.c_str());
    for (const Promise promise : {Promise::kNothing, Promise::kExact, Promise::kBound}) {
      LearnedSearcher searcher(graph, net, {.promise = promise});
      for (const Query query : queries) searcher.run(query);
      const std::uint64_t before = allocations();
      for (const Query query : queries) searcher.run(query);
      std::printf(" %8llu", static_cast<unsigned long long>(allocations() - before));
    }
    std::printf("\n");
  }
}

void against_dijkstra(int rounds) {
  std::printf(
      "\nHeuristic + search against our own Dijkstra, 256 nodes, one graph queried repeatedly\n");
  std::printf("%-10s %-20s %12s %12s %10s %14s\n", "density", "method", "expansions", "µs",
              "speed-up", "rel. distance");
  for (const Density density : {Density::kDense, Density::kVeryDense}) {
    const Graph graph = dense_graph(density, 5);
    const std::vector<Query> queries = random_queries(graph, 200);
    Searcher dijkstra(graph), by_weight(graph.ordered(ArcOrder::kByWeight));
    std::vector<std::string> names{"dijkstra", "dijkstra, by weight"};
    std::vector<std::function<SearchResult(Query)>> methods;
    methods.push_back([&](Query query) { return dijkstra.run(query, Zero{}); });
    methods.push_back([&](Query query) { return by_weight.run(query, Zero{}); });
    std::vector<std::unique_ptr<LearnedSearcher>> searchers;
    for (const char* preset : {"paper", "swift", "deep"}) {
      const NamedModel model = model_of(preset);
      const PotentialNet net(model.model, graph);
      for (const Promise promise : {Promise::kNothing, Promise::kExact}) {
        searchers.push_back(
            std::make_unique<LearnedSearcher>(graph, net, LearnedOptions{.promise = promise}));
        names.push_back(model.name + (promise == Promise::kExact ? ", exact" : ""));
        LearnedSearcher* searcher = searchers.back().get();
        methods.push_back([searcher](Query query) { return searcher->run(query); });
      }
    }
    BidirectionalSearcher both(graph, std::make_shared<const LookAhead>(graph));
    names.push_back("bidirectional");
    methods.push_back([&](Query query) { return both.run(query, BidirectionalKeys::kLookAhead); });

    std::vector<std::function<void(Query)>> tasks;
    for (const auto& method : methods) {
      tasks.push_back([&method](Query query) { method(query); });
    }
    const auto seconds = interleave(rounds, queries, tasks);
    for (std::size_t m = 0; m < methods.size(); ++m) {
      double expansions = 0, excess = 0;
      for (const Query query : queries) {
        const SearchResult found = methods[m](query);
        expansions += static_cast<double>(found.expansions);
        excess += found.cost / dijkstra.run(query, Zero{}).cost - 1;
      }
      const double n = static_cast<double>(queries.size());
      std::printf("%-10s %-20s %12.1f %12.2f %10.2f %12.2f %%\n", to_string(density).c_str(),
                  names[m].c_str(), expansions / n, seconds[m] * 1e6, seconds[0] / seconds[m],
                  100 * excess / n);
    }
  }
  std::printf("the paper reports 4.83 (dense) and 5.24 (very dense), against Dijkstra in Python\n");
}

}  // namespace
}  // namespace lodestar::bench

int main(int argc, char** argv) {
  bool quick = false;
  CLI::App app("Cost and gain of learned heuristics", "infer");
  app.add_flag("--quick", quick, "5 rounds instead of 41");
  return lodestar::bench::run_program(app, argc, argv, [&] {
    const int rounds = quick ? 5 : 41;
    lodestar::bench::time_queries(rounds);
    lodestar::bench::count_allocations();
    lodestar::bench::against_dijkstra(rounds);
    return 0;
  });
}
