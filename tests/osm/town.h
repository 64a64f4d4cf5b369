// Towns drawn by hand, and routes through them. The streets lie on a lattice: node c + 10 r is at
// longitude c/1000, latitude r/1000 degrees, so a block is 111.2 m.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "extract.h"
#include "lodestar/osm.h"
#include "lodestar/places.h"
#include "scratch_folder.h"

namespace lodestar::osm {

inline Extract lattice(int columns, int rows) {
  Extract town;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) town.node(c + 10 * r, c / 1000.0, r / 1000.0);
  }
  return town;
}

inline Tags street(const std::string& kind, Tags more = {}) {
  more.insert(more.begin(), {"highway", kind});
  return more;
}

inline GraphFile roads_of(const Extract& town, const ReadOptions& options = {.all = true}) {
  const ScratchFolder folder;
  const std::string path = folder / "town.osm.pbf";
  town.write(path);
  return read_osm(path, options);
}

struct Trip {
  Cost cost = kInfinity;
  std::vector<std::int64_t> ways;  // in order; the same way twice in a row counts once
  Itinerary itinerary;
};

// From a point of the lattice to another, in units of blocks.
inline Trip travel(const GraphFile& file, Point from, Point to) {
  const Places places(file.graph, file.shape);
  Searcher searcher(file.graph);
  const auto place = [&](Point p) { return places.nearest({p.x / 1000, p.y / 1000}); };
  const PlaceRoute route = route_between(places, place(from), place(to), [&](Query query) {
    const SearchResult found = searcher.run(query, Zero{});
    return NodeAnswer{found, searcher.path()};
  });
  Trip trip;
  trip.cost = route.found.cost;
  EXPECT_TRUE(route.found.optimal());
  for (const Leg& leg : route.legs) {
    const std::int64_t way = file.shape.segment_way[file.shape.segment(leg.arc)];
    if (leg.end > leg.begin && (trip.ways.empty() || trip.ways.back() != way)) {
      trip.ways.push_back(way);
    }
  }
  if (route.found.reached()) trip.itinerary = itinerary(file.graph, file.shape, route.legs);
  // A search may know costs alone, or lengths instead of paths.
  const auto length_of_legs = [&](const std::vector<Leg>& legs) {
    double sum = 0;
    for (const Leg& leg : legs) sum += length_of(file.graph, file.shape, leg);
    return sum;
  };
  for (const bool lengths : {false, true}) {
    const PlaceRoute same = route_between(places, place(from), place(to), [&](Query query) {
      NodeAnswer answer{searcher.run(query, Zero{}), {}};
      if (lengths && answer.found.reached()) {
        answer.length = length_of_legs(legs_of(file.graph, searcher.path()));
      }
      return answer;
    });
    EXPECT_EQ(same.found.cost, trip.cost);
    if (lengths && same.found.reached()) {
      EXPECT_NEAR(length_of_legs(same.legs) + same.unlisted, length_of_legs(route.legs), 1e-6);
    }
  }
  return trip;
}

inline std::vector<std::int64_t> ways(const GraphFile& file, Point from, Point to) {
  return travel(file, from, to).ways;
}

using Ids = std::vector<std::int64_t>;

//            21
//            |3
//   10 --1-- 11 --2-- 12      a crossing at 11, and a way round from 12 to 21 by 22
//            |4        |5
//            91        22 … 21      91 is a dead end four blocks away
inline Extract crossing() {
  return lattice(3, 3)
      .node(91, 0.001, -0.003)
      .way(1, {10, 11}, street("residential"))
      .way(2, {11, 12}, street("residential"))
      .way(3, {11, 21}, street("residential"))
      .way(4, {11, 1, 91}, street("residential"))
      .way(5, {12, 22, 21}, street("residential"));
}
inline const Point kWest{0.2, 1}, kNorth{1, 1.8}, kSouth{1, 0.2}, kEast{1.8, 1};

}  // namespace lodestar::osm
