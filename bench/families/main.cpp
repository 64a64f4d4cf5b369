// Models on families of graphs, made exact by closure: a Markdown table of the effort relative to a
// perfect heuristic, Dijkstra's algorithm and bidirectional search.
//
//   build/bench/families                                   # the default model of deep
//   build/bench/families runs/mine/model.safetensors --sizes 64,256,1024
//   build/bench/families --families grid,geometric --seed 7 --graphs 8 --queries 8
//
// "effort" is the nodes A* expands plus the nodes the closure changes: the closure of a potential
// that is too high is a search of its own. Ratios are of sums over all queries and models. "p99"
// and "worst" are of single queries, of the effort unless they say expansions. "steps" is the
// number of steps of the network, "ms" its time, "price" that time divided by the expansions it
// saves against bidirectional search: it pays where an expansion costs more.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "bench/harness/exact_potential.h"
#include "bench/harness/program.h"
#include "bench/harness/statistics.h"
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
  std::vector<std::string> models = {"deep"}, families;
  std::vector<NodeId> sizes = {64, 256, 1024};
  std::string road;
  std::uint64_t seed = 1;
  std::uint32_t graphs = 8, queries = 8;
  NetOptions net;
  bool each = false;
};

struct Sums {
  double queries = 0, nodes = 0, arcs = 0, path = 0, closed = 0, steps = 0;
  double model = 0, perfect = 0, dijkstra = 0, bidirectional = 0, too_long = 0;
  double milliseconds = 0;
  std::vector<double> expanded, effort;  // ÷ perfect, of each query

  void add(const Sums& other) {
    for (double Sums::*member :
         {&Sums::queries, &Sums::nodes, &Sums::arcs, &Sums::path, &Sums::closed, &Sums::steps,
          &Sums::model, &Sums::perfect, &Sums::dijkstra, &Sums::bidirectional, &Sums::too_long,
          &Sums::milliseconds}) {
      this->*member += other.*member;
    }
    expanded.insert(expanded.end(), other.expanded.begin(), other.expanded.end());
    effort.insert(effort.end(), other.effort.begin(), other.effort.end());
  }
};

void measure(const Graph& graph, const std::vector<Model>& models, const Arguments& arguments,
             Rng& rng, std::vector<Sums>& sums) {
  const NodeId n = graph.node_count();
  Searcher searcher(graph);
  BidirectionalSearcher both(graph);
  ExactClosure closure(graph);
  std::vector<PotentialNet> nets;
  std::vector<PotentialNet::Workspace> works;
  for (const Model& model : models) nets.emplace_back(model, graph, arguments.net);
  for (const PotentialNet& net : nets) works.emplace_back(net);
  std::vector<double> y(n);
  for (std::uint32_t q = 0; q < arguments.queries; ++q) {
    const Query query = random_reachable_query(searcher, rng);
    const SearchResult truth = searcher.run(query, Zero{});
    const auto path = static_cast<double>(searcher.path().size());
    const auto search = [&](Guarantee guarantee) {
      return searcher.run(query, PotentialHeuristic(y, query.target, guarantee));
    };
    bench::exact_potential(searcher, query.target, y);
    const auto perfect = static_cast<double>(search(Guarantee::kConsistent).expansions);
    const auto bidirectional = static_cast<double>(both.run(query).expansions);
    for (std::size_t k = 0; k < models.size(); ++k) {
      Sums one;
      const std::clock_t start = std::clock();
      nets[k].potentials(query, works[k], y);
      one.milliseconds = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      const SearchResult plain = search(Guarantee::kNone);
      one.closed = static_cast<double>(closure.apply(y, query.target).settled);
      const SearchResult sure = search(Guarantee::kConsistent);
      if (std::abs(sure.cost - truth.cost) > 1e-9 * truth.cost) {
        throw Error("a path is not the shortest: a defect");
      }
      one.queries = 1;
      one.nodes = n;
      one.arcs = static_cast<double>(graph.arc_count());
      one.path = path;
      one.steps = works[k].steps();
      one.model = static_cast<double>(sure.expansions);
      one.perfect = perfect;
      one.dijkstra = static_cast<double>(truth.expansions);
      one.bidirectional = bidirectional;
      if (truth.cost > 0) one.too_long = (plain.cost - truth.cost) / truth.cost;
      one.expanded = {one.model / perfect};
      one.effort = {(one.model + one.closed) / perfect};
      sums[k].add(one);
    }
  }
}

