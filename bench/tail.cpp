// How far the worst queries are from the mean: models with closure on fresh graphs, expansions ÷
// nodes of the shortest path.
//
//   build/bench/tail deep                                   # sparse, 4096 nodes, undirected
//   build/bench/tail deep --first 101 --seeds 20            # seeds 101 … 120
//   build/bench/tail deep --sizes 256,1024 --densities sparse,dense --draws or,directed
//   build/bench/tail --together runs/a/model.safetensors runs/b/model.safetensors
//
// Per seed: 3 graphs (--graphs) of 12 queries (--queries). Prints for each kind of graph the mean,
// the 99th percentile and the worst over all queries, the worst seed's mean, and how many nodes the
// closure changes a query, and the processor time of inference beside that of the first model.
// --together adds the largest of all models' heuristics (one closure of
// the least potential, each set to 0 at the target). --each-seed prints a line for every seed,
// --scale and --steps change how models are used, --where says for the worst query of each model
// how much too low its heuristic is by distance. --reach measures no graphs: it prints the largest
// estimate of each model on a line of nodes, 20 arcs long, and up to which distance its estimates
// are within 3 % (both in network units, in which training graphs have distances of 0.3 to 0.7).
// Seeds 1 to 99 are for choosing; results are quoted from 101 on.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "bench/harness/statistics.h"
#include "learn/evaluate/splits.h"
#include "lodestar/certificate.h"
#include "lodestar/infer.h"
#include "lodestar/search.h"
#include "model_arguments.h"

namespace {

using namespace lodestar;

struct Arguments {
  bench::ModelArguments models{"bench/tail.cpp"};
  bench::Words sizes = {"4096"}, densities = {"sparse"}, draws = {"or"};
  std::uint32_t first = 1, seeds = 4, graphs = 3, queries = 12;
  NetOptions net;
  bool together = false, each_seed = false, where = false, reach = false;
};

void parse(int argc, char** argv, Arguments& out) {
  out.models.take("--sizes", out.sizes);
  out.models.take("--densities", out.densities);
  out.models.take("--draws", out.draws);
  out.models.take("--first", out.first);
  out.models.take("--seeds", out.seeds);
  out.models.take("--graphs", out.graphs);
  out.models.take("--queries", out.queries);
  out.models.take("--steps", out.net.steps);
  out.models.take("--scale", out.net.scale);
  out.models.flag("--together", out.together);
  out.models.flag("--each-seed", out.each_seed);
  out.models.flag("--where", out.where);
  out.models.flag("--reach", out.reach);
  out.models.parse(argc, argv, "deep");
}

// Mean shortfall of h, by distance to the target as a share of the source's.
struct Shortfall {
  double factor = 0;                            // of the query it describes
  double path = 0, distance = 0, estimate = 0;  // its path's nodes; network units
  std::vector<double> sum = std::vector<double>(12), count = std::vector<double>(12);
};

struct Contender {
  std::string name;
  std::vector<std::vector<double>> factors;  // [seeds][queries]
  double changed = 0;                        // nodes, by closures
  double ticks = 0;                          // of the processor, inference alone
  Shortfall worst;
};

void note(Contender& who, double factor, double path, double unit, std::span<const double> y,
          std::span<const double> d, Query query) {
  who.factors.back().push_back(factor);
  if (factor <= who.worst.factor) return;
  who.worst = {};
  who.worst.factor = factor;
  who.worst.path = path;
  who.worst.distance = unit * d[query.source];
  who.worst.estimate = unit * (y[query.target] - y[query.source]);
  for (NodeId v = 0; v < y.size(); ++v) {
    if (d[v] == kInfinity) continue;
    const auto bin = static_cast<std::size_t>(std::min(11.0, 8 * d[v] / d[query.source]));
    who.worst.sum[bin] += (d[v] - (y[query.target] - y[v])) / d[query.source];
    ++who.worst.count[bin];
  }
}

void measure_graph(const Instance& instance, const std::vector<Model>& models,
                   const Arguments& arguments, Rng& rng, std::vector<Contender>& contenders) {
  const Graph& graph = instance.graph;
  const NodeId n = graph.node_count();
  Searcher searcher(graph);
  ExactClosure closure(graph);
  std::vector<PotentialNet> nets;
  std::vector<PotentialNet::Workspace> works;
  for (const Model& model : models) nets.emplace_back(model, graph, arguments.net);
  for (const PotentialNet& net : nets) works.emplace_back(net);
  std::vector<double> y(n), least(n), d(n);
  const double unit =
      arguments.where ? graph_input(graph, models[0].config.features).weight_unit : 1;
  for (std::uint32_t q = 0; q < arguments.queries; ++q) {
    const Query query = random_reachable_query(searcher, rng);
    searcher.set_direction(Direction::kBackward);
    searcher.run_all(query.target);
    for (NodeId v = 0; v < n; ++v) d[v] = searcher.distance(v);
    searcher.set_direction(Direction::kForward);
    searcher.run(query, Zero{});
    const auto path = static_cast<double>(searcher.path().size());
    const auto search = [&](std::span<double> potential, Contender& who) {
      who.changed += static_cast<double>(closure.apply(potential, query.target).settled);
      const SearchResult found =
          searcher.run(query, PotentialHeuristic(potential, query.target, Guarantee::kConsistent));
      if (std::abs(found.cost - d[query.source]) > 1e-9 * d[query.source]) {
        throw Error("a path is not the shortest: a defect");
      }
      note(who, static_cast<double>(found.expansions) / path, path, unit, potential, d, query);
    };
    std::fill(least.begin(), least.end(), kInfinity);
    for (std::size_t k = 0; k < nets.size(); ++k) {
      const std::clock_t start = std::clock();
      nets[k].potentials(query, works[k], y);
      const auto ticks = static_cast<double>(std::clock() - start);
      contenders[k].ticks += ticks;
      contenders.back().ticks += arguments.together ? ticks : 0;
      const double at_target = y[query.target];
      for (NodeId v = 0; v < n; ++v) least[v] = std::min(least[v], y[v] - at_target);
      search(y, contenders[k]);
    }
    if (arguments.together) search(least, contenders.back());
  }
}

void report(const Contender& who, double first_ticks, const Arguments& arguments) {
  std::vector<double> all, means;
  for (std::size_t s = 0; s < who.factors.size(); ++s) {
    const auto& one = who.factors[s];
    all.insert(all.end(), one.begin(), one.end());
    means.push_back(eval::mean(one));
    if (arguments.each_seed) {
      std::printf("  seed %-5zu %6.3f %6.2f %6.2f\n", arguments.first + s, means.back(),
                  eval::quantile(one, 0.99), eval::quantile(one, 1));
    }
  }
  std::printf("%-34s %6.3f %6.2f %6.2f %10.3f %9.1f %6.2f\n", who.name.c_str(), eval::mean(all),
              eval::quantile(all, 0.99), eval::quantile(all, 1), eval::quantile(means, 1),
              who.changed / static_cast<double>(all.size()), who.ticks / first_ticks);
  if (!arguments.where) return;
  std::printf(
      "  worst query: path of %.0f nodes, distance %.3f, estimate %.3f (network units)\n"
      "  distance ÷ source's: nodes, mean shortfall of h ÷ source's distance\n",
      who.worst.path, who.worst.distance, who.worst.estimate);
  for (std::size_t bin = 0; bin < who.worst.count.size(); ++bin) {
    if (who.worst.count[bin] == 0) continue;
    std::printf("  %5.2f: %6.0f %7.3f\n", static_cast<double>(bin) / 8, who.worst.count[bin],
                who.worst.sum[bin] / who.worst.count[bin]);
  }
}

// A line of equal arcs, asked from end to end: how far the network's estimates follow the distance.
void print_reach(const std::string& name, const Model& model) {
  constexpr NodeId kNodes = 21;
  constexpr double kWeight = 0.6;  // 0.13 network units
  GraphBuilder builder(kNodes);
  for (NodeId v = 0; v + 1 < kNodes; ++v) builder.add_edge(v, v + 1, kWeight);
  const Graph graph = builder.build();
  const double unit = graph_input(graph, model.config.features).weight_unit;
  const PotentialNet net(model, graph);
  PotentialNet::Workspace work(net);
  std::vector<double> y(kNodes);
  net.potentials({0, kNodes - 1}, work, y);
  double largest = 0, follows = 0;
  bool still = true;
  for (NodeId arcs = 1; arcs < kNodes; ++arcs) {
    const double h = unit * (y[kNodes - 1] - y[kNodes - 1 - arcs]), d = unit * kWeight * arcs;
    largest = std::max(largest, h);
    still = still && h > 0.97 * d;
    if (still) follows = d;
  }
  std::printf("%-34s largest estimate %5.2f, within 3 %% up to %5.2f of %5.2f\n", name.c_str(),
              largest, follows, unit * kWeight * (kNodes - 1));
}

}  // namespace

