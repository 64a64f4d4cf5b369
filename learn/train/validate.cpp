#include "learn/train/validate.h"

#include <algorithm>
#include <cmath>

#include "bench/harness/exact_potential.h"
#include "learn/train/torch.h"
#include "lodestar/certificate.h"
#include "lodestar/search.h"

namespace lodestar::learn {
namespace {

constexpr std::int64_t kNodesPerBatch = 8192;
// A smaller scale that saves less than this is within the noise, and costs expansions on graphs
// larger than those of validation.
constexpr double kNearlyLeast = 1.02;

double scale_by_table(std::span<const ScalePoint> curve, std::span<const Split> splits,
                      const MarginFunction& margin) {
  double best_scale = 1;
  std::pair<int, double> most{-1, 0};  // lists that are met, and their tightest margin
  for (const ScalePoint& point : curve) {
    int met = 0;
    double tightest = 1;
    for (std::size_t i = 0; i < splits.size(); ++i) {
      const SearchMetrics& metrics = point.lists[i];
      const std::optional<double> here =
          margin(splits[i], metrics.iteration_ratio(), metrics.relative_distance);
      if (!here) continue;
      met += *here >= 0 ? 1 : 0;
      tightest = std::min(tightest, *here);
    }
    if (std::pair(met, tightest) > most) {
      most = {met, tightest};
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

bool all_finite(std::span<const std::vector<double>> y) {
  return std::all_of(y.begin(), y.end(), [](const std::vector<double>& potential) {
    return std::all_of(potential.begin(), potential.end(),
                       [](double value) { return std::isfinite(value); });
  });
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
    const SearchResult found =
        searcher.run(sample.query, PotentialHeuristic(potential, sample.query.target));
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

void ImitationMeter::add(const at::Tensor& scores, std::span<const Sample* const> samples) {
  const auto chosen = scores.argmax(-1).contiguous();  // [T × B × n]
  const std::int64_t graphs = chosen.size(1), widest = chosen.size(2);
  const std::int64_t* values = chosen.data_ptr<std::int64_t>();
  for (std::size_t g = 0; g < samples.size(); ++g) {
    const Trajectory& trajectory = samples[g]->trajectory;
    // Beyond the end of a trajectory nothing is judged; with train_steps it may be cut.
    const auto steps = std::min(
        trajectory.steps(), static_cast<std::size_t>(std::max<std::int64_t>(scores.size(0), 0)));
    Count whole, copies, end;
    for (std::size_t t = 0; t < steps; ++t) {
      const auto before = trajectory.frame(t).pi, after = trajectory.frame(t + 1).pi;
      const std::int64_t* row =
          values + (static_cast<std::int64_t>(t) * graphs + static_cast<std::int64_t>(g)) * widest;
      end = {};
      for (std::size_t v = 0; v < after.size(); ++v) {
        const bool right = row[v] == static_cast<std::int64_t>(after[v]);
        const bool changes = before[v] != after[v];
        end.right += right;
        copies.right += !changes;
        if (changes) changed_.right += right, ++changed_.total;
      }
      end.total = static_cast<double>(after.size());
      whole.right += end.right;
      whole.total += end.total;
      copies.total += end.total;
      if (steps_.size() <= t) steps_.resize(t + 1);
      steps_[t].right += end.share();
      ++steps_[t].total;
    }
    for (auto [sum, own] : {std::pair(&all_, &whole), {&last_, &end}, {&copied_, &copies}}) {
      sum->right += own->share();
      ++sum->total;
    }
  }
}

Imitation ImitationMeter::result() const {
  Imitation found{all_.share(), last_.share(), changed_.share(), copied_.share(), {}};
  for (const Count& step : steps_) found.per_step.push_back(step.share());
  return found;
}

double effort_ratio(std::span<const Sample> samples, std::span<const std::vector<double>> y,
                    double scale, double most) {
  double effort = 0, perfect = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    const NodeId target = sample.query.target;
    Searcher searcher(sample.graph);
    std::vector<double> exact(y[i].size());
    bench::exact_potential(searcher, target, exact);
    const auto expansions = [&](std::span<const double> potential) {
      return static_cast<double>(
          searcher.run(sample.query, PotentialHeuristic(potential, target, Guarantee::kConsistent))
              .expansions);
    };
    perfect += expansions(exact);
    std::vector<double> potential = y[i];
    const double fitted = most > 0 ? fitted_scale(sample.input, potential, scale, most) : scale;
    for (double& value : potential) value *= fitted;
    ExactClosure closure(sample.graph);
    effort += static_cast<double>(closure.apply(potential, target).settled);
    effort += expansions(potential);
  }
  return perfect > 0 ? effort / perfect : 1;
}

namespace {

// 0.4 to 1.6. Without a table to compare with the best lies near 1, where a hundredth counts; for
// the effort half of one.
std::vector<double> scales_for(ScaleRule rule) {
  std::vector<double> scales;
  if (rule == ScaleRule::kEffort) {
    for (int thousandths = 900; thousandths <= 1010; thousandths += 5) {
      scales.push_back(thousandths / 1000.0);
    }
    return scales;
  }
  for (int hundredths = 40; hundredths <= 160; ++hundredths) {
    const bool near_one = hundredths > 90 && hundredths < 110;
    if (hundredths % 5 == 0 || (near_one && rule == ScaleRule::kGap)) {
      scales.push_back(hundredths / 100.0);
    }
  }
  return scales;
}

}  // namespace

std::vector<ScalePoint> scale_curve(const Net& net, std::span<const std::vector<Sample>> lists,
                                    const TrainOptions& options) {
  const ScaleRule rule = options.scale_rule;
  std::vector<std::vector<std::vector<double>>> y;
  for (const auto& list : lists) {
    y.push_back(potentials(net, list));
    if (all_finite(y.back())) continue;
    throw Diverged(
        "the network's y is not finite on the graphs that choose its scale; lower "
        "learning_rate or set clip");
  }
  std::vector<ScalePoint> curve;
  for (const double scale : scales_for(rule)) {
    ScalePoint point;
    point.scale = scale;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const SearchMetrics metrics = search_metrics(lists[i], y[i], point.scale);
      const double share = 1.0 / static_cast<double>(lists.size());
      point.iteration_ratio += share * metrics.iteration_ratio();
      point.relative_distance += share * metrics.relative_distance;
      point.constraints = std::min(point.constraints, metrics.constraints);
      point.lists.push_back(metrics);
      if (rule == ScaleRule::kEffort) {
        point.effort += share * effort_ratio(lists[i], y[i], point.scale, options.scale_most);
      }
    }
    curve.push_back(point);
  }
  return curve;
}

double choose_scale(std::span<const ScalePoint> curve, const TrainOptions& options,
                    const MarginFunction& margin) {
  if (options.scale_rule == ScaleRule::kTable) {
    return scale_by_table(curve, options.scale_graphs, margin);
  }
  if (options.scale_rule == ScaleRule::kEffort) {
    double least = kInfinity, chosen = 1;
    for (const ScalePoint& point : curve) least = std::min(least, point.effort);
    for (const ScalePoint& point : curve) {
      if (point.effort <= kNearlyLeast * least) chosen = point.scale;  // scales ascend
    }
    return chosen;
  }
  // Constraints may be out of reach at any scale (paths of more arcs than the net has steps).
  for (const double constraints : {options.scale_constraints, 0.0}) {
    const ScalePoint* best = nullptr;
    for (const ScalePoint& point : curve) {
      const bool fits =
          point.relative_distance <= options.scale_gap && point.constraints >= constraints;
      if (fits && (!best || point.iteration_ratio < best->iteration_ratio)) best = &point;
    }
    if (best) return best->scale;
  }
  return std::min_element(curve.begin(), curve.end(),
                          [](const ScalePoint& a, const ScalePoint& b) {
                            return a.relative_distance < b.relative_distance;
                          })
      ->scale;
}

}  // namespace lodestar::learn
