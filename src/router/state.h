// The state that copies of a router share.
#pragma once

#include "lodestar/router.h"
#include "lodestar/search.h"
#include "router/engine.h"
#include "router/plan.h"
#include "router/pool.h"

namespace lodestar {

struct Router::State {
  detail::RouterPlan plan;  // constant after construction
  double preparation_seconds = 0;
  detail::Pool<detail::Engine> engines;
  detail::Pool<Searcher> dijkstras;  // for distances and matrices

  std::unique_ptr<detail::Engine> take_engine() {
    auto engine = engines.take();
    return engine ? std::move(engine) : detail::make_engine(*plan.row, plan);
  }
  auto borrow_dijkstra() {
    return dijkstras.borrow([&] { return std::make_unique<Searcher>(plan.given); });
  }
  void check(NodeId v) const;
  void check(Query query) const {
    check(query.source);
    check(query.target);
  }
};

}  // namespace lodestar
