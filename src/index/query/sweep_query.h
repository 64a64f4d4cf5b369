// Up without a queue, and across by a table.
//
// Arcs up lead to smaller numbers, so that a climb which always takes the largest number next
// takes each node once, when its distance is known: no keys, no old entries. Of the entries u, v of
// both ends the answer is the least ds + D[u][v] + dt, or that of a node below the core where the
// climbs meet.
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
  // What an end knows of a node of the core.
  struct CoreLabel {
    std::uint32_t distance = kFar;  // kFar between queries
    std::uint32_t parent = kNoLabel;
    std::uint32_t arc = kDirect;
  };
  struct Climb {
    ClimbLabels<std::uint32_t> labels;   // below the core
    std::vector<std::uint64_t> waiting;  // node << 32 | place of its label, ascending
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
  // Back from the meeting to the end; the node there.
  NodeId descend(int end, std::vector<PathStep>& steps) const;

  Climb ends_[2];
  std::vector<Source> sources_;
  std::vector<std::uint32_t> places_;  // of the labels above the node at hand
  std::uint32_t best_ = kFar;
  bool in_core_ = false;        // the best meets in the core: at two nodes of it,
  std::uint32_t meet_[2] = {};  // otherwise at one node below it: its labels of both ends
  mutable CoreWalk walk_;
};

}  // namespace lodestar::index