int main(int argc, char** argv) try {
  Arguments arguments;
  parse(argc, argv, arguments);
  const std::vector<Model> models = arguments.models.load();
  if (arguments.reach) {
    for (std::size_t k = 0; k < models.size(); ++k) {
      print_reach(arguments.models.names()[k], models[k]);
    }
    return 0;
  }
  for (const std::string& draw : arguments.draws) {
    for (const std::string& density : arguments.densities) {
      for (const std::string& size : arguments.sizes) {
        GraphSpec spec;
        parse_density(density, spec);
        std::vector<Contender> contenders;
        for (const std::string& name : arguments.models.names()) {
          contenders.push_back({name, {}, 0, 0, {}});
        }
        if (arguments.together) contenders.push_back({"the largest of all", {}, 0, 0, {}});
        for (std::uint32_t seed = arguments.first; seed < arguments.first + arguments.seeds;
             ++seed) {
          const Split split{"tail",
                            arguments.graphs,
                            static_cast<NodeId>(std::stoul(size)),
                            spec.density,
                            spec.p,
                            parse_draw(draw),
                            mix64(7'000'000 + seed)};
          for (Contender& who : contenders) who.factors.emplace_back();
          Rng rng(mix64(split.seed));
          for (std::uint32_t g = 0; g < arguments.graphs; ++g) {
            measure_graph(draw_instance(split, g), models, arguments, rng, contenders);
          }
        }
        std::printf("%s, %s nodes, %s; seeds %u … %u\n%-34s %6s %6s %6s %10s %9s %6s\n",
                    density.c_str(), size.c_str(), draw.c_str(), arguments.first,
                    arguments.first + arguments.seeds - 1, "expansions ÷ path nodes", "mean", "p99",
                    "worst", "worst seed", "closed", "time");
        for (const Contender& who : contenders) report(who, contenders[0].ticks, arguments);
        std::printf("\n");
        std::fflush(stdout);
      }
    }
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "tail: %s\n", error.what());
  return 2;
}
