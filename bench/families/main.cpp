// A model on families of graphs it was not trained on, made exact by closure: a Markdown table of
// expansions as shares of what a perfect heuristic, Dijkstra's algorithm and bidirectional search
// take, and how far above the optimum the paths are without closure.
//
//   build/bench/families                                   # the default model of deep
//   build/bench/families runs/mine/model.safetensors --sizes 64,256,1024
//   build/bench/families --road graph.gr --seed 7 --graphs 8 --queries 8
//
// Ratios are of sums over all queries. "worst" is the largest ratio of a single query to the
// perfect heuristic's expansions; "closed" how many nodes the closure changes a query: work that
// expansions do not show.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../model_arguments.h"
#include "graphs.h"
#include "lodestar/bidirectional.h"
#include "lodestar/certificate.h"
#include "lodestar/generate.h"
#include "lodestar/graph_io.h"
#include "lodestar/infer.h"
#include "lodestar/search.h"

namespace {

using namespace lodestar;

struct Arguments {
  bench::ModelArguments models{"bench/families/main.cpp"};
  std::string road;
  bench::Words sizes = {"64", "256", "1024"};
  std::uint64_t seed = 1;
  std::uint32_t graphs = 8, queries = 8;
};

void parse(int argc, char** argv, Arguments& out) {
  out.models.take("--road", out.road);
  out.models.take("--sizes", out.sizes);
  out.models.take("--seed", out.seed);
  out.models.take("--graphs", out.graphs);
  out.models.take("--queries", out.queries);
  out.models.parse(argc, argv, "deep");
}

struct Sums {
  double queries = 0, nodes = 0, arcs = 0, hops = 0, closed = 0, excess = 0;
  double model = 0, perfect = 0, dijkstra = 0, bidirectional = 0, worst = 0;
};

void measure(const Graph& graph, const Model& model, std::uint32_t queries, Rng& rng, Sums& sums) {
  const NodeId n = graph.node_count();
  Searcher searcher(graph);
  BidirectionalSearcher both(graph);
  ExactClosure closure(graph);
  const PotentialNet net(model, graph);
  PotentialNet::Workspace work(net);
  std::vector<double> y(n), exact(n);
  for (std::uint32_t q = 0; q < queries; ++q) {
    const Query query = random_reachable_query(searcher, rng);
    const SearchResult truth = searcher.run(query, Zero{});
    sums.hops += static_cast<double>(searcher.path().size());
    searcher.set_direction(Direction::kBackward);
    searcher.run_all(query.target);
    double farthest = 0;
    for (NodeId v = 0; v < n; ++v) {
      exact[v] = -searcher.distance(v);
      if (exact[v] > -kInfinity) farthest = std::max(farthest, -exact[v]);
    }
    for (double& value : exact) value = std::max(value, -2 * farthest);  // no way to the target
    searcher.set_direction(Direction::kForward);
    const auto search = [&](std::span<double> potential, Guarantee guarantee) {
      return searcher.run(query, PotentialHeuristic(potential, query.target, guarantee));
    };
    const SearchResult perfect = search(exact, Guarantee::kConsistent);
    net.potentials(query, work, y);
    const SearchResult plain = search(y, Guarantee::kNone);
    sums.closed += static_cast<double>(closure.apply(y, query.target).settled);
    const SearchResult sure = search(y, Guarantee::kConsistent);
    if (std::abs(sure.cost - truth.cost) > 1e-9 * truth.cost) {
      throw Error("a path is not the shortest: a defect");
    }
    ++sums.queries;
    sums.nodes += n;
    sums.arcs += static_cast<double>(graph.arc_count());
    if (truth.cost > 0) sums.excess += (plain.cost - truth.cost) / truth.cost;
    sums.dijkstra += static_cast<double>(truth.expansions);
    sums.perfect += static_cast<double>(perfect.expansions);
    sums.bidirectional += static_cast<double>(both.run(query).expansions);
    sums.model += static_cast<double>(sure.expansions);
    sums.worst = std::max(
        sums.worst, static_cast<double>(sure.expansions) / static_cast<double>(perfect.expansions));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  Arguments arguments;
  parse(argc, argv, arguments);
  const std::vector<Model> models = arguments.models.load();
  if (models.size() != 1) throw Error("name one model");
  GraphSpec roads;
  roads.family = Family::kRoad;
  roads.nodes = 20'000;
  roads.seed = arguments.seed;
  const Graph road = arguments.road.empty() ? generate(roads) : read_graph(arguments.road).graph;
  std::printf(
      "| graphs | nodes | degree | nodes of a path | expansions | ÷ perfect | worst | ÷ Dijkstra | "
      "÷ bidirectional | closed | paths too long without closure, %% |\n"
      "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const families::FamilyRow& family : families::all_families()) {
    for (const std::string& size : arguments.sizes) {
      Sums sums;
      for (std::uint32_t g = 0; g < arguments.graphs; ++g) {
        Rng rng(mix64(mix64(arguments.seed) + g) + std::stoul(size));
        const auto nodes = static_cast<NodeId>(std::stoul(size));
        const Graph graph = families::make_family(family.name, nodes, rng, road);
        measure(graph, models[0], arguments.queries, rng, sums);
      }
      std::printf("| %s | %.0f | %.1f | %.1f | %.1f | %.2f | %.1f | %.3f | %.2f | %.0f | %.3f |\n",
                  family.words, sums.nodes / sums.queries, sums.arcs / sums.nodes,
                  sums.hops / sums.queries, sums.model / sums.queries, sums.model / sums.perfect,
                  sums.worst, sums.model / sums.dijkstra, sums.model / sums.bidirectional,
                  sums.closed / sums.queries, 100 * sums.excess / sums.queries);
      std::fflush(stdout);
    }
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "families: %s\n", error.what());
  return 2;
}
