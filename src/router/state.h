// The state that copies of a router share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>

#include "index/matrix/many_to_many.h"
#include "index/matrix/sum_product.h"
#include "lodestar/router.h"
#include "lodestar/search.h"
#include "requests/engine.h"
#include "router/engine.h"
#include "router/pool.h"
#include "router/reach_search.h"

namespace lodestar {

// Stops a search when all wanted nodes are settled.
struct UntilAllSettled {
  const std::vector<char>& wanted;  // by node
  std::size_t left;
  bool on_settle(NodeId v, Cost, NodeId) { return !wanted[v] || --left > 0; }
};

struct Router::State {
  detail::RouterPlan plan;  // constant after construction
  double preparation_seconds = 0;
  detail::Pool<detail::Engine> engines;
  detail::Pool<Searcher> dijkstras;  // for distances and matrices
  detail::Pool<detail::ReachSearch> reaches;
  detail::Pool<index::OneToAll> sweeps;  // for distances on an index

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
  // Matrices on the index, prepared on first use; null if there is no index that supports them.
  const index::ManyToMany* many_to_many() {
    std::call_once(many_once, [&] {
      if (plan.index) many = index::ManyToMany::make(*plan.index);
    });
    return many.get();
  }
  // Products with sums of these numbers along paths; null if the index does not support them. The
  // last ones are kept.
  std::shared_ptr<const index::SumProduct> sum_product(std::span<const double> along) {
    if (many_to_many() == nullptr) return nullptr;
    const std::lock_guard lock(sums_mutex);
    if (!std::equal(along.begin(), along.end(), sums_along.begin(), sums_along.end())) {
      sums = index::SumProduct::make(*plan.index, along);
      sums_along.assign(along.begin(), along.end());
    }
    return sums;
  }
  auto borrow_reach() {
    return reaches.borrow([&] { return std::make_unique<detail::ReachSearch>(plan.given); });
  }
  auto borrow_sweep() {
    return sweeps.borrow([&] { return many_to_many()->one_to_all(); });
  }
  void check(NodeId v) const;
  void check(Query query) const {
    check(query.source);
    check(query.target);
  }

 private:
  std::once_flag many_once;
  std::unique_ptr<const index::ManyToMany> many;
  std::mutex sums_mutex;
  std::vector<double> sums_along;
  std::shared_ptr<const index::SumProduct> sums;
};

// Whether single queries have the costs of an exact matrix.
inline bool answers_optimally(const Router& router) {
  if (router.options().max_expansions < std::numeric_limits<std::uint64_t>::max()) return false;
  switch (router.algorithm().proof) {
    case Proof::kOptimal:
      return true;
    case Proof::kWithinBound:
      return router.options().bound == 0;
    case Proof::kOptimalIfPromised:
      return router.guarantee() == Guarantee::kConsistent;
    default:
      return false;
  }
}

}  // namespace lodestar
