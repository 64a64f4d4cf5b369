// Second ways into a router: models and potentials as objects, and paths before the first query.
#include <gtest/gtest.h>

#include "error_of.h"
#include "lodestar/landmarks.h"
#include "lodestar/model.h"
#include "lodestar/router.h"
#include "random_model.h"
#include "road.h"
#include "scratch_folder.h"

namespace lodestar::router_second_ways_test {
namespace {

using testing::road;

TEST(RouterSecondWays, AModelInMemoryIsTheModelInAFile) {
  const Graph graph = road(200);
  Rng rng(4);
  const auto model = std::make_shared<const Model>(random_model(random_config(rng, 8, 3), 4));
  const ScratchFolder folder;
  write_model(*model, folder / "m.safetensors");
  for (const bool exact : {false, true}) {
    RouterOptions options{.algorithm = "astar", .heuristic = "learned", .exact = exact};
    options.model_object = model;
    const Router in_memory(graph, options);
    options.model_object = nullptr;
    options.model = folder / "m.safetensors";
    const Router from_file(graph, options);
    for (NodeId t = 1; t < graph.node_count(); t += 31) {
      const SearchResult a = in_memory.path({0, t}).result, b = from_file.path({0, t}).result;
      EXPECT_EQ(a.cost, b.cost);
      EXPECT_EQ(a.expansions, b.expansions);
      EXPECT_EQ(a.lower_bound, b.lower_bound);
    }
  }
}

// Potentials without a family serve requests, too: those with the graph's own weights.
TEST(RouterSecondWays, PotentialsAloneServeRequests) {
  const Graph graph = road(400);
  const auto potentials = std::make_shared<const Potentials>(landmark_potentials(graph, {}));
  const Router guided(graph, {.potentials = potentials}), plain(graph);
  Preferences wish;
  for (ArcIndex arc = 0; arc < graph.arc_count(); arc += 7) wish.arcs.push_back({arc, 3, 0});
  for (NodeId t = 1; t < graph.node_count(); t += 13) {
    const RequestRoute a = guided.request({0, t}, wish), b = plain.request({0, t}, wish);
    EXPECT_TRUE(a.potentials);
    EXPECT_FALSE(b.potentials);
    EXPECT_EQ(a.result.cost, b.result.cost);
    EXPECT_TRUE(a.result.optimal());
  }
}

TEST(RouterSecondWays, BeforeTheFirstQueryThereIsNoPath) {
  const Router router(road(50));
  Router::Requests requests = router.requests({});
  EXPECT_TRUE(requests.path().empty());
  EXPECT_TRUE(requests.arcs().empty());
  requests.run({0, 20});
  EXPECT_EQ(requests.path().front(), 0u);
  Router::Requests moved = std::move(requests);
  EXPECT_EQ(moved.path().back(), 20u);
}

}  // namespace
}  // namespace lodestar::router_second_ways_test
