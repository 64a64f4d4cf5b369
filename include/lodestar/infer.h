// Computes the potentials of a trained model on a graph, without torch.
//
//   const PotentialNet net(load_model("deep"), graph);   // once per graph; shared by threads
//   PotentialNet::Workspace work(net);                    // one per thread, reused
//   net.potentials({s, t}, work, y);                      // y: [n]; no allocation
//   searcher.run({s, t}, PotentialHeuristic(y, t));
//
// model.h has the equations. Everything that depends on neither step nor query is computed once:
// the products of the encoders with the following matrices, the input graph
// (src/network/features.h) and the node-feature part of every layer. One-layer messages need no
// product per arc, since max_u relu(a_v + b_u + c_e) = relu(a_v + max_u(b_u + c_e)).
//
// A net with one step and one layer of each kind *collapses*: b_u then depends only on the sender's
// kind (source, target, other) and pos. The maximum over other senders is attained at an extreme
// weight (with pos: on the convex hull of (pos, weight)). After one pass over the graph a query
// costs O(deg s + deg t), and the value of a node that is not adjacent to s or t is stored:
//
//   LazyPotential learned(net);                           // one per thread, reused
//   learned.begin({s, t});
//   searcher.run({s, t}, learned);                        // evaluated when the search needs it
//
// Results are bit for bit the same on every processor, with every compiler and thread count.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lodestar/detail/run_number.h"
#include "lodestar/graph.h"
#include "lodestar/heuristic.h"
#include "lodestar/model.h"
#include "lodestar/types.h"

namespace lodestar {

namespace detail {
struct NetOnGraph;
struct NetMemory;
}  // namespace detail

struct NetOptions {
  std::uint32_t steps = 0;  // at most; 0: those of the model
  double scale = 0;         // of y; 0: that of the model
  bool collapse = true;     // false: always use the general method, for comparison
};

class PotentialNet {
 public:
  PotentialNet(const Model& model, const Graph& graph, const NetOptions& options = {});

  NodeId node_count() const;
  std::uint32_t steps() const;
  // Whether LazyPotential can be used: one step, one layer of each kind, and NetOptions::collapse.
  bool collapses() const;

  class Workspace {
   public:
    explicit Workspace(const PotentialNet& net);
    ~Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;
    // The steps taken for the last query; 0 for a net that collapses.
    std::uint32_t steps() const;

   private:
    friend class PotentialNet;
    std::unique_ptr<detail::NetMemory> memory_;
  };

  // Fills y [n]. Throws Error if the query is not in the graph, a result is not finite, y has
  // another size, or the workspace belongs to another net.
  void potentials(Query query, Workspace& work, std::span<double> y) const;

  // y: [queries × n]. 0 threads: all cores; the result does not depend on it.
  void potentials(std::span<const Query> queries, std::span<double> y, unsigned threads = 1) const;

 private:
  friend class LazyPotential;
  std::shared_ptr<const detail::NetOnGraph> net_;
};

// The heuristic y(t) - y(v) of a net that collapses, evaluated lazily.
class LazyPotential {
 public:
  // Throws Error if the net does not collapse.
  explicit LazyPotential(const PotentialNet& net);
  ~LazyPotential();
  LazyPotential(LazyPotential&&) noexcept;
  LazyPotential& operator=(LazyPotential&&) noexcept;

  // Call it before each query. Throws Error if the query is not in the graph.
  void begin(Query query);

  Cost operator()(NodeId v) { return at_target_ - potential(v); }
  static constexpr Guarantee guarantee() { return Guarantee::kNone; }
  NodeId node_count() const;

  double potential(NodeId v) { return hears_[v].run == run_ ? evaluate(v) : base_[v]; }

 private:
  // The messages that v receives from the source and the target of this query.
  struct Heard {
    std::uint32_t run = 0;
    bool twice = false;      // parallel arcs: all of them must be scanned
    float of_source = kNot;  // weight of the arc, network units
    float of_target = kNot;
  };
  static constexpr float kNot = -1;

  double evaluate(NodeId v);
  void mark(NodeId sender, float Heard::*weight);
  Heard& heard(NodeId v);

  std::shared_ptr<const detail::NetOnGraph> net_;
  const double* base_ = nullptr;  // [n] potentials of nodes that receive nothing from s and t
  std::vector<Heard> hears_;
  detail::RunNumber run_;
  Query query_;
  double at_target_ = 0;
  std::unique_ptr<detail::NetMemory> memory_;
};

}  // namespace lodestar
