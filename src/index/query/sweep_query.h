// A query of an index with core distances: climbs without a queue and crosses the core by look-up.
//
// Up-arcs lead to smaller numbers. A climb that always continues with the largest number therefore
// visits each node once, when its distance is final. The cost is the minimum of ds + D[u][v] + dt
// over the entries u, v of both ends, and of ds + dt over nodes below the core where the climbs
// meet.
#pragma once

#include <cstdint>
#include <vector>

#include "index/core_distances.h"
#include "index/query/climb_labels.h"
#include "index/query/watchable.h"

namespace lodestar::index {

class SweepQuery final : public Watchable {
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
    ClimbLabels<std::uint32_t> labels;   // below the core
    std::vector<std::uint64_t> waiting;  // node << 32 | position of its label, ascending
    std::vector<CoreLabel> core;
    std::vector<NodeId> entries;
  };
  struct Source {
    NodeId node;
    std::uint32_t distance;
  };

  std::uint32_t answer(Query query) override;
  NodeId steps(std::vector<PathStep>& steps) const override;
  bool tell(std::vector<IndexStep>& told) const override;
  void begin(int end, NodeId from);
  void climb(int end);
  bool stalled(const Climb& here, int side, NodeId u, std::uint32_t distance);
  void cross();
  // Walks back from the meeting node to the end; returns the node there.
  NodeId descend(int end, std::vector<PathStep>& steps) const;

  Climb ends_[2];
  std::vector<Source> sources_;
  std::vector<std::uint32_t> places_;  // of the labels above the current node
  std::uint32_t best_ = kFar;
  bool in_core_ = false;  // the best path crosses the core
  std::uint32_t meet_[2] =
      {};  // its two core nodes, or the two labels of the node where climbs meet
  mutable CoreWalk walk_;
};

}  // namespace lodestar::index
