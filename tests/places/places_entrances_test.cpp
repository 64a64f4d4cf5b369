// Places on parallel roads with weights of a request, and lines that cannot be drawn.
#include <gtest/gtest.h>

#include <utility>

#include "error_of.h"
#include "hand_drawn.h"
#include "lodestar/itinerary.h"
#include "lodestar/places.h"
#include "lodestar/search.h"

namespace lodestar::places_entrances_test {
namespace {

using testing::error_of;

TEST(PlacesEntrances, LinesNeedArcsAndCoordinates) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 2}, {1, 2, 3}});
  const std::vector<NodeId> jump = {0, 2}, path = {0, 1, 2};
  EXPECT_EQ(error_of([&] { legs_of(graph, jump); }),
            "there is no arc from node 0 to node 2; this is no path of the graph");
  const std::vector<Leg> legs = legs_of(graph, path);
  ASSERT_EQ(legs.size(), 2u);
  EXPECT_EQ(error_of([&] { itinerary(graph, {}, legs); }),
            "the graph has no coordinates; a line needs some (.co, .cnode, .osm.pbf)");
}

// Two roads on one line, of which a request makes the other one cheaper.
TEST(PlacesEntrances, OfParallelRoadsTheCheapestCountsAsItCostsNow) {
  const Graph graph = testing::hand_drawn(3, {{0, 1, 10}, {0, 1, 20}, {1, 2, 10}, {1, 2, 20}})
                          .with_points(CoordinateKind::kPlane, {{0, 0}, {10, 0}, {20, 0}});
  Places made(graph);
  Places places(std::move(made));
  const Place from = places.nearest({4, 1}), to = places.nearest({15, 1});
  ASSERT_TRUE(from.nodes.empty() && to.nodes.empty());
  for (const bool changed : {false, true}) {
    const std::vector<Weight> weights =
        changed ? std::vector<Weight>{30, 5, 30, 8} : graph.weights();
    const Graph now = graph.with_weights(weights);
    Searcher searcher(now);
    const PlaceRoute route = route_between(
        places, from, to,
        [&](Query query) {
          const SearchResult found = searcher.run(query, Zero{});
          return NodeAnswer{found, searcher.path()};
        },
        weights);
    EXPECT_DOUBLE_EQ(route.found.cost, changed ? 0.6 * 5 + 0.5 * 8 : 0.6 * 10 + 0.5 * 10);
    ASSERT_EQ(route.legs.size(), 2u);
    EXPECT_EQ(route.legs[0].arc, changed ? 1u : 0u);
    EXPECT_EQ(route.legs[1].arc, changed ? 3u : 2u);
  }
  Places other(
      testing::hand_drawn(2, {{0, 1, 1}}).with_points(CoordinateKind::kPlane, {{5, 5}, {6, 6}}));
  other = std::move(places);
  EXPECT_EQ(other.nearest({4, 1}).side[0].arc, from.side[0].arc);
}

}  // namespace
}  // namespace lodestar::places_entrances_test
