// What one thread searches with. An algorithm is a class of this kind and a row of kAlgorithms.
#pragma once

#include <functional>
#include <vector>

#include "lodestar/router.h"

namespace lodestar::detail {

using OnSettle = std::function<void(const Settled&)>;

class Engine {
 public:
  virtual ~Engine() = default;
  // The query is within the graph.
  virtual SearchResult run(Query query) = 0;
  // The same search, watched: slower, step by step the same.
  virtual SearchResult run(Query query, const OnSettle& on_settle) = 0;
  virtual std::vector<NodeId> path() const = 0;
};

// An observer of any search that tells a callback.
struct SettleObserver {
  const OnSettle& tell;
  void on_settle(NodeId v, Cost cost, NodeId parent) {
    tell({v, cost, parent, Direction::kForward});
  }
  void on_settle(NodeId v, Cost cost, NodeId parent, Direction side) {
    tell({v, cost, parent, side});
  }
};

}  // namespace lodestar::detail
