// What lies beside a road graph: the line of every arc, its street, length and duration, and the
// ids OpenStreetMap gives to ways and nodes.
//
//   const GraphFile file = read_graph("town.lsg");
//   if (!file.shape.empty()) use(file.shape.street(file.shape.segment(arc)));
//
// A segment is a piece of road between two junctions. Both arcs along it share it. Arcs are those
// of the forward rows, ordered by head. All arrays may lie in a mapped file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lodestar/graph.h"
#include "lodestar/types.h"

namespace lodestar {

// Longitude and latitude in units of 1e-7 degrees, as OpenStreetMap keeps them.
struct FixedPoint {
  std::int32_t lon = 0;
  std::int32_t lat = 0;
  friend bool operator==(const FixedPoint&, const FixedPoint&) = default;
  Point degrees() const { return {lon / 1e7, lat / 1e7}; }
};

struct Shape {
  // Nodes of the graph are road arcs, seen from their end, and beginnings of roads that no turn leads
  // into; arcs are turns into the next road arc.
  // Made by an import with turn restrictions.
  bool arc_based = false;
  std::span<const std::uint32_t> arc_segment;     // [m] 2 × segment, + 1 against its direction
  std::span<const std::uint32_t> arc_duration;    // [m] deciseconds
  std::span<const std::uint32_t> segment_length;  // [s] decimetres
  std::span<const std::uint32_t> segment_street;  // [s] index of a street
  std::span<const std::int64_t> segment_way;      // [s] OSM id
  std::span<const std::uint64_t> first_point;     // [s + 1] into points
  std::span<const FixedPoint> points;             // between a segment's ends, which are nodes
  std::span<const std::uint64_t> first_letter;    // [streets + 1] into letters
  std::span<const char> letters;
  std::span<const std::int64_t> node_id;  // [n] OSM id
  std::span<const char> remarks;          // what the import decided, one line each
  std::shared_ptr<const void> keeper;     // keeps the memory alive

  bool empty() const { return arc_segment.empty(); }
  std::size_t segment_count() const { return segment_length.size(); }
  std::uint32_t segment(ArcIndex arc) const { return arc_segment[arc] / 2; }
  bool against(ArcIndex arc) const { return arc_segment[arc] % 2 != 0; }
  std::span<const FixedPoint> between(std::uint32_t segment) const {
    return points.subspan(first_point[segment], first_point[segment + 1] - first_point[segment]);
  }
  // The street's name, or its number where it has none; may be empty.
  std::string_view street(std::uint32_t segment) const {
    const std::uint32_t s = segment_street[segment];
    return {letters.data() + first_letter[s], first_letter[s + 1] - first_letter[s]};
  }
  std::vector<std::string> notes() const;
};

// Owned arrays, for those who make a shape.
struct ShapeBuilder {
  bool arc_based = false;
  std::vector<std::uint32_t> arc_segment;
  std::vector<std::uint32_t> arc_duration;
  std::vector<std::uint32_t> segment_length;
  std::vector<std::uint32_t> segment_street;
  std::vector<std::int64_t> segment_way;
  std::vector<std::uint64_t> first_point = {0};
  std::vector<FixedPoint> points;
  std::vector<std::uint64_t> first_letter = {0};
  std::string letters;
  std::vector<std::int64_t> node_id;
  std::string remarks;

  Shape build() &&;
};

// Empty when the arrays fit together and the graph, otherwise what is wrong.
std::string what_is_wrong(const Shape& shape, std::size_t nodes, std::size_t arcs);

// Metres along the great circle when kind is kDegrees, otherwise the straight line.
double distance_between(CoordinateKind kind, Point a, Point b);

}  // namespace lodestar
