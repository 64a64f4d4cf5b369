// Models on the paper's test graphs: 128 graphs for each of four sizes and three densities.
//
//   build/bench/cells deep                          # undirected, as in the paper
//   build/bench/cells deep --draw directed
//   build/bench/cells runs/mine/model.safetensors --count 32
//
// Prints iterations (nodes settled, the target included), those of Dijkstra, relative distance,
// satisfied constraints on the graphs' own arcs and with a self-loop at every node, and in how
// many of the cells the paper's table is met in iterations relative to Dijkstra and in distance.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "lodestar/infer.h"
#include "lodestar/search.h"
#include "lodestar/splits.h"

namespace {

using namespace lodestar;

struct Published {
  double iterations, dijkstra, distance;  // distance in %
};
// Table 1, rows sparse, dense, very dense; columns 32, 96, 192, 256 nodes.
constexpr NodeId kSizes[] = {32, 96, 192, 256};
constexpr Published kTable[3][4] = {
    {{16.76, 19.23, 0.03}, {42.97, 53.68, 0.18}, {74.00, 97.18, 0.19}, {99.4, 132.07, 0.09}},
    {{11.73, 17.35, 0.98}, {21.92, 50.82, 10.75}, {21.85, 96.55, 33.5}, {21.44, 132.5, 52.8}},
    {{11.01, 17.17, 0.7}, {15.64, 49.85, 19.8}, {16.02, 90.42, 59.4}, {15.63, 130.4, 73.5}}};

struct Measured {
  double iterations = 0, dijkstra = 0, distance = 0;
  double satisfied = 0, arcs = 0, loops = 0;
};

Measured measure(const Model& model, const Split& split, std::uint32_t count) {
  Measured sum;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Instance instance = draw_instance(split, i);
    const NodeId n = instance.graph.node_count();
    std::vector<double> y(n);
    const PotentialNet net(model, instance.graph);
    PotentialNet::Workspace work(net);
    net.potentials(instance.query, work, y);
    for (NodeId u = 0; u < n; ++u) {
      for (const Arc arc : instance.graph.arcs(u)) {
        sum.satisfied += y[arc.head] - y[u] <= arc.weight ? 1 : 0;
      }
    }
    sum.arcs += static_cast<double>(instance.graph.arc_count());
    sum.loops += n;
    Searcher searcher(instance.graph);
    const SearchResult exact = searcher.run(instance.query, Zero{});
    const SearchResult found =
        searcher.run(instance.query, PotentialHeuristic(y, instance.query.target));
    sum.iterations += static_cast<double>(found.expansions) / count;
    sum.dijkstra += static_cast<double>(exact.expansions) / count;
    if (exact.cost > 0) sum.distance += 100 * (found.cost - exact.cost) / exact.cost / count;
  }
  return sum;
}

void report(const std::string& name, Draw draw, std::uint32_t count) {
  const Model model = load_model(name);
  std::printf("%s, draw %s, scale %.2f\n", name.c_str(), to_string(draw).c_str(),
              model.config.y_scale);
  std::printf("%-12s %5s %10s %9s %7s %7s %10s %9s %11s %9s\n", "density", "nodes", "iterations",
              "Dijkstra", "ratio", "paper", "distance%", "paper%", "constraints", "+loops");
  int fewer = 0, met = 0;
  for (const Split& split : paper_test_splits(draw)) {
    const auto* size = std::find(std::begin(kSizes), std::end(kSizes), split.nodes);
    if (size == std::end(kSizes)) continue;
    const Published& paper = kTable[static_cast<int>(split.density)][size - std::begin(kSizes)];
    const Measured m = measure(model, split, std::min(count, split.count));
    const double ratio = m.iterations / m.dijkstra, published = paper.iterations / paper.dijkstra;
    fewer += m.iterations < paper.iterations ? 1 : 0;
    met += ratio <= published && m.distance <= paper.distance + 0.005 ? 1 : 0;
    std::printf("%-12s %5u %10.2f %9.2f %7.3f %7.3f %10.3f %9.2f %11.3f %9.3f\n",
                to_string(split.density).c_str(), split.nodes, m.iterations, m.dijkstra, ratio,
                published, m.distance, paper.distance, 100 * m.satisfied / m.arcs,
                100 * (m.satisfied + m.loops) / (m.arcs + m.loops));
  }
  std::printf("no worse than the paper in %d of 12 cells; fewer iterations in %d\n\n", met, fewer);
}

}  // namespace

int main(int argc, char** argv) {
  Draw draw = Draw::kOr;
  std::uint32_t count = 128;
  std::vector<std::string> models;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--draw") == 0 && i + 1 < argc) {
      draw = parse_draw(argv[++i]);
    } else if (std::strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
      count = static_cast<std::uint32_t>(std::max(1, std::atoi(argv[++i])));
    } else {
      models.emplace_back(argv[i]);
    }
  }
  if (models.empty()) models = {"paper", "deep", "swift"};
  for (const std::string& name : models) report(name, draw, count);
}
