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
// Why it is right: docs/design/INDEX.md.
#pragma once

#include <cstdint>
#include <vector>

#include "base/min_heap.h"
#include "index/path_steps.h"
#include "index/query/climb_labels.h"
#include "index/runner.h"
#include "index/units.h"
#include "lodestar/detail/run_number.h"

namespace lodestar::index {

template <class W>
class CoreQuery final : public Runner {
 public:
  explicit CoreQuery(const Data& data);
  SearchResult run(Query query) override;
  void path(std::vector<NodeId>& nodes) const override;

 private:
  // 32 bytes with whole numbers: half a cache line.
  struct alignas(8 * sizeof(W)) CoreLabel {
    W distance = 0;   // from the source
    W bound = 0;      // h; kNever while it is not known
    W to_target = 0;  // of an entry of T
    std::uint32_t run = 0;
    // Where `distance` came from. An arc of the core: its tail. An arc up: the label of its tail.
    std::uint32_t parent = kNoLabel;
    std::uint32_t arc = 0;
    std::uint32_t target_parent = kNoLabel;  // the label below an entry of T
    std::uint32_t target_arc = 0;
  };
  struct Climb {
    ClimbLabels<W> labels;
    std::vector<NodeId> entries;
    MinHeap<W> queue;  // of labels
  };
  enum class Meeting : std::uint8_t { kNone, kBelow, kCore };

  void begin(NodeId s, NodeId t);
  void climb();
  void settle(int end, std::uint32_t place);
  bool stalled(int end, NodeId u, W distance) const;
  bool stalled_here(const Climb& here, int end, std::span<const UpArc<W>> up, W distance);
  void enter(int end, NodeId u, W distance, std::uint32_t parent, std::uint32_t arc);
  void meet(W cost, Meeting meeting, std::uint32_t at);
  void prefetch_row(int side, NodeId u) const;
  void cross();
  void bound_target();
  W bound_of(NodeId u) const;
  CoreLabel& core_label(NodeId u);
  void enqueue(NodeId u, CoreLabel& label);
  void drop_bounds();
  bool from_core(const CoreLabel& label) const { return label.arc < core_arcs_; }

  void tell(NodeId u, W distance, NodeId parent, Direction side) const;

  const Data& data_;
  const std::uint32_t row_;
  const double per_unit_;          // units of a potential in units of an arc
  const std::uint32_t core_arcs_;  // arcs before this are the core's
  detail::RunNumber run_;
  Climb ends_[2];  // from the source, from the target
  std::vector<CoreLabel> core_;
  std::vector<std::uint32_t> places_;  // of the labels above the node at hand
  MinHeap<W> queue_;
  std::vector<NodeId> queued_;  // by the number in the queue: the latest of equal keys comes first
  std::vector<std::int32_t> most_, least_;  // tp, tm; [row]
  bool by_distance_ = false;                // the bounds were dropped
  W best_ = 0;                              // µ
  Meeting meeting_ = Meeting::kNone;
  std::uint32_t meet_ = kNoLabel;        // a node of the core, or the label of the source's end
  std::uint32_t meet_there_ = kNoLabel;  // … and of the target's
  mutable std::vector<PathStep> steps_;
  mutable PathWriter writer_;
  std::vector<NodeId> scratch_;
};

}  // namespace lodestar::index
