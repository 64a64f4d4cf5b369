// Cone moves: a step of training that changes one potential and keeps it feasible.
//
// Lowering f at c:  f ← min(f, f(c) - δ + d(c, ·))
// Raising f at c:   f ← max(f, f(c) + δ - d(·, c))
//
// A node v at reduced distance s from c (arcs cost w(u,v) + f(u) - f(v) ≥ 0 when lowering) has
// slack s: it must move if δ exceeds s. Nodes are settled in order of slack. The gain Σ_v b(v)
// Δf(v) is piecewise linear in δ and known during the search, so one run finds the best δ.
#pragma once

#include <cstdint>
#include <vector>

#include "base/min_heap.h"
#include "lodestar/detail/run_number.h"
#include "potentials/integer_graph.h"

namespace lodestar {

// A node of a potential in training: its value f and its coefficient b in the objective.
struct ConeNode {
  std::int32_t f;
  std::int32_t b;
};

struct ConeStats {
  std::uint64_t moves = 0;
  std::uint64_t accepted = 0;
  std::uint64_t settled = 0;
  std::int64_t gain = 0;

  ConeStats& operator+=(const ConeStats& other) {
    moves += other.moves;
    accepted += other.accepted;
    settled += other.settled;
    gain += other.gain;
    return *this;
  }
};

// Performs moves on any potential of a graph. Use one per thread.
class ConeMover {
 public:
  explicit ConeMover(const IntegerGraph& graph) : graph_(graph), labels_(graph.node_count()) {}

  // Moves f at c by the best δ found, if any, and adds to stats. The search continues while it has
  // settled at most 2 · (settled at the best δ so far) + reach nodes.
  void raise(std::vector<ConeNode>& potential, NodeId c, std::uint32_t reach, ConeStats& stats);
  void lower(std::vector<ConeNode>& potential, NodeId c, std::uint32_t reach, ConeStats& stats);

 private:
  template <bool kRaise>
  void move(std::vector<ConeNode>& potential, NodeId c, std::uint32_t reach, ConeStats& stats);

  struct Label {
    std::uint32_t run = 0;
    std::uint32_t slack = 0;
  };
  struct Settled {
    NodeId node;
    std::uint32_t slack;
  };
  const IntegerGraph& graph_;
  std::vector<Label> labels_;
  std::vector<Settled> settled_;
  MinHeap<std::uint32_t> queue_;
  detail::RunNumber run_;
};

}  // namespace lodestar
