// Geometry of a road graph: the line, street, length and duration of every arc, and the
// OpenStreetMap ids of ways and nodes.
//
//   const GraphFile file = read_graph("town.lsg");
//   if (!file.shape.empty()) use(file.shape.street(file.shape.segment(arc)));
//
// A segment is a piece of road between two junctions; its two arcs share it. Arcs are numbered as
// in the forward rows, ordered by head. All arrays may be part of a mapped file.
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

// Longitude and latitude in units of 1e-7 degrees, as in OpenStreetMap.
struct FixedPoint {
  std::int32_t lon = 0;
  std::int32_t lat = 0;
  friend bool operator==(const FixedPoint&, const FixedPoint&) = default;
  Point degrees() const { return {lon / 1e7, lat / 1e7}; }
};

// Further attributes of a street. Texts are indices for Shape::text, or kNoText.
struct StreetDetail {
  static constexpr std::uint32_t kNoText = UINT32_MAX;
  std::uint32_t ref = kNoText;           // "A 13"
  std::uint32_t destinations = kNoText;  // text of signs: "A 13, A 14: Chur, Sargans"
  std::uint32_t mode = kNoText;          // "driving", "ferry", …; kNoText: that of the profile
  std::uint32_t left = 0;                // 1: traffic keeps left
};

// OpenStreetMap ids of nodes in about two bytes each. Ids of neighbours are close, so differences
// are stored, and every 64th id is stored in full.
struct IdAnchor {
  std::int64_t id = 0;
  std::uint64_t next = 0;  // offset of the following differences
};
struct IdList {
  static constexpr std::size_t kStride = 64;
  std::span<const IdAnchor> anchors;
  std::span<const char> steps;

  bool empty() const { return anchors.empty(); }
  std::vector<std::int64_t> part(std::size_t begin, std::size_t end) const;
  // Whether the list is well-formed and has exactly `count` ids.
  bool holds(std::size_t count) const;
};
struct IdListBuilder {
  std::vector<IdAnchor> anchors;
  std::string steps;
  std::size_t count = 0;
  std::int64_t last = 0;

  void add(std::int64_t id);
};

struct Shape {
  // Whether the graph was imported with turn restrictions. Its nodes are then road arcs, located at
  // their ends, and beginnings of roads that no turn leads into; its arcs are turns.
  bool arc_based = false;
  std::span<const std::uint32_t> arc_segment;     // [m] 2 × segment, + 1 against its direction
  std::span<const std::uint32_t> arc_duration;    // [m] in units of 0.1 s
  std::span<const std::uint32_t> segment_length;  // [s] in units of 0.1 m
  std::span<const std::uint32_t> segment_street;  // [s] index of a street
  std::span<const std::int64_t> segment_way;      // [s] OSM id
  std::span<const std::uint64_t> first_point;     // [s + 1] into points
  std::span<const FixedPoint> points;             // between a segment's ends, which are nodes
  std::span<const std::uint64_t> first_letter;    // [texts + 1] into letters
  std::span<const char> letters;
  std::span<const std::int64_t> node_id;  // [n] OSM id
  std::span<const char> remarks;          // remarks of the import, one per line
  // Empty in files of versions that did not store them.
  std::span<const StreetDetail> street_detail;  // [streets]; their texts follow the streets' names
  IdList point_id;                              // [points] OSM id
  // [m] The part of arc_duration that is due on entering the arc, in units of 0.1 s: a turn, a
  // signal, a gate. What a weight by time exceeds the duration by is due there as well: a road that
  // is not for through traffic. Empty if there is neither.
  std::span<const std::uint32_t> arc_entry;
  std::shared_ptr<const void> keeper;  // keeps the memory alive

  bool empty() const { return arc_segment.empty(); }
  std::size_t segment_count() const { return segment_length.size(); }
  std::uint32_t segment(ArcIndex arc) const { return arc_segment[arc] / 2; }
  bool against(ArcIndex arc) const { return arc_segment[arc] % 2 != 0; }
  std::span<const FixedPoint> between(std::uint32_t segment) const {
    return points.subspan(first_point[segment], first_point[segment + 1] - first_point[segment]);
  }
  // The name of the street, otherwise its number; may be empty.
  std::string_view street(std::uint32_t segment) const { return text(segment_street[segment]); }
  std::string_view text(std::uint32_t i) const {
    if (i == StreetDetail::kNoText) return {};
    return {letters.data() + first_letter[i], first_letter[i + 1] - first_letter[i]};
  }
  StreetDetail detail(std::uint32_t segment) const {
    return street_detail.empty() ? StreetDetail{} : street_detail[segment_street[segment]];
  }
  std::vector<std::string> notes() const;
  // The seconds that a part of an arc takes; the part from 0 on includes what is due on entering.
  double seconds(ArcIndex arc, double begin, double end) const {
    const double entry = arc_entry.empty() ? 0 : arc_entry[arc];
    const double road = arc_duration[arc] - entry;
    return ((end > begin ? end - begin : 0) * road + (begin <= 0 ? entry : 0)) * 0.1;
  }
  // The share of an arc's weight that is paid at a share of its length. `weight` is the arc's
  // weight in the graph of the file, by time if there is an arc_entry.
  double paid(ArcIndex arc, double share, double weight) const {
    if (arc_entry.empty() || share <= 0) return share;
    const double road = (arc_duration[arc] - arc_entry[arc]) / weight;
    return 1 - (1 - share) * road;
  }
};

// Collects the arrays of a Shape and owns them.
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
  std::vector<StreetDetail> street_detail;
  IdListBuilder point_id;
  std::vector<std::uint32_t> arc_entry;

  Shape build() &&;
};

// Checks a shape. Returns an empty string if its arrays fit each other and the graph, otherwise a
// description of the problem.
std::string what_is_wrong(const Shape& shape, std::size_t nodes, std::size_t arcs);

// The great-circle distance in metres if kind is kDegrees, otherwise the Euclidean distance.
double distance_between(CoordinateKind kind, Point a, Point b);

}  // namespace lodestar
