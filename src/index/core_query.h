// Up, across, down: one query of an index.
//
// 1. Dijkstra upwards from s along arcs, from t against them, the nearer end first, each until its
//    least key reaches µ, the best cost so far. Nodes of the core are labelled, not expanded: they
//    are the entries S = (u, ds) and T = (v, dt). A meeting below the core gives µ.
//    Stalling: a node that is reached more cheaply from above is not on a shortest path.
// 2. tp_i = min over T of f_i(v) + dt and tm_i = max over T of f_i(v) - dt: the extreme values at t
//    that a feasible f_i allows. h(x) = max_i max(tp_i - f_i(x), f_i(x) - tm_i); when
//    the core is not symmetric the first only.
// 3. A* in the core from all of S at once, keys g + h; a node of T gives µ = min(µ, g + dt). Keys
// of
//    µ and more are dropped; done when none is left.
//
// Why it is right: docs/INDEX.md.
#pragma once

#include <cstdint>
#include <vector>

#include "index/min_heap.h"
#include "index/runner.h"
#include "index/units.h"

namespace lodestar::index {

template <class W>
class CoreQuery final : public Runner {
 public:
  explicit CoreQuery(const Data& data);
  SearchResult run(Query query) override;
  void path(std::vector<NodeId>& nodes) const override;

 private:
  struct Label {
    W distance = 0;
    std::uint32_t run = 0;
    NodeId parent = kNoNode;
    std::uint32_t arc = 0;  // from the parent
  };
  struct CoreLabel {
    W distance = 0;
    W bound = 0;  // h
    W to_target = 0;
    std::uint32_t run = 0;
    NodeId parent = kNoNode;  // kNoNode: an entry
    std::uint32_t arc = 0;
    bool bounded = false;  // `bound` is known
  };
  struct Climb {
    std::vector<Label> labels;
    std::vector<NodeId> entries;
    MinHeap<W> queue;
  };
  enum class Meeting : std::uint8_t { kNone, kBelow, kCore };

  void begin(NodeId s, NodeId t);
  void climb();
  void settle(int end, NodeId u, W distance);
  void cross();
  void bound_target();
  template <bool kBothWays>
  W bound_at(NodeId u) const;
  W bound_of(NodeId u) { return data_.both_ways ? bound_at<true>(u) : bound_at<false>(u); }
  CoreLabel& core_label(NodeId u);
  void reach(NodeId u, W distance, NodeId parent, std::uint32_t arc);

  void tell(NodeId u, W distance, NodeId parent, Direction side) const;
  void append_up(NodeId u, std::uint32_t arc, NodeId head, int side, bool reversed,
                 std::vector<NodeId>& nodes) const;

  const Data& data_;
  const std::uint32_t row_;
  const double per_unit_;  // units of a potential in units of an arc
  std::uint32_t run_ = 0;
  Climb ends_[2];  // from the source, from the target
  std::vector<CoreLabel> core_;
  MinHeap<W> queue_;
  std::vector<NodeId> queued_;  // by the number in the queue: the latest of equal keys comes first
  std::vector<std::int32_t> most_, least_;  // tp, tm; [row]
  Query query_;
  W best_ = 0;  // µ
  Meeting meeting_ = Meeting::kNone;
  NodeId meet_ = kNoNode;
  mutable std::vector<NodeId> scratch_;
};

}  // namespace lodestar::index
