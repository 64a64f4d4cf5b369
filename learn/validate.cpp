#include "learn/validate.h"

#include <algorithm>

#include "learn/torch.h"
#include "lodestar/search.h"

namespace lodestar::learn {
namespace {

// Learned values may be inconsistent: re-opening finds better ways, and this ends the rare run
// that would re-open without end.
constexpr std::uint64_t kPopsPerNode = 50;
constexpr std::int64_t kNodesPerBatch = 8192;

// Table 1 of the paper: iterations of A* and of Dijkstra, relative distance.
struct PublishedCell {
  Density density;
  NodeId nodes;
  double iterations, dijkstra_iterations, relative_distance;
};
constexpr PublishedCell kPublished[] = {
    {Density::kSparse, 32, 16.76, 19.23, 0.0003},
    {Density::kSparse, 96, 42.97, 53.68, 0.0018},
    {Density::kSparse, 192, 74.00, 97.18, 0.0019},
    {Density::kSparse, 256, 99.4, 132.07, 0.0009},
    {Density::kDense, 32, 11.73, 17.35, 0.0098},
    {Density::kDense, 96, 21.92, 50.82, 0.1075},
    {Density::kDense, 192, 21.85, 96.55, 0.335},
    {Density::kDense, 256, 21.44, 132.50, 0.528},
    {Density::kVeryDense, 32, 11.01, 17.17, 0.007},
    {Density::kVeryDense, 96, 15.64, 49.85, 0.198},
    {Density::kVeryDense, 192, 16.02, 90.42, 0.594},
    {Density::kVeryDense, 256, 15.63, 130.40, 0.735},
};

// How much better than published, as a share, in the worse of iterations and distance.
double margin(const SearchMetrics& metrics, const PublishedCell& cell) {
  const double ratio = cell.iterations / cell.dijkstra_iterations;
  const double distance = cell.relative_distance + 5e-5;  // it is printed with two digits
  return std::min((ratio - metrics.iteration_ratio()) / ratio,
                  (distance - metrics.relative_distance) / distance);
}

double scale_by_table(std::span<const ScalePoint> curve, std::span<const Split> splits) {
  double best_scale = 1, best_margin = 0;
  int best_met = -1;
  for (const ScalePoint& point : curve) {
    int met = 0;
    double tightest = 1;
    for (std::size_t i = 0; i < splits.size(); ++i) {
      for (const PublishedCell& cell : kPublished) {
        if (cell.density != splits[i].density || cell.nodes != splits[i].nodes) continue;
        const double here = margin(point.lists[i], cell);
        met += here >= 0 ? 1 : 0;
        tightest = std::min(tightest, here);
      }
    }
    if (met > best_met || (met == best_met && tightest > best_margin)) {
      best_met = met;
      best_margin = tightest;
      best_scale = point.scale;
    }
  }
  return best_scale;
}

}  // namespace

std::vector<std::vector<double>> potentials(const Net& net, std::span<const Sample> samples) {
  const torch::NoGradGuard no_gradients;
  std::vector<std::vector<double>> out;
  std::size_t begin = 0;
  while (begin < samples.size()) {
    std::vector<const Sample*> chosen;
    for (std::int64_t nodes = 0; begin < samples.size() && nodes < kNodesPerBatch; ++begin) {
      chosen.push_back(&samples[begin]);
      nodes += samples[begin].graph.node_count();
    }
    const Batch batch = make_inference_batch(chosen, net.config());
    const auto y = net.forward(batch, 1).y.contiguous();
    const float* values = y.data_ptr<float>();
    for (const Sample* sample : chosen) {
      std::vector<double>& potential = out.emplace_back();
      for (NodeId v = 0; v < sample->graph.node_count(); ++v) {
        potential.push_back(static_cast<double>(*values++) * sample->input.y_unit);
      }
    }
  }
  return out;
}

SearchMetrics search_metrics(std::span<const Sample> samples,
                             std::span<const std::vector<double>> y, double scale) {
  SearchMetrics sum;
  double satisfied = 0, arcs = 0, loops = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    std::vector<double> potential = y[i];
    for (double& value : potential) value *= scale;
    for (NodeId u = 0; u < sample.graph.node_count(); ++u) {
      for (const Arc arc : sample.graph.arcs(u)) {
        satisfied += potential[arc.head] - potential[u] <= arc.weight ? 1 : 0;
      }
    }
    arcs += static_cast<double>(sample.graph.arc_count());
    loops += sample.graph.node_count();
    Searcher searcher(sample.graph);
    const SearchResult exact = searcher.run(sample.query, Zero{});
    SearchOptions options;
    options.max_expansions = kPopsPerNode * sample.graph.node_count();
    const SearchResult found =
        searcher.run(sample.query, PotentialHeuristic(potential, sample.query.target), options);
    sum.iterations += static_cast<double>(found.expansions);
    sum.dijkstra_iterations += static_cast<double>(exact.expansions);
    if (exact.cost > 0) sum.relative_distance += (found.cost - exact.cost) / exact.cost;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(samples.size(), 1));
  sum.iterations /= count;
  sum.dijkstra_iterations /= count;
  sum.relative_distance /= count;
  sum.constraints = arcs > 0 ? satisfied / arcs : 1;
  sum.constraints_with_loops = arcs + loops > 0 ? (satisfied + loops) / (arcs + loops) : 1;
  return sum;
}

std::vector<ScalePoint> scale_curve(const Net& net, std::span<const std::vector<Sample>> lists) {
  std::vector<std::vector<std::vector<double>>> y;
  for (const auto& list : lists) y.push_back(potentials(net, list));
  std::vector<ScalePoint> curve;
  for (int step = 8; step <= 32; ++step) {
    ScalePoint point;
    point.scale = step / 20.0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const SearchMetrics metrics = search_metrics(lists[i], y[i], point.scale);
      const double share = 1.0 / static_cast<double>(lists.size());
      point.iteration_ratio += share * metrics.iteration_ratio();
      point.relative_distance += share * metrics.relative_distance;
      point.constraints += share * metrics.constraints;
      point.lists.push_back(metrics);
    }
    curve.push_back(point);
  }
  return curve;
}

double choose_scale(std::span<const ScalePoint> curve, const TrainOptions& options) {
  if (options.scale_rule == ScaleRule::kTable) return scale_by_table(curve, options.scale_graphs);
  const ScalePoint* best = nullptr;
  for (const ScalePoint& point : curve) {
    if (point.relative_distance > options.scale_gap ||
        point.constraints < options.scale_constraints) {
      continue;
    }
    if (!best || point.iteration_ratio < best->iteration_ratio) best = &point;
  }
  if (best) return best->scale;
  return std::min_element(curve.begin(), curve.end(),
                          [](const ScalePoint& a, const ScalePoint& b) {
                            return a.relative_distance < b.relative_distance;
                          })
      ->scale;
}

}  // namespace lodestar::learn
