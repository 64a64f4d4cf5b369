// Records Dijkstra's algorithm step by step, as the CLRS benchmark does, to train networks.
//
//   Searcher searcher(graph);
//   const Trajectory steps = dijkstra_trajectory(searcher, source);
//   const HintView before = steps.frame(k), after = steps.frame(k + 1);
//
// An observer of Searcher records the states. Frame 0 is the state before the first node is
// settled, frame k the state after the k-th: pi_h, d, mark, in_queue, u in CLRS's names. The pi of
// the last frame is CLRS's output. Unlike in CLRS, an arc of weight 0 is an arc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lodestar/search.h"
#include "lodestar/types.h"

namespace lodestar {

// A state of Dijkstra's algorithm; spans of length n.
struct HintView {
  std::span<const NodeId> pi;  // predecessor; the node itself if there is none yet
  std::span<const double> d;   // graph units
  std::span<const std::uint8_t> mark;
  std::span<const std::uint8_t> in_queue;
  NodeId u = kNoNode;  // the node just settled
};

struct Trajectory {
  NodeId nodes = 0;
  NodeId source = kNoNode;
  std::vector<NodeId> u;               // [frames]
  std::vector<NodeId> pi;              // [frames × n]; the node itself if it has no predecessor
  std::vector<double> d;               // [frames × n]; 0 until reached
  std::vector<std::uint8_t> mark;      // [frames × n]
  std::vector<std::uint8_t> in_queue;  // [frames × n]

  std::size_t frames() const { return u.size(); }
  std::size_t steps() const { return u.size() - 1; }  // nodes settled
  HintView frame(std::size_t k) const;
};

// Runs until all reachable nodes, or max_steps nodes, are settled.
Trajectory dijkstra_trajectory(Searcher& searcher, NodeId source, NodeId max_steps = kNoNode);

struct TrajectorySample {
  Graph graph;
  Query query;
  Trajectory trajectory;
};

// Writes an .npz file for numpy.load with CLRS's names and shapes: N samples of n nodes and T
// frames. Shorter trajectories are padded with zeros; `lengths` has the number of frames of each.
//   inputs  pos, s, t [N, n] float32; A, adj [N, n, n] float32 (adj with its diagonal)
//   hints   pi_h [T, N, n] int32; d, mark, in_queue, u [T, N, n] float32
//   output  pi [N, n] int32
// Throws Error if the graphs differ in size or the file cannot be written.
void write_trajectories(std::span<const TrajectorySample> samples, const std::string& path);

}  // namespace lodestar
