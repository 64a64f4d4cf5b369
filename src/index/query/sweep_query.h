// A query of an index with core distances: climbs without a queue and crosses the core by look-up.
//
// A climb takes the waiting nodes in one of two orders. Both visit each node once, when its
// distance is final.
// - By number, the largest first: up-arcs lead to smaller numbers. This needs no comparisons of
//   distances and is fastest where climbs are short.
// - By distance, until the ends have met at no more than that. This is for ends that are close, and
//   for graphs on which many nodes are stalled: those reached more cheaply from above.
// The cost is the minimum of ds + D[u][v] + dt over the entries u, v of both ends, and of ds + dt
// over nodes below the core where the climbs meet.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "index/core_distances.h"
#include "index/query/climb_labels.h"
#include "index/query/watchable.h"

namespace lodestar::index {

// Arcs: PlainArcs on symmetric graphs, NarrowArcs on directed ones.
template <class Arcs>
class SweepQuery final : public Watchable<std::uint32_t> {
 public:
  explicit SweepQuery(const Data& data);

 private:
  // The label of a core node for one end.
  struct CoreLabel {
    std::uint32_t distance = kFar;  // kFar between queries
    std::uint32_t parent = kNoLabel;
    std::uint32_t arc = kDirect;
  };
  struct Climb {
    ClimbLabels<std::uint32_t> labels;  // below the core
    // key << 32 | position of the label, ascending. By number the key is the node, and the last one
    // is taken and removed. By distance the first `taken` ones stay.
    std::vector<std::uint64_t> waiting;
    std::size_t taken = 0;
    std::vector<CoreLabel> core;
    std::vector<NodeId> entries;
  };
  struct Source {
    NodeId node;
    std::uint32_t distance;
  };

  std::uint32_t answer(Query query) override;
  void steps(PathSteps& steps) const override;
  bool tell(std::vector<IndexStep>& told) const override;
  void begin(int end, NodeId from);
  template <bool kByNumber>
  bool climb(int end);
  template <bool kByNumber>
  void climb_all();
  bool stalled(const Climb& here, NodeId u, std::uint32_t distance);
  void cross();
  // Walks back from the meeting node to the end; returns the node there.
  NodeId descend(int end, std::vector<PathStep>& steps) const;

  // On directed graphs the arcs from above are not those up, and no node is stalled.
  static constexpr bool kStalls = std::is_same_v<Arcs, PlainArcs<std::uint32_t>>;
  const Arcs arcs_[2];
  const std::uint32_t* const first_[2];
  const bool often_stalls_;
  bool by_number_ = false;  // the order of the last query
  Climb ends_[2];
  std::vector<Source> sources_;
  std::vector<std::uint32_t> places_;  // of the labels above the current node
  std::uint32_t best_ = kFar;
  bool in_core_ = false;  // the best path crosses the core
  std::uint32_t meet_[2] =
      {};  // its two core nodes, or the two labels of the node where climbs meet
  mutable CoreWalk<std::uint32_t> walk_;
};

}  // namespace lodestar::index
