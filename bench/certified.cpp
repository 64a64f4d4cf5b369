// The promises of learned heuristics, kept over many queries: counts of broken ones, which must
// all be 0, and what the promises cost in expansions.
//
//   build/bench/certified [queries]        default 12,000; real data where LODESTAR_DATA points
//
// Every query is answered by Dijkstra and, for each model, free, exact and within a bound. Models:
// the embedded ones, and random ones whose potentials are wrong in every way.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "bench/harness/queries.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/learned.h"
#include "random_model.h"

namespace lodestar {
namespace {

constexpr double kBounds[] = {0.05, 0.0, 0.2};

struct Tally {
  std::uint64_t queries = 0;
  std::uint64_t not_optimal = 0;   // exact mode differs from Dijkstra in any bit
  std::uint64_t beyond_bound = 0;  // bounded mode exceeds (1 + ε) times the distance
  std::uint64_t false_bounds = 0;  // a lower bound exceeds the distance
  double dijkstra = 0, free = 0, exact = 0, bounded = 0;  // expansions
  double closed = 0;  // nodes the closure changed, work of the exact mode beside its expansions
  double excess = 0;  // of free answers, relative

  void add(const Tally& other) {
    queries += other.queries;
    not_optimal += other.not_optimal;
    beyond_bound += other.beyond_bound;
    false_bounds += other.false_bounds;
    dijkstra += other.dijkstra;
    free += other.free;
    exact += other.exact;
    bounded += other.bounded;
    closed += other.closed;
    excess += other.excess;
  }
  bool broken() const { return not_optimal + beyond_bound + false_bounds > 0; }
  void print(const std::string& name) const {
    const double n = static_cast<double>(queries);
    std::printf("%-34s %7llu %7llu %7llu %7llu %10.1f %9.1f %9.1f %9.1f %9.1f %9.3f\n",
                name.c_str(), static_cast<unsigned long long>(queries),
                static_cast<unsigned long long>(not_optimal),
                static_cast<unsigned long long>(beyond_bound),
                static_cast<unsigned long long>(false_bounds), dijkstra / n, free / n, exact / n,
                closed / n, bounded / n, 100 * excess / n);
  }
};

struct NamedModel {
  std::string name;
  Model model;
};

std::vector<NamedModel> models() {
  std::vector<NamedModel> out;
  for (const EmbeddedModel& embedded : embedded_models()) {
    if (!embedded.is_default) continue;
    const std::string name(embedded.preset);
    out.push_back({name, load_model(name)});
  }
  for (const std::uint32_t steps : {1u, 4u}) {
    ModelConfig config;
    config.hidden = config.message = 12;
    config.steps = steps;
    config.predecessor = false;
    config.features.pos = config.features.hints = steps == 1;
    out.push_back({"random, " + std::to_string(steps) + " steps", random_model(config, steps)});
  }
  return out;
}

// `slack` forgives rounding in the comparison of bounds where weights are not dyadic.
void examine(const Graph& graph, const std::vector<Query>& queries, const NamedModel& model,
             double bound, double slack, Tally& tally) {
  const PotentialNet net(model.model, graph);
  Searcher dijkstra(graph);
  // Wrong potentials may re-open exponentially often: a cap keeps the run finite, and the lower
  // bound must hold all the same.
  LearnedSearcher free(graph, net, {.search = {.max_expansions = 4 * graph.node_count() + 1000}});
  LearnedSearcher exact(graph, net, {.promise = Promise::kExact});
  LearnedSearcher bounded(graph, net, {.promise = Promise::kBound, .bound = bound});
  for (const Query query : queries) {
    const SearchResult truth = dijkstra.run(query, Zero{});
    const SearchResult any = free.run(query);
    const SearchResult best = exact.run(query);
    const SearchResult within = bounded.run(query);
    ++tally.queries;
    tally.not_optimal += best.cost != truth.cost;
    tally.beyond_bound += within.cost > (1 + bound) * truth.cost * (1 + slack);
    const double limit = truth.cost * (1 + slack);
    tally.false_bounds += any.lower_bound > limit;
    tally.false_bounds += best.lower_bound > limit;
    tally.false_bounds += within.lower_bound > limit;
    tally.dijkstra += static_cast<double>(truth.expansions);
    tally.free += static_cast<double>(any.expansions);
    tally.exact += static_cast<double>(best.expansions);
    tally.closed += static_cast<double>(exact.closed_nodes());
    tally.bounded += static_cast<double>(within.expansions);
    if (truth.reached() && truth.cost > 0 && any.reached())
      tally.excess += any.cost / truth.cost - 1;
  }
}

bool run(std::size_t wanted) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a line at a time, into files too
  std::vector<NamedModel> all = models();
  std::map<std::string, Tally> by_model;
  bool broken = false;
  std::printf("%-34s %7s %7s %7s %7s %10s %9s %9s %9s %9s %9s\n", "", "", "not", "beyond", "false",
              "", "", "expansions", "exact:", "", "free,");
  std::printf("%-34s %7s %7s %7s %7s %10s %9s %9s %9s %9s %9s\n", "graphs, model", "queries",
              "optimal", "bound", "bounds", "dijkstra", "free", "exact", "closed", "bounded",
              "% excess");
  const auto report = [&](const std::string& name, const std::string& model, const Tally& tally) {
    tally.print(name + ", " + model);
    by_model[model].add(tally);
    broken = broken || tally.broken();
  };

