#include "potentials/sweep.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lodestar/rng.h"

namespace lodestar {
namespace {

// Ends of sweeps: the first far from a random node, each further one far from those before it.
class FarNodes {
 public:
  FarNodes(const IntegerGraph& graph, std::span<const NodeId> part, std::uint64_t seed)
      : graph_(graph), part_(part), tree_(graph), nearest_(graph.node_count(), kFar) {
    Rng rng(seed);
    measure(part[rng.below(static_cast<std::uint32_t>(part.size()))]);
    next_ = *std::max_element(part.begin(), part.end(), [&](NodeId u, NodeId v) {
      return distances_.back()[u] < distances_.back()[v];
    });
    distances_.clear();
  }

  void add() {
    measure(next_);
    const std::vector<float>& last = distances_.back();
    next_ = part_.front();
    for (const NodeId v : part_) {
      nearest_[v] = std::min(nearest_[v], last[v]);
      if (nearest_[v] > nearest_[next_]) next_ = v;
    }
  }

  const std::vector<std::vector<float>>& distances() const { return distances_; }

 private:
  static constexpr float kFar = 1e30f;

  // In both directions on a directed graph; if one is unreachable, twice the longest of the other.
  void measure(NodeId root) {
    std::vector<float> sum(graph_.node_count(), 0);
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      tree_.run(root, direction);
      const auto longest = static_cast<float>(tree_.distance(tree_.order().back()));
      for (const NodeId v : part_) {
        const std::int32_t d = tree_.distance(v);
        sum[v] += d == IntegerTree::kUnreached ? 2 * longest : static_cast<float>(d);
      }
      if (graph_.symmetric()) break;
    }
    distances_.push_back(std::move(sum));
  }

  const IntegerGraph& graph_;
  std::span<const NodeId> part_;
  IntegerTree tree_;
  std::vector<float> nearest_;
  std::vector<std::vector<float>> distances_;
  NodeId next_ = kNoNode;
};

// The similarity of two sweeps on the same sample: 0 if unrelated, 1 if equal or reversed.
double likeness(const std::vector<double>& a, const std::vector<double>& b) {
  double product = 0;
  for (std::size_t i = 0; i < a.size(); ++i) product += a[i] * b[i];
  return std::abs(product);
}

// Normalises to mean 0 and length 1; all zeros if constant.
void normalise(std::vector<double>& values) {
  double mean = 0, square = 0;
  for (const double x : values) mean += x / static_cast<double>(values.size());
  for (double& x : values) square += (x - mean) * (x - mean);
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  for (double& x : values) x = (x - mean) * scale;
}

}  // namespace

std::vector<SweepKeys> coordinate_sweeps(const Graph& graph, std::uint32_t count) {
  std::vector<SweepKeys> sweeps;
  if (!graph.has_coordinates()) return sweeps;
  const auto points = graph.points();
  double squeeze = 1;  // a degree of longitude is shorter than one of latitude
  if (graph.coordinate_kind() == CoordinateKind::kDegrees) {
    double latitude = 0;
    for (const Point& point : points) latitude += point.y / static_cast<double>(points.size());
    squeeze = std::cos(latitude * std::numbers::pi / 180);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const double angle = std::numbers::pi * i / count;
    const double x = squeeze * std::cos(angle), y = std::sin(angle);
    SweepKeys keys;
    keys.reserve(points.size());
    for (const Point& point : points) keys.push_back(static_cast<float>(x * point.x + y * point.y));
    sweeps.push_back(std::move(keys));
  }
  return sweeps;
}

std::vector<SweepKeys> distance_sweeps(const IntegerGraph& graph, std::span<const NodeId> part,
                                       std::uint32_t count, std::uint64_t seed) {
  constexpr std::uint32_t kFewestEnds = 8;
  constexpr std::size_t kSample = 2000;
  FarNodes far(graph, part, seed);
  for (std::uint32_t i = 0; i < std::max(kFewestEnds, count + 1); ++i) far.add();
  const auto& distances = far.distances();

  struct Candidate {
    std::size_t a, b;
    std::vector<double> sample;
    double worst = 0;  // largest similarity to a selected sweep
  };
  std::vector<Candidate> candidates;
  const std::size_t step = std::max<std::size_t>(1, part.size() / kSample);
  for (std::size_t b = 1; b < distances.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      Candidate candidate{a, b, {}};
      for (std::size_t i = 0; i < part.size(); i += step) {
        candidate.sample.push_back(double{distances[a][part[i]]} - distances[b][part[i]]);
      }
      normalise(candidate.sample);
      candidates.push_back(std::move(candidate));
    }
  }
  std::vector<SweepKeys> sweeps;
  while (sweeps.size() < count) {
    // The first is the pair of the first two ends, which are farthest from each other.
    const auto chosen =
        std::min_element(candidates.begin(), candidates.end(),
                         [](const Candidate& x, const Candidate& y) { return x.worst < y.worst; });
    SweepKeys keys(graph.node_count(), 0);
    for (const NodeId v : part) keys[v] = distances[chosen->a][v] - distances[chosen->b][v];
    sweeps.push_back(std::move(keys));
    const std::vector<double> sample = chosen->sample;
    for (Candidate& other : candidates) {
      other.worst = std::max(other.worst, likeness(other.sample, sample));
    }
    chosen->worst = 2;
  }
  return sweeps;
}

Cutter::Cutter(const IntegerGraph& graph, std::span<const NodeId> part)
    : graph_(graph), part_(part), tree_(graph), high_(graph.node_count()) {}

void Cutter::cut(const SweepKeys& keys, double share, std::vector<Column>& columns) {
  sorted_.clear();
  for (const NodeId v : part_) sorted_.push_back(keys[v]);
  const auto at =
      sorted_.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted_.size()));
  std::nth_element(sorted_.begin(), at, sorted_.end());
  const float threshold = *at;
  // Equal keys stay on one side; a cut through a row of a grid would be twice as long.
  std::fill(high_.begin(), high_.end(), 0);
  for (const NodeId v : part_) high_[v] = keys[v] >= threshold;
  columns.push_back(signed_distances(false));
  if (!graph_.symmetric()) columns.push_back(signed_distances(true));
}

Cutter::Column Cutter::signed_distances(bool low_is) {
  separator_.clear();
  const auto low = [&](NodeId v) { return (high_[v] != 0) == low_is; };
  for (const NodeId v : part_) {
    if (!low(v)) continue;
    const auto arcs = graph_.arcs(v, Direction::kForward);
    if (std::any_of(arcs.begin(), arcs.end(), [&](const IntegerArc& a) { return !low(a.head); })) {
      separator_.push_back(v);
    }
  }
  Column column(graph_.node_count(), 0);
  if (separator_.empty()) return column;  // no arc across, so a constant is feasible
  // Unreached nodes get the largest distance: min(d, C) is feasible too.
  const auto fill = [&](Direction direction, bool low_side, std::int32_t sign) {
    if (direction == Direction::kForward || !graph_.symmetric()) tree_.run(separator_, direction);
    std::int32_t most = 0;
    for (const NodeId v : tree_.order()) {
      if (low(v) == low_side) most = std::max(most, tree_.distance(v));
    }
    for (NodeId v = 0; v < column.size(); ++v) {
      if (low(v) == low_side) column[v] = sign * std::min(most, tree_.distance(v));
    }
  };
  fill(Direction::kForward, false, 1);
  fill(Direction::kBackward, true, -1);
  return column;
}

}  // namespace lodestar
