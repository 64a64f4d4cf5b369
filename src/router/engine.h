// The searcher of one thread. An algorithm is an Engine and a row in algorithms.cpp.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lodestar/router.h"

namespace lodestar::detail {

using OnSettle = std::function<void(const Settled&)>;

class Engine {
 public:
  virtual ~Engine() = default;
  // The caller has checked that both nodes are in the graph.
  virtual SearchResult run(Query query) = 0;
  // The same search, which also calls on_settle for every settled node.
  virtual SearchResult run(Query query, const OnSettle& on_settle) = 0;
  virtual std::vector<NodeId> path() const = 0;
};

// An observer for any search that forwards settled nodes to a callback.
struct SettleObserver {
  const OnSettle& tell;
  void on_settle(NodeId v, Cost cost, NodeId parent) {
    tell({v, cost, parent, Direction::kForward});
  }
  void on_settle(NodeId v, Cost cost, NodeId parent, Direction side) {
    tell({v, cost, parent, side});
  }
};

struct RouterPlan;

// Prepares what all threads share, and makes the engine of one thread, as the algorithm's row says.
void prepare_engines(const AlgorithmRow& row, RouterPlan& plan);
std::unique_ptr<Engine> make_engine(const AlgorithmRow& row, const RouterPlan& plan);

// One function of each kind per row. bidirectional_engines.cpp:
void prepare_look_ahead(RouterPlan& plan);
void prepare_sorted_arcs(RouterPlan& plan);
std::unique_ptr<Engine> make_bidirectional(const RouterPlan& plan);
std::unique_ptr<Engine> make_bidirectional_textbook(const RouterPlan& plan);
std::unique_ptr<Engine> make_bidirectional_astar(const RouterPlan& plan);
// astar_engines.cpp:
std::unique_ptr<Engine> make_dijkstra(const RouterPlan& plan);
std::unique_ptr<Engine> make_astar(const RouterPlan& plan);
std::unique_ptr<Engine> make_weighted(const RouterPlan& plan);
std::unique_ptr<Engine> make_greedy(const RouterPlan& plan);
// focal_engine.cpp and core_engine.cpp:
std::unique_ptr<Engine> make_focal(const RouterPlan& plan);
void prepare_core(RouterPlan& plan);
std::unique_ptr<Engine> make_core(const RouterPlan& plan);

}  // namespace lodestar::detail