void print_row(const std::string& name, const Sums& s) {
  std::printf(
      "| %s | %.0f | %.1f | %.1f | %.1f | %.1f | %.2f | **%.2f** | %.2f | %.2f | %.1f | %.1f | "
      "%.3f | %.2f | "
      "%.0f "
      "| %.2f | %.1f |\n",
      name.c_str(), s.nodes / s.queries, s.arcs / s.nodes, s.path / s.queries, s.model / s.queries,
      s.closed / s.queries, s.model / s.perfect, (s.model + s.closed) / s.perfect,
      bench::quantile(s.expanded, 0.99), bench::quantile(s.expanded, 1),
      bench::quantile(s.effort, 0.99), bench::quantile(s.effort, 1),
      (s.model + s.closed) / s.dijkstra, (s.model + s.closed) / s.bidirectional,
      s.steps / s.queries, s.milliseconds / s.queries,
      1e3 * s.milliseconds / (s.bidirectional - s.model - s.closed));
  std::fflush(stdout);
}

int run(const Arguments& arguments) {
  std::vector<Model> models;
  for (const std::string& name : arguments.models) models.push_back(load_model(name));
  GraphSpec roads;
  roads.family = Family::kRoad;
  roads.nodes = 20'000;
  roads.seed = arguments.seed;
  const Graph road = arguments.road.empty() ? generate(roads) : read_graph(arguments.road).graph;
  std::printf(
      "| graphs | nodes | degree | nodes of a path | expansions | closed | expansions ÷ perfect | "
      "effort ÷ perfect | p99, expansions | worst, expansions | p99 | worst | ÷ Dijkstra | ÷ "
      "bidirectional | steps | ms | price, µs |\n"
      "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const families::FamilyRow& family : families::all_families()) {
    const auto& wanted = arguments.families;
    if (wanted.empty() ? family.er
                       : std::find(wanted.begin(), wanted.end(), family.name) == wanted.end()) {
      continue;
    }
    for (const NodeId nodes : arguments.sizes) {
      std::vector<Sums> sums(models.size());
      for (std::uint32_t g = 0; g < arguments.graphs; ++g) {
        Rng rng(mix64(mix64(arguments.seed) + g) + nodes);
        const Graph graph = families::make_family(family.name, nodes, rng, road);
        measure(graph, models, arguments, rng, sums);
      }
      Sums all;
      for (std::size_t k = 0; k < models.size(); ++k) {
        if (arguments.each && models.size() > 1) {
          print_row(family.words + (", " + arguments.models[k]), sums[k]);
        }
        all.add(sums[k]);
      }
      print_row(family.words, all);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Models on families of graphs", "families");
  Arguments arguments;
  app.add_option("models", arguments.models, "Files, or names of shipped models");
  app.add_option("--families", arguments.families)->delimiter(',');
  app.add_option("--sizes", arguments.sizes)->delimiter(',');
  app.add_option("--road", arguments.road, "Graph file to cut pieces out of");
  app.add_option("--seed", arguments.seed);
  app.add_option("--graphs", arguments.graphs, "Per row");
  app.add_option("--queries", arguments.queries, "Per graph");
  app.add_option("--steps", arguments.net.steps, "Steps of the network, at most");
  app.add_option("--scale", arguments.net.scale, "Scale of y");
  app.add_flag("--each", arguments.each, "Also a row for each model");
  return lodestar::bench::run_program(app, argc, argv, [&] { return run(arguments); });
}
