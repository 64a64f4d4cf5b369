// A request allocates nothing after the first queries.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "lodestar/fit_family.h"
#include "lodestar/generate.h"
#include "lodestar/router.h"

namespace {
std::atomic<std::size_t> allocations{0};
}  // namespace

// Not inlined: the compiler would warn of free() for what new made.
__attribute__((noinline)) void* operator new(std::size_t size) {
  ++allocations;
  if (void* const at = std::malloc(size == 0 ? 1 : size)) return at;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* at) noexcept {
  std::free(at);
}
__attribute__((noinline)) void operator delete(void* at, std::size_t) noexcept {
  std::free(at);
}

namespace lodestar::request_allocations_test {
namespace {

TEST(RequestAllocationsTest, NoneAfterTheFirstQueries) {
  GraphSpec spec;
  spec.family = Family::kRoad;
  spec.nodes = 3000;
  spec.seed = 1;
  const GeneratedGraph road = generate_with_metrics(spec);
  FamilyOptions options;
  options.fit.potential_count = 8;
  options.fit.start = FitStart::kFarthest;
  options.fit.rounds = 1;
  options.fit.pairs = 1000;
  options.fit.queries = 20;
  const auto family =
      std::make_shared<const PotentialFamily>(fit_family(road.graph, road.metrics, options).family);
  const Router router(road.graph, {.family = family, .metrics = road.metrics});
  Preferences wish;
  wish.blend = {{"time", 1}, {"length", 0.01}};
  wish.classes = {{"motorway", 2}};
  wish.circles = {{road.graph.points()[77], 300, kInfinity}};
  Router::Requests requests = router.requests(wish);
  Rng rng(3);
  const auto run = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const auto n = road.graph.node_count();
      requests.run({static_cast<NodeId>(rng.below(n)), static_cast<NodeId>(rng.below(n))});
    }
  };
  run(300);
  const std::size_t before = allocations;
  run(200);
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace lodestar::request_allocations_test
