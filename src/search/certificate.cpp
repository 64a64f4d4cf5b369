#include "lodestar/certificate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace lodestar {

void ConstraintCheck::merge(const ConstraintCheck& other) {
  nodes += other.nodes;
  arcs += other.arcs;
  satisfied += other.satisfied;
  target_ok = target_ok && other.target_ok;
  if (other.worst.excess > worst.excess) worst = other.worst;
}

ConstraintCheck check_potential(const Graph& graph, std::span<const double> y, double tolerance) {
  detail::check_potentials(y.size(), graph.node_count());
  ConstraintCheck check;
  check.nodes = graph.node_count();
  check.arcs = graph.arc_count();
  graph.visit(Direction::kForward, [&](auto adjacency) {
    for (NodeId u = 0; u < graph.node_count(); ++u) {
      for (const auto& arc : adjacency.of(u)) {
        const auto w = static_cast<double>(arc.weight);
        const double from = y[u], to = y[arc.head];
        if (satisfies(from, to, w)) {
          ++check.satisfied;
          continue;
        }
        // The excess may round to 0, but the arc is still violated.
        double excess = std::max(to - from - w, std::numeric_limits<double>::denorm_min());
        if (excess <= tolerance * std::max({std::abs(from), std::abs(to), w})) {
          ++check.satisfied;
          continue;
        }
        if (std::isnan(to - from)) excess = kInfinity;
        if (excess > check.worst.excess) check.worst = {u, arc.head, w, excess};
      }
    }
  });
  return check;
}

void AdmissibilityChecker::note(const Overestimate& estimate) {
  ++checked_;
  if (estimate.estimate <= estimate.distance * (1 + tolerance_)) return;
  ++overestimates_;
  if (worst_.node == kNoNode || estimate.excess() > worst_.excess()) worst_ = estimate;
}

namespace {

// Ordering the arcs of a dense graph takes as long as some dozens of closures without it.
constexpr unsigned kWorthOrdering = 32;
constexpr int kPotentialBits = 40;  // of the largest |y|; leaves 13 bits of headroom for sums

// The largest power of two that divides x > 0 is 2 to this.
int lowest_bit(double x) {
  constexpr int kMantissaBits = 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << kMantissaBits) - 1);
  const int exponent = std::max(1, static_cast<int>(bits >> kMantissaBits));  // subnormal: as 1
  return exponent - 1075 + (mantissa != 0 ? std::countr_zero(mantissa) : kMantissaBits);
}

// Rounds h(v) = y(t) - y(v) up to multiples of `unit`, which divides all weights. h stays
// consistent: h(u) <= w + h(v) and w / unit whole give ceil(h(u) / unit) <= w / unit + ceil(h(v) /
// unit). The differences must be exact.
void round_up(std::span<double> y, NodeId target, double unit) {
  const double at_target = y[target], per_unit = 1 / unit;
  for (double& value : y) value = at_target - std::ceil((at_target - value) * per_unit) * unit;
}

}  // namespace

Graph ordered_for_queries(const Graph& graph) {
  constexpr std::size_t kManyArcs = 16;  // per node; below, ending scans early does not pay
  const bool many = graph.arc_count() > kManyArcs * graph.node_count();
  return many ? graph.ordered(ArcOrder::kByWeight) : graph;
}

ExactClosure::ExactClosure(const Graph& graph) : graph_(graph) {
  int finest = std::numeric_limits<int>::max();
  double largest = 0;
  graph_.visit(Direction::kForward, [&](auto adjacency) {
    for (ArcIndex i = 0; i < graph_.arc_count(); ++i) {
      const auto w = static_cast<double>(adjacency.arcs[i].weight);
      if (w == 0) continue;
      largest = std::max(largest, w);
      finest = std::min(finest, lowest_bit(w));
    }
  });
  finest_ = largest > 0 ? std::ldexp(1, finest) : 0;
  const double n = graph_.node_count();
  exact_weights_ = largest == 0 || n * largest / finest_ <= 0x1p53;
  if (!exact_weights_) margin_ = n * n * largest * 0x1p-52;
}

ClosureResult ExactClosure::apply(std::span<double> y, NodeId target) {
  detail::check_node(target, graph_.node_count());
  detail::check_potentials(y.size(), graph_.node_count());
  double largest = 0;
  for (const double value : y) {
    if (!std::isfinite(value))
      throw Error("a potential is not finite; use another model or potential");
    largest = std::max(largest, std::abs(value));
  }
  if (largest == 0 && exact_weights_) return {};
  if (applied_ < kWorthOrdering && ++applied_ == kWorthOrdering) {
    graph_ = ordered_for_queries(graph_);
  }
  // Weights are 0 or at least 2^-960: below 2^-980 nothing matters, and 1 / unit would overflow.
  largest = std::max({largest, margin_, 0x1p-980});
  const double unit = std::exp2(std::ilogb(largest) + 1 - kPotentialBits);
  const double per_unit = 1 / unit;
  for (double& value : y) value = std::floor(value * per_unit);
  // Whole multiples of the finer of the two units: exact as long as both fit 53 bits.
  if (exact_weights_ && (finest_ >= unit || largest <= finest_ * 0x1p52)) {
    for (double& value : y) value *= unit;
    const ClosureResult result = close_above(graph_, y, scratch_);
    if (finest_ >= 1) round_up(y, target, finest_);
    return result;
  }
  const ClosureResult result = close_above(graph_, y, unit, scratch_);
  // Now h(v) <= d(v,t); lowering y(t) makes room for rounding, and closing below makes that
  // feasible. A node this lowers too has h = -d(t,v) <= 0, which needs no room.
  y[target] -= std::ceil(margin_ * per_unit);
  if (margin_ > 0) close_below(graph_, y, unit, scratch_);
  for (double& value : y) value *= unit;
  return result;
}

}  // namespace lodestar
