// Witness search: a short Dijkstra search from a neighbour of a node to its other neighbours, each
// with the cost of the path over the node as limit.
//
// The last arc of a path to a target is at least as long as the shortest arc into the target. Nodes
// farther away than the limit minus that arc are therefore not needed. On grids this saves most of
// the search.
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
    labels_[avoid] = {0, 0, run_, 0};  // distance 0, so it is never entered
    labels_[source] = {0, 0, run_, 0};
    queue_.push(0, source);
  }

  // Requests a path from the source to v of at most this cost; v is not the source. No arc into v
  // is shorter than `last`.
  void want(NodeId v, W cost, W last) {
    Label& label = labels_[v];
    if (label.run != run_) label = {kNever<W>, cost, run_, 0};
    label.bound = cost;
    label.wanted = run_;
    if (cost > bound_) bound_ = cost;
    if (cost >= last && cost - last > farthest_) farthest_ = cost - last;
    ++open_;
  }

  // Settles up to `limit` nodes; ignores nodes for which pass(v) is false.
  template <class Pass>
  void run(const GrowingGraph<W>& graph, std::uint32_t limit, Pass&& pass) {
    work_ = open_;
    for (std::uint32_t settled = 0; open_ > 0 && settled < limit && !queue_.empty();) {
      const auto top = queue_.pop();
      const W key = top.key();
      const NodeId u = top.tag();
      if (key > farthest_) return;
      if (key > labels_[u].distance) continue;  // outdated
      ++settled;
      work_ += kSettled;
      for (const GrowingArc<W>& arc : graph.arcs(u, Direction::kForward)) {
        ++work_;
        const W distance = key + arc.weight;
        if (distance > bound_) break;  // the row is sorted by weight
        Label& label = labels_[arc.head];
        if (label.run == run_ ? distance >= label.distance : !pass(arc.head)) continue;
        if (label.run != run_) {
          label = {distance, 0, run_, 0};
        } else {
          label.distance = distance;
        }
        if (distance <= farthest_) queue_.push(distance, arc.head);
        if (label.wanted == run_ && distance <= label.bound) {
          label.wanted = 0;  // found
          if (--open_ == 0) return;
        }
      }
    }
  }

  // What the last run() did, in steps of a few nanoseconds.
  std::uint64_t work() const { return work_; }

  // After run(): whether no path to the requested v was found.
  bool needed(NodeId v) const { return labels_[v].wanted == run_; }

 private:
  static constexpr std::uint64_t kSettled = 4;  // arcs' worth of work
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
  std::uint64_t work_ = 0;
  W bound_ = 0;     // the largest requested cost
  W farthest_ = 0;  // nodes farther away than this are not needed
};

}  // namespace lodestar::index
