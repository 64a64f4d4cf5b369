#include "potentials/cone.h"

#include <algorithm>

namespace lodestar {

template <bool kRaise>
void ConeMover::move(std::vector<ConeNode>& potential, NodeId c, std::uint32_t reach,
                     ConeStats& stats) {
  constexpr std::int32_t kSign = kRaise ? 1 : -1;
  constexpr Direction kDirection = kRaise ? Direction::kBackward : Direction::kForward;
  run_.next([&] { std::fill(labels_.begin(), labels_.end(), Label{}); });
  queue_.clear();
  settled_.clear();
  labels_[c] = {run_, 0};
  queue_.push(0, c);
  std::int64_t slope = 0, gain = 0, best = 0;
  std::uint32_t last = 0, best_delta = 0;
  std::size_t settled_at_best = 0;

  while (!queue_.empty()) {
    const auto top = queue_.pop();
    const std::uint32_t slack = top.key();
    const NodeId u = top.tag();
    if (slack != labels_[u].slack) continue;  // outdated
    gain += slope * (slack - last);
    last = slack;
    if (gain > best) {
      best = gain;
      best_delta = slack;
      settled_at_best = settled_.size();
    }
    if (settled_.size() > 2 * settled_at_best + reach) break;
    settled_.push_back({u, slack});
    slope += kSign * potential[u].b;
    const std::int64_t base = std::int64_t{slack} - kSign * potential[u].f;
    for (const IntegerArc& arc : graph_.arcs(u, kDirection)) {
      const std::int64_t entry = base + kSign * potential[arc.head].f + arc.weight;
      Label& label = labels_[arc.head];
      if (label.run == run_ && entry >= label.slack) continue;
      if (entry > IntegerGraph::kRange) continue;
      label = {run_, static_cast<std::uint32_t>(entry)};
      queue_.push(label.slack, arc.head);
    }
  }
  ++stats.moves;
  stats.settled += settled_.size();
  // The move is largest at c, so it is enough to check the range there.
  if (best == 0) return;
  const std::int64_t moved = potential[c].f + kSign * std::int64_t{best_delta};
  if (std::abs(moved) > IntegerGraph::kRange) return;
  for (const Settled& node : settled_) {
    if (node.slack >= best_delta) break;
    potential[node.node].f += kSign * static_cast<std::int32_t>(best_delta - node.slack);
  }
  ++stats.accepted;
  stats.gain += best;
}

void ConeMover::raise(std::vector<ConeNode>& potential, NodeId c, std::uint32_t reach,
                      ConeStats& stats) {
  move<true>(potential, c, reach, stats);
}
void ConeMover::lower(std::vector<ConeNode>& potential, NodeId c, std::uint32_t reach,
                      ConeStats& stats) {
  move<false>(potential, c, reach, stats);
}

}  // namespace lodestar
