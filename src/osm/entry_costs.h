// The arcs of the graph to be, with what is due on entering them: turns, signals, gates, and roads
// that are not for through traffic.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "profile.h"
#include "turns.h"

namespace lodestar::osm {

// An arc of the graph to be: node-based or arc-based.
struct FinalArc {
  NodeId tail;
  NodeId head;
  std::uint32_t weight;
  std::uint32_t duration;
  std::uint32_t segment;
  std::uint32_t entry;  // part of the duration
  auto key() const { return std::tie(tail, head, weight, segment); }
  bool operator<(const FinalArc& other) const { return key() < other.key(); }
};

// What it costs to enter a road at a node, and to turn there. Weights by length have no such costs.
class EntryCosts {
 public:
  EntryCosts(const Roads& roads, const RawRoads& raw, const Profile& profile, bool by_length,
             bool turns);

  // The arc into `to` from a road that is not for through traffic either, or from another one.
  FinalArc arc(NodeId tail, NodeId head, const RoadArc& to, bool from_restricted,
               const RoadArc* from = nullptr) const;

 private:
  double bearing(const RoadArc& arc, bool at_end) const;
  std::uint32_t turn(const RoadArc& from, const RoadArc& to) const;

  const Roads& roads_;
  const RawRoads& raw_;
  TurnCosts costs_;
  std::uint32_t penalty_;
  bool by_length_;
  std::vector<std::uint32_t> degree_;  // roads at a node; only with costs of turns
};

}  // namespace lodestar::osm
