// The state that copies of a router share.
#pragma once

#include <mutex>

#include "lodestar/router.h"
#include "lodestar/search.h"
#include "requests/engine.h"
#include "router/engine.h"
#include "router/plan.h"
#include "router/pool.h"

namespace lodestar {

struct Router::State {
  detail::RouterPlan plan;  // constant after construction
  double preparation_seconds = 0;
  detail::Pool<detail::Engine> engines;
  detail::Pool<Searcher> dijkstras;  // for distances and matrices

  // For requests with preferences; made at the first one.
  std::once_flag requests_made;
  std::shared_ptr<const requests::RequestData> request_data;
  std::shared_ptr<const PotentialFamily> family;
  detail::Pool<requests::RequestEngine> request_engines;
  std::unique_ptr<requests::RequestEngine> take_request_engine();

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
