// PotentialNet: a model's potentials on a graph, without torch.
//
//   const PotentialNet net(load_model("deep"), graph);   // once per graph; shared by threads
//   PotentialNet::Workspace work(net);                    // one per thread, reused
//   net.potentials({s, t}, work, y);                      // y: [n]; no allocation
//   searcher.run({s, t}, PotentialHeuristic(y, t));
//
// The equations are in model.h. What depends on neither step nor query is computed once: products
// of the encoders with what follows them, the network's view of the graph (features.h), the
// node-feature part of every layer. One-layer messages need no product per arc, since
// max_u relu(a_v + b_u + c_e) = relu(a_v + max_u(b_u + c_e)).
//
// A net of one step and one layer of each kind *collapses*: b_u then depends on the sender's kind
// (source, target, plain) and its pos alone, and the maximum over plain senders is attained at an
// extreme weight (with pos: on the convex hull of (pos, weight)). After one pass over the graph a
// query costs O(deg s + deg t), and a node costs a table look-up unless it hears from s or t:
//
//   LazyPotential learned(net);                           // one per thread, reused
//   learned.begin({s, t});
//   searcher.run({s, t}, learned);                        // evaluates what the search generates
//
// Results are the same bits on every processor, compiler and thread count.
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
  std::uint32_t steps = 0;  // 0: the model's own
  double scale = 0;         // of y; 0: the model's own
  bool collapse = true;     // false: always the general way (for comparison)
};

class PotentialNet {
 public:
  PotentialNet(const Model& model, const Graph& graph, const NetOptions& options = {});

  NodeId node_count() const;
  std::uint32_t steps() const;
  // One step, one layer of each kind, no objection in the options: LazyPotential may be used.
  bool collapses() const;

  class Workspace {
   public:
    explicit Workspace(const PotentialNet& net);
    ~Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;

   private:
    friend class PotentialNet;
    std::unique_ptr<detail::NetMemory> memory_;
  };

  // Fills y [n]. Throws Error when the query is not in the graph, a result is not finite, y has no
  // room for n values, or the workspace belongs to another net.
  void potentials(Query query, Workspace& work, std::span<double> y) const;

  // y: [queries × n]; on `threads` threads (0: as many as there are), the same for any number.
  void potentials(std::span<const Query> queries, std::span<double> y, unsigned threads = 1) const;

 private:
  friend class LazyPotential;
  std::shared_ptr<const detail::NetOnGraph> net_;
};

// The heuristic y(t) - y(v) of a net that collapses, evaluated when the search asks.
class LazyPotential {
 public:
  // Throws Error when the net does not collapse.
  explicit LazyPotential(const PotentialNet& net);
  ~LazyPotential();
  LazyPotential(LazyPotential&&) noexcept;
  LazyPotential& operator=(LazyPotential&&) noexcept;

  // Before each query. Throws Error when it is not in the graph.
  void begin(Query query);

  Cost operator()(NodeId v) { return at_target_ - potential(v); }
  static constexpr Guarantee guarantee() { return Guarantee::kNone; }
  NodeId node_count() const;

  double potential(NodeId v) { return hears_[v].run == run_ ? evaluate(v) : base_[v]; }

 private:
  // What v hears of the source and the target in this query.
  struct Heard {
    std::uint32_t run = 0;
    bool twice = false;      // parallel arcs: look at all of them
    float of_source = kNot;  // weight of the arc, network units
    float of_target = kNot;
  };
  static constexpr float kNot = -1;

  double evaluate(NodeId v);
  void mark(NodeId sender, float Heard::*weight);
  Heard& heard(NodeId v);

  std::shared_ptr<const detail::NetOnGraph> net_;
  const double* base_ = nullptr;  // [n] potentials of plain nodes that hear neither s nor t
  std::vector<Heard> hears_;
  detail::RunNumber run_;
  Query query_;
  double at_target_ = 0;
  std::unique_ptr<detail::NetMemory> memory_;
};

}  // namespace lodestar
