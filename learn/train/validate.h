// What a network is worth to a search, measured on graphs it was not trained on. No torch outside.
#pragma once

#include <span>
#include <vector>

#include "learn/train/dataset.h"
#include "learn/train/net.h"
#include "learn/train/trainer.h"

namespace lodestar::learn {

struct SearchMetrics {
  double constraints = 0;             // share satisfied, of the graphs' arcs
  double constraints_with_loops = 0;  // likewise with a self-loop on every node
  double relative_distance = 0;       // mean of (cost - distance) / distance
  double iterations = 0;              // mean nodes settled, the target included
  double dijkstra_iterations = 0;
  double iteration_ratio() const { return iterations / dijkstra_iterations; }
};

// The network's y times y_unit for each sample, as the model is used: not yet scaled.
std::vector<std::vector<double>> potentials(const Net& net, std::span<const Sample> samples);

// Whether a search may use them: a network that diverged gives values that are not finite.
bool all_finite(std::span<const std::vector<double>> y);

// With y multiplied by `scale`; y must be finite.
SearchMetrics search_metrics(std::span<const Sample> samples,
                             std::span<const std::vector<double>> y, double scale);

// Expansions of A* with the closure of y times `scale`, plus the nodes that the closure changes, ÷
// expansions with a perfect heuristic; sums over the samples.
// With a `most` above 0 the scale is fitted from `scale` to `most`.
double effort_ratio(std::span<const Sample> samples, std::span<const std::vector<double>> y,
                    double scale, double most);

// Adds up the accuracy of predecessors over batches.
class ImitationMeter {
 public:
  // scores [T × B × n × n] of a training batch of these samples.
  void add(const at::Tensor& scores, std::span<const Sample* const> samples);
  Imitation result() const;

 private:
  struct Count {
    double right = 0, total = 0;
    double share() const { return total > 0 ? right / total : 0; }
  };
  Count all_, last_, changed_, copied_;
  std::vector<Count> steps_;
};

struct ScalePoint {
  double scale = 1;
  double iteration_ratio = 0, relative_distance = 0;  // means over the lists
  double constraints = 1;                             // of the worst list
  double effort = 0;  // for ScaleRule::kEffort, mean over the lists; otherwise 0
  std::vector<SearchMetrics> lists;
};
// A grid of scales, finer near 1 unless for ScaleRule::kTable, measured on each list of samples.
// Throws Diverged when a potential is not finite.
std::vector<ScalePoint> scale_curve(const Net& net, std::span<const std::vector<Sample>> lists,
                                    const TrainOptions& options);
// Chooses by the options' rule. Gap: the fewest iterations within both limits, else within
// scale_gap, else the shortest paths. Table: the most cells met, then the widest margin in the
// tightest cell; lists without a cell do not count. Effort: the largest scale within 2 %
// of the smallest effort.
double choose_scale(std::span<const ScalePoint> curve, const TrainOptions& options,
                    const MarginFunction& margin = {});

}  // namespace lodestar::learn
