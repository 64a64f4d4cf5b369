// Answers many requests on random nasty graphs and compares them with an oracle that shares no code
// with the library (tests/support/request_oracle.h).
//
//   build/bench/requests_check --answers 1000000
//   build/bench/requests_check --graph city.lsg --potentials city.lsp
#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <span>

#include "lodestar/graph_io.h"
#include "lodestar/router.h"
#include "request_family.h"

namespace lodestar {
namespace {

using namespace lodestar::testing;

struct Counts {
  std::uint64_t answers = 0, reached = 0, guided = 0, wrong = 0;
};

// Ten preferences, three sources each; `targets` of every source and router.
void check(const RequestCase& graph, std::span<const Router> routers, Rng& rng, int targets,
           const std::string& name, Counts& counts,
           const std::function<void(Preferences&)>& fit_to_map = {}) {
  for (int i = 0; i < 10; ++i) {
    Preferences wish = random_preferences(rng, graph);
    if (fit_to_map) fit_to_map(wish);
    std::vector<double> weights;
    for (ArcIndex a = 0; a < graph.arcs.size(); ++a)
      weights.push_back(plain_weight(graph, wish, a));
    const double rounding = largest_rounding(graph, wish);
    for (int j = 0; j < 3; ++j) {
      const auto source = static_cast<NodeId>(rng.below(graph.nodes));
      const auto truth = plain_dijkstra(graph.nodes, graph.arcs, weights, source);
      for (const Router& router : routers) {
        try {
          Router::Requests requests = router.requests(wish);
          for (int k = 0; k < targets; ++k) {
            const Query query{source, static_cast<NodeId>(rng.below(graph.nodes))};
            const RequestRoute route = requests.route(query);
            const double want = truth[query.target];
            double sum = 0;
            for (const ArcIndex arc : route.arcs) sum += weights[arc];
            const double slack =
                rounding * static_cast<double>(2 * route.arcs.size() + 10) + 1e-9 * want;
            const bool right = want == kInfinity
                                   ? route.result.cost == kInfinity
                                   : std::abs(route.result.cost - want) <= slack &&
                                         std::abs(sum - want) <= slack && route.result.optimal();
            ++counts.answers;
            counts.reached += want < kInfinity;
            counts.guided += route.potentials;
            if (right) continue;
            ++counts.wrong;
            std::printf("%s: %u to %u costs %.17g, not %.17g\n", name.c_str(), query.source,
                        query.target, want, route.result.cost);
          }
        } catch (const Error&) {  // a blend in which every path costs nothing
        }
      }
    }
  }
}

void check_random_case(std::uint64_t seed, Counts& counts) {
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
  check(graph, routers, rng, 5, "seed " + std::to_string(seed), counts);
}

// A graph of a file with its potentials. The oracle knows areas of the plane alone.
void check_file(const std::string& path, const std::string& potentials, std::uint64_t answers,
                std::uint64_t seed, Counts& counts) {
  const GraphFile file = read_graph(path);
  RequestCase graph;
  graph.nodes = file.graph.node_count();
  graph.graph = file.graph;
  graph.metrics = file.metrics;
  const Metrics& metrics = file.metrics;
  for (NodeId u = 0; u < graph.nodes; ++u) {
    for (const Arc arc : file.graph.arcs(u)) {
      const std::size_t index = graph.arcs.size();
      MetricArc one{u, arc.head, {arc.weight}, {}};
      for (const MetricColumn& column : metrics.columns) one.weights.push_back(column[index]);
      if (!metrics.arc_kind.empty()) {
        const ArcKind& kind = metrics.kinds[metrics.arc_kind[index]];
        for (std::size_t i = 0; i < metrics.classes.size(); ++i) {
          if ((kind.classes >> i & 1) != 0) one.classes.push_back(metrics.classes[i]);
        }
        one.max_height = kind.max_height;
      }
      graph.arcs.push_back(std::move(one));
    }
  }
  const bool plane = file.graph.coordinate_kind() == CoordinateKind::kPlane;
  graph.points.assign(graph.nodes, {});
  if (plane) graph.points.assign(file.graph.points().begin(), file.graph.points().end());
  Point low{kInfinity, kInfinity}, high{-kInfinity, -kInfinity};
  for (const Point& p : graph.points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const auto onto_map = [&](Point p) {
    return Point{low.x + (high.x - low.x) * p.x / 100, low.y + (high.y - low.y) * p.y / 100};
  };
  const auto fit_to_map = [&](Preferences& wish) {
    if (!plane) wish.circles.clear(), wish.polygons.clear();
    if (metrics.arc_kind.empty()) wish.vehicle = {};
    for (auto& circle : wish.circles) {
      circle.centre = onto_map(circle.centre);
      circle.radius *= (high.x - low.x) / 500;
    }
    for (auto& polygon : wish.polygons) {
      for (Point& corner : polygon.rings[0]) corner = onto_map(corner);
    }
  };
  const std::vector<Router> routers = {Router(
      file.graph, {.potentials_file = potentials, .metrics = file.metrics, .shape = file.shape})};
  Rng rng(seed);
  while (counts.answers < answers) check(graph, routers, rng, 200, path, counts, fit_to_map);
}

}  // namespace
}  // namespace lodestar

int main(int argc, char** argv) {
  CLI::App app("Checks requests against an oracle");
  std::uint64_t answers = 100'000, seed = 1;
  app.add_option("--answers", answers, "Answers to check")->capture_default_str();
  app.add_option("--seed", seed, "First seed")->capture_default_str();
  std::string graph, potentials;
  app.add_option("--graph", graph, "A graph of a file instead of random ones");
  app.add_option("--potentials", potentials, "Its potentials (.lsp)")->needs("--graph");
  CLI11_PARSE(app, argc, argv);
  lodestar::Counts counts;
  if (!graph.empty()) lodestar::check_file(graph, potentials, answers, seed, counts);
  for (; counts.answers < answers; ++seed) lodestar::check_random_case(seed, counts);
  std::printf("%llu answers, %llu with a path, %llu with potentials, %llu wrong\n",
              static_cast<unsigned long long>(counts.answers),
              static_cast<unsigned long long>(counts.reached),
              static_cast<unsigned long long>(counts.guided),
              static_cast<unsigned long long>(counts.wrong));
  return counts.wrong == 0 ? 0 : 1;
}
