// Cone moves: one step of training one potential, feasible before and after.
//
// Lowering f at c:  f ← min(f, f(c) - δ + d(c, ·))
// Raising f at c:   f ← max(f, f(c) + δ - d(·, c))
//
// A node v at reduced distance s from c (arcs cost w(u,v) + f(u) - f(v) ≥ 0 going down) has slack
// s: it has to move along once δ exceeds s. Nodes enter in order of slack, so the gain
// Σ_v b(v) Δf(v) is piecewise linear in δ and known as the search goes; one run finds the best δ.
#pragma once

#include <cstdint>
#include <vector>

#include "base/min_heap.h"
#include "lodestar/detail/run_number.h"
#include "potentials/integer_graph.h"

namespace lodestar {

// One potential in training: f, and what each node's value is worth (b).
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

// Memory of the moves, one per thread, for any potential of its graph.
class ConeMover {
 public:
  explicit ConeMover(const IntegerGraph& graph) : graph_(graph), labels_(graph.node_count()) {}

  // Moves f at c by the best δ found, if any; the search goes on while it has settled at most
  // 2 · (settled at the best δ so far) + reach nodes. Adds to stats.
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
