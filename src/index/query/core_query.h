// A query of an index that searches the core: climbs to the core from both ends and crosses it by
// A*.
//
// 1. Dijkstra upwards from s along arcs, and from t against them, the end with the smaller key
//    first, each until its smallest key reaches µ, the best cost so far. Nodes of the core are
//    labelled and not expanded; they are the entries S = (u, ds) and T = (v, dt). A meeting below
//    the core gives µ. Stalling: a node that is cheaper to reach from above is not expanded.
// 2. tp_i = min over T of f_i(v) + dt and tm_i = max over T of f_i(v) - dt: the extreme values at t
//    that a feasible f_i allows. h(x) = max_i max(tp_i - f_i(x), f_i(x) - tm_i); only the first
//    term if the core is not symmetric.
// 3. A* in the core from all of S at once with keys g + h. A node of T gives µ = min(µ, g + dt).
//    Entries with keys of µ or more are dropped; the search ends when the queue is empty.
//
// Proof: docs/design/INDEX.md.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/min_heap.h"
#include "index/path_steps.h"
#include "index/query/climb_labels.h"
#include "index/runner.h"
#include "index/units.h"
#include "lodestar/detail/run_number.h"

namespace lodestar::index {

// Arcs: PlainArcs<W>, or NarrowArcs for directed graphs in 32 bits.
template <class W, class Arcs = PlainArcs<W>>
class CoreQuery final : public Runner {
 public:
  explicit CoreQuery(const Data& data);
  SearchResult run(Query query) override;
  void path(std::vector<NodeId>& nodes) const override;

 private:
  // 32 bytes with integer weights: half a cache line.
  struct alignas(8 * sizeof(W)) CoreLabel {
    W distance = 0;   // from the source
    W bound = 0;      // h; kNever if not computed yet
    W to_target = 0;  // dt of an entry of T
    std::uint32_t run = 0;
    // The origin of `distance`: the tail of an arc of the core, or the label of the tail of an
    // up-arc.
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
  bool stalled_here(const Climb& here, int end, ArcRow<Arcs> up, W distance);
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

  ArcRow<Arcs> row(NodeId u, int side) const {
    const std::uint32_t* const first = data_.first[side].data() + u;
    return row_between(arcs_[side], first[0], first[1]);
  }
  void tell(NodeId u, W distance, NodeId parent, Direction side) const;

  const Data& data_;
  const Arcs arcs_[2];  // by side
  const std::uint32_t row_;
  const double per_unit_;          // unit of potentials in units of arcs
  const std::uint32_t core_arcs_;  // smaller arc numbers belong to the core
  detail::RunNumber run_;
  Climb ends_[2];  // from the source, from the target
  std::vector<CoreLabel> core_;
  std::vector<std::uint32_t> places_;  // of the labels above the current node
  MinHeap<W> queue_;
  std::vector<NodeId> queued_;              // node by tag; among equal keys the latest comes first
  std::vector<std::int32_t> most_, least_;  // tp, tm; [row]
  bool by_distance_ = false;                // the bounds were dropped
  W best_ = 0;                              // µ
  Meeting meeting_ = Meeting::kNone;
  std::uint32_t meet_ = kNoLabel;        // a node of the core, or the label of the source's end
  std::uint32_t meet_there_ = kNoLabel;  // the label of the target's end
  mutable PathSteps steps_;
  mutable PathWriter writer_;
  std::vector<NodeId> scratch_;
};

std::unique_ptr<Runner> make_core_query(const Data& data);

}  // namespace lodestar::index
