// A town drawn by hand: streets with bends, a one-way road, a ferry. 0.001 degrees are 111.195 m.
//
//      E  104
//      :            Ferry
//      D  103 <--.
//      |          \         A 7, to Chur: one way from C to D
//      | Hill Road \.
//  A --B------------C       Main Street
//  100 101          102     with a bend, 900, between A and B
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lodestar/graph_io.h"
#include "lodestar/shape.h"

namespace lodestar::server {

inline const std::vector<Point> kTown = {
    {0, 0}, {0.002, 0}, {0.004, 0}, {0.002, 0.002}, {0.002, 0.004}};
enum TownNode : NodeId { kA, kB, kC, kD, kE };

struct TownRoad {
  NodeId from, to;
  std::vector<std::pair<std::int64_t, FixedPoint>> between;
  std::string name, ref, destinations, mode;
  bool left = false;
  bool oneway = false;
};

inline std::vector<TownRoad> town_roads(const std::string& first = "Main Street",
                                        const std::string& hill_mode = "driving") {
  return {{kA, kB, {{900, {10'000, 5'000}}}, first, "", "", "driving"},
          {kB, kC, {}, "Main Street", "", "", "driving"},
          {kB, kD, {}, "Hill Road", "", "", hill_mode, true},
          {kC,
           kD,
           {{901, {35'000, 15'000}}, {-5, {30'000, 18'000}}},
           "A 7",
           "A 7",
           "Chur\n12",
           "driving",
           false,
           true},
          {kD, kE, {}, "Ferry", "", "", "ferry"}};
}

// At 10 m/s everywhere.
inline GraphFile town_file(bool by_length = false, bool details = true,
                           const std::string& first = "Main Street",
                           const std::string& hill_mode = "driving") {
  struct OneArc {
    NodeId tail, head;
    std::uint32_t segment, duration, length;
  };
  ShapeBuilder shape;
  std::vector<OneArc> arcs;
  std::vector<std::string> texts;
  for (const TownRoad& road : town_roads(first, hill_mode)) {
    const auto segment = static_cast<std::uint32_t>(shape.segment_length.size());
    std::vector<Point> line = {kTown[road.from]};
    for (const auto& [id, point] : road.between) {
      line.push_back(point.degrees());
      shape.points.push_back(point);
      if (details) shape.point_id.add(id);
    }
    line.push_back(kTown[road.to]);
    double metres = 0;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      metres += distance_between(CoordinateKind::kDegrees, line[i], line[i + 1]);
    }
    const auto length = static_cast<std::uint32_t>(std::lround(10 * metres));
    const auto duration = static_cast<std::uint32_t>(std::lround(metres));
    shape.first_point.push_back(shape.points.size());
    shape.segment_length.push_back(length);
    shape.segment_way.push_back(segment + 1);
    shape.segment_street.push_back(segment);
    shape.letters += road.name;
    shape.first_letter.push_back(shape.letters.size());
    arcs.push_back({road.from, road.to, 2 * segment, duration, length});
    if (!road.oneway) arcs.push_back({road.to, road.from, 2 * segment + 1, duration, length});
  }
  for (const TownRoad& road : town_roads(first, hill_mode)) {
    if (!details) break;
    const auto text = [&](const std::string& said) {
      if (said.empty()) return StreetDetail::kNoText;
      shape.letters += said;
      shape.first_letter.push_back(shape.letters.size());
      return static_cast<std::uint32_t>(shape.first_letter.size() - 2);
    };
    StreetDetail detail;
    detail.ref = text(road.ref);
    detail.destinations = text(road.destinations);
    detail.mode = text(road.mode);
    detail.left = road.left;
    shape.street_detail.push_back(detail);
  }
  std::sort(arcs.begin(), arcs.end(), [](const OneArc& a, const OneArc& b) {
    return std::pair(a.tail, a.head) < std::pair(b.tail, b.head);
  });
  GraphBuilder builder(static_cast<NodeId>(kTown.size()));
  for (const OneArc& arc : arcs) {
    builder.add_arc(arc.tail, arc.head, by_length ? arc.length : arc.duration);
    shape.arc_segment.push_back(arc.segment);
    shape.arc_duration.push_back(arc.duration);
  }
  builder.set_points(CoordinateKind::kDegrees, kTown);
  for (NodeId v = 0; v < kTown.size(); ++v) shape.node_id.push_back(100 + v);
  shape.remarks = "profile bicycle, weights are times in tenths of a second\n";
  GraphFile file;
  file.graph = builder.build();
  file.shape = std::move(shape).build();
  file.names = NodeNames::numbered(0, file.graph.node_count());
  return file;
}

}  // namespace lodestar::server