  // Step 1. The paper's graphs: three densities, undirected and directed, 16 to 256 nodes.
  const std::size_t per_graph = 10, families = 6;
  const std::size_t graphs = (wanted + per_graph * families - 1) / (per_graph * families);
  for (const Density density : {Density::kSparse, Density::kDense, Density::kVeryDense}) {
    for (const Draw draw : {Draw::kOr, Draw::kDirected}) {
      for (const NamedModel& model : all) {
        Tally tally;
        for (std::size_t i = 0; i < graphs; ++i) {
          GraphSpec spec;
          spec.nodes = static_cast<NodeId>(16 + i % 16 * 16);
          spec.density = density;
          spec.draw = draw;
          spec.seed = 1000 + i;
          const Graph graph = generate(spec);
          examine(graph, eval::reachable_pairs(graph, per_graph, Rng(i)), model, kBounds[i % 3],
                  1e-12, tally);
        }
        report(to_string(density) + (draw == Draw::kDirected ? " directed" : ""), model.name,
               tally);
      }
    }
  }

  // Step 2. Real graphs.
  if (const char* data = std::getenv("LODESTAR_DATA")) {
    for (const std::string file :
         {"roads/rome99.gr", "movingai/plain/AR0410SR.map", "movingai/plain/Denver_1_256.map"}) {
      const Graph graph = read_graph(std::string(data) + "/" + file).graph;
      for (const NamedModel& model : all) {
        Tally tally;
        for (std::size_t i = 0; i < 3; ++i) {
          examine(graph,
                  eval::reachable_pairs(graph, std::max<std::size_t>(1, wanted / 600), Rng(i)),
                  model, kBounds[i], 1e-9, tally);
        }
        report(file.substr(file.rfind('/') + 1), model.name, tally);
      }
    }
  } else {
    std::printf("LODESTAR_DATA is not set: no real graphs\n");
  }
  for (const auto& [name, tally] : by_model) tally.print("all, " + name);
  std::printf("%s\n", broken ? "BROKEN PROMISES" : "every promise kept");
  return !broken;
}

}  // namespace
}  // namespace lodestar

int main(int argc, char** argv) {
  const long queries = argc > 1 ? std::atol(argv[1]) : 12000;
  if (queries <= 0) {
    std::fprintf(stderr, "usage: certified [queries]\n");
    return 2;
  }
  return lodestar::run(static_cast<std::size_t>(queries)) ? 0 : 1;
}
