// Junctions and the segments between them, cut out of the ways.
#pragma once

#include <cstdint>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/shape.h"
#include "scan.h"

namespace lodestar::osm {

struct Segment {
  NodeId from;
  NodeId to;
  std::uint32_t way;      // index in RawRoads::ways
  std::uint32_t length;   // tenths of a metre, at least 1
  std::uint32_t forward;  // tenths of a second, at least 1; 0: closed in this direction
  std::uint32_t backward;
  std::uint64_t first_point;  // of what lies between its ends, in Roads::points
};

struct Roads {
  std::vector<std::int64_t> node_id;  // OSM ids; one node may appear several times, at barriers
  std::vector<FixedPoint> node_point;
  std::vector<std::uint8_t> barrier;   // by node: the road ends here, at a barrier
  std::vector<std::uint32_t> passing;  // by node: what passing costs, tenths of a second
  std::vector<Segment> segments;
  std::vector<FixedPoint> points;
  std::vector<std::int64_t> point_id;  // OSM ids of points

  std::uint64_t end_point(std::size_t segment) const {
    return segment + 1 < segments.size() ? segments[segment + 1].first_point : points.size();
  }
};

// Nodes are numbered along a Hilbert curve, ways keep the file's order. Takes the nodes' places
// from `raw`, which keeps ways, streets and restrictions.
Roads cut_roads(RawRoads& raw);

}  // namespace lodestar::osm
