// Is there a way around a node? A short Dijkstra from one of its neighbours to others, each with
// the cost that the way over the node has.
//
// The last arc of a way to a target is at least as long as the target's shortest arc. So a node
// that is farther away than the target's cost less that arc leads to it no more: a ring of nodes
// as wide as an arc, most of a search on grids, need not be looked at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/min_heap.h"
#include "index/build/growing_graph.h"
#include "lodestar/detail/run_number.h"

namespace lodestar::index {

template <class W>
class WitnessSearch {
 public:
  explicit WitnessSearch(NodeId nodes) : labels_(nodes) {}

  void begin(NodeId source, NodeId avoid) {
    run_.next([&] { labels_.assign(labels_.size(), Label{}); });
    open_ = 0;
    bound_ = 0;
    farthest_ = 0;
    queue_.clear();
    labels_[avoid] = {0, 0, run_, 0};  // nothing is shorter: never entered
    labels_[source] = {0, 0, run_, 0};
    queue_.push(0, source);
  }

  // Asks for a way from the source to v of at most this cost; v is not the source. No arc into v is
  // shorter than `last`.
  void want(NodeId v, W cost, W last) {
    Label& label = labels_[v];
    if (label.run != run_) label = {kNever<W>, cost, run_, 0};
    label.bound = cost;
    label.wanted = run_;
    if (cost > bound_) bound_ = cost;
    if (cost >= last && cost - last > farthest_) farthest_ = cost - last;
    ++open_;
  }

  // Settles up to `limit` nodes; nodes for which pass(v) is false are not there.
  template <class Pass>
  void run(const GrowingGraph<W>& graph, std::uint32_t limit, Pass&& pass) {
    for (std::uint32_t settled = 0; open_ > 0 && settled < limit && !queue_.empty();) {
      const auto top = queue_.pop();
      const W key = top.key();
      const NodeId u = top.tag();
      if (key > farthest_) return;
      if (key > labels_[u].distance) continue;  // an old entry
      ++settled;
      for (const GrowingArc<W>& arc : graph.arcs(u, Direction::kForward)) {
        const W distance = key + arc.weight;
        if (distance > bound_) break;  // a row ascends
        Label& label = labels_[arc.head];
        if (label.run == run_ ? distance >= label.distance : !pass(arc.head)) continue;
        if (label.run != run_) {
          label = {distance, 0, run_, 0};
        } else {
          label.distance = distance;
        }
        if (distance <= farthest_) queue_.push(distance, arc.head);
        if (label.wanted == run_ && distance <= label.bound) {
          label.wanted = 0;  // found; a shorter way would tell no more
          if (--open_ == 0) return;
        }
      }
    }
  }

  // After run: was a way to v, which was wanted, not found?
  bool needed(NodeId v) const { return labels_[v].wanted == run_; }

 private:
  struct Label {
    W distance = 0;
    W bound = 0;
    std::uint32_t run = 0;
    std::uint32_t wanted = 0;  // the run that asks for it
  };
  std::vector<Label> labels_;
  MinHeap<W> queue_;
  detail::RunNumber run_;
  std::uint32_t open_ = 0;
  W bound_ = 0;     // no wanted way is longer
  W farthest_ = 0;  // … nor passes a node farther away than this
};

}  // namespace lodestar::index
