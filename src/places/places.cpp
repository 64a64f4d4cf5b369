#include "lodestar/places.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "places/arc_line.h"
#include "places/box_tree.h"

namespace lodestar {
namespace {

constexpr double kMetresPerDegree = 6371008.8 * 3.14159265358979323846 / 180;
constexpr ArcIndex kNoArc = std::numeric_limits<ArcIndex>::max();
// Metres from the end of a road that still belong to the junction; in the plane, none.
constexpr double kOnJunction = 0.1;
// Pieces of a line that share a box: fewer boxes, and few pieces to look at in vain.
constexpr std::uint32_t kPieces = 8;

// Both directions of a piece of road.
struct Road {
  NodeId tail[2] = {kNoNode, kNoNode};
  ArcIndex arc[2] = {kNoArc, kNoArc};
};

struct Item {
  std::uint32_t road;
  std::uint32_t begin : 31;  // first piece
  std::uint32_t last : 1;    // holds the road's last piece
};

// A point of a line seen from the low corner of its box. Lies in tree order beside its neighbours:
// following a line through graph and shape costs ten cache misses, this one or two.
struct Offset {
  float x, y;
};

struct Foot {
  double square = kInfinity;  // of the distance, in the scaled plane
  double along = 0;           // share of the piece
};

Foot foot_on(Point a, Point b, Point q, Point scale) {
  const Point line = {(b.x - a.x) * scale.x, (b.y - a.y) * scale.y};
  const Point to = {(q.x - a.x) * scale.x, (q.y - a.y) * scale.y};
  const double square = line.x * line.x + line.y * line.y;
  const double along =
      square > 0 ? std::clamp((line.x * to.x + line.y * to.y) / square, 0.0, 1.0) : 0;
  const double dx = to.x - along * line.x, dy = to.y - along * line.y;
  return {dx * dx + dy * dy, along};
}

std::string number_text(double value) {
  char buffer[400];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return {buffer, end.ptr};
}

}  // namespace

struct Places::Index {
  std::vector<Road> roads;
  std::vector<Item> items;           // in tree order
  std::vector<std::uint32_t> first;  // [items + 1] into points
  std::vector<Offset> points;        // of items, in tree order
  BoxTree tree{{}};

  // Point i of a road's line, between 0 (the tail of its first direction) and between + 1.
  struct Line {
    const Graph* graph;
    NodeId tail, head;
    std::span<const FixedPoint> between;
    bool against;
    std::size_t pieces() const { return between.size() + 1; }
    Point at(std::size_t i) const {
      if (i == 0) return graph->points()[tail];
      if (i == pieces()) return graph->points()[head];
      return between[against ? between.size() - i : i - 1].degrees();
    }
  };
};

namespace {

NodeId head_of(const Graph& graph, ArcIndex arc) {
  return graph.visit(Direction::kForward, [&](auto rows) { return rows.arcs[arc].head; });
}

Weight weight_of(const Graph& graph, ArcIndex arc) {
  return graph.visit(Direction::kForward,
                     [&](auto rows) { return static_cast<Weight>(rows.arcs[arc].weight); });
}

// The cheapest arc from u to v, kNoArc when there is none.
ArcIndex cheapest_arc(const Graph& graph, NodeId u, NodeId v) {
  return graph.visit(Direction::kForward, [&](auto rows) {
    ArcIndex best = kNoArc;
    for (ArcIndex i = rows.first[u]; i < rows.first[u + 1]; ++i) {
      if (rows.arcs[i].head == v &&
          (best == kNoArc || rows.arcs[i].weight < rows.arcs[best].weight)) {
        best = i;
      }
    }
    return best;
  });
}

std::vector<Road> roads_of(const Graph& graph, const Shape& shape) {
  std::vector<Road> roads(shape.empty() ? 0 : shape.segment_count());
  const auto first = graph.arrays().first[0];
  for (NodeId u = 0; u < graph.node_count(); ++u) {
    for (ArcIndex arc = first[u]; arc < first[u + 1]; ++arc) {
      if (!shape.empty()) {
        Road& road = roads[shape.segment(arc)];
        const int side = shape.against(arc);
        if (road.arc[side] != kNoArc) continue;
        road.tail[side] = u;
        road.arc[side] = arc;
        continue;
      }
      // Straight lines: of parallel arcs only the cheapest, both directions together.
      const NodeId v = head_of(graph, arc);
      if (cheapest_arc(graph, u, v) != arc) continue;
      const ArcIndex back = u == v ? kNoArc : cheapest_arc(graph, v, u);
      if (back != kNoArc && v < u) continue;
      roads.push_back({{u, back == kNoArc ? kNoNode : v}, {arc, back}});
    }
  }
  // A segment no arc runs along in its own direction is turned round.
  for (Road& road : roads) {
    if (road.arc[0] != kNoArc) continue;
    std::swap(road.tail[0], road.tail[1]);
    std::swap(road.arc[0], road.arc[1]);
  }
  std::erase_if(roads, [](const Road& road) { return road.arc[0] == kNoArc; });
  return roads;
}

template <class Line>
Line line_of(const Graph& graph, const Shape& shape, const Road& road) {
  Line line{&graph, road.tail[0], head_of(graph, road.arc[0]), {}, false};
  if (!shape.empty()) {
    line.between = shape.between(shape.segment(road.arc[0]));
    line.against = shape.against(road.arc[0]);
  }
  return line;
}

}  // namespace

Places::Places(Graph graph, Shape shape)
    : graph_(std::move(graph)), shape_(std::move(shape)), index_(std::make_unique<Index>()) {
  if (graph_.coordinate_kind() != CoordinateKind::kDegrees &&
      graph_.coordinate_kind() != CoordinateKind::kPlane) {
    throw Error(graph_.has_coordinates()
                    ? "cells of a grid are asked for as x,y, not as places"
                    : "the graph has no coordinates; places need some (.co, .cnode, .osm.pbf)");
  }
  index_->roads = roads_of(graph_, shape_);
  std::vector<Item> items;
  std::vector<Box> boxes;
  for (std::uint32_t r = 0; r < index_->roads.size(); ++r) {
    const auto line = line_of<Index::Line>(graph_, shape_, index_->roads[r]);
    for (std::size_t begin = 0; begin < line.pieces(); begin += kPieces) {
      BoxAround around;
      const std::size_t end = std::min(line.pieces(), begin + kPieces);
      for (std::size_t i = begin; i <= end; ++i) around.add(line.at(i));
      items.push_back({r, static_cast<std::uint32_t>(begin) & 0x7fffffffu, end == line.pieces()});
      boxes.push_back(around.box());
    }
  }
  index_->tree = BoxTree(std::move(boxes));
  index_->items.reserve(items.size());
  index_->first.push_back(0);
  for (const std::uint32_t i : index_->tree.order()) {
    const Item item = items[i];
    const Box& box = index_->tree.leaf(static_cast<std::uint32_t>(index_->items.size()));
    const auto line = line_of<Index::Line>(graph_, shape_, index_->roads[item.road]);
    const std::size_t end = std::min<std::size_t>(line.pieces(), item.begin + kPieces);
    for (std::size_t k = item.begin; k <= end; ++k) {
      const Point p = line.at(k);
      index_->points.push_back(
          {static_cast<float>(p.x - box.low_x), static_cast<float>(p.y - box.low_y)});
    }
    index_->items.push_back(item);
    index_->first.push_back(static_cast<std::uint32_t>(index_->points.size()));
  }
  index_->tree.forget_order();
}

Places::~Places() = default;
Places::Places(Places&&) noexcept = default;
Places& Places::operator=(Places&&) noexcept = default;

double Places::default_limit() const {
  return graph_.coordinate_kind() == CoordinateKind::kDegrees ? 1000 : kInfinity;
}

std::size_t Places::bytes() const {
  return index_->roads.size() * sizeof(Road) + index_->items.size() * sizeof(Item) +
         index_->first.size() * sizeof(std::uint32_t) + index_->points.size() * sizeof(Offset) +
         index_->tree.bytes();
}

// All nodes of the OpenStreetMap node that `node` stands for; without a shape it stands for itself.
std::vector<NodeId> Places::junction_of(NodeId node) const {
  std::vector<NodeId> nodes = {node};
  if (shape_.empty()) return nodes;
  const Point point = graph_.points()[node];
  const auto add = [&](NodeId other) {
    if (shape_.node_id[other] == shape_.node_id[node] && graph_.points()[other] == point) {
      nodes.push_back(other);
    }
  };
  // The answer 0 leads to every box that holds the point.
  index_->tree.nearest(point, {1, 1}, [&](std::uint32_t i) {
    const Road& road = index_->roads[index_->items[i].road];
    for (int d = 0; d < 2; ++d) {
      if (road.arc[d] == kNoArc) continue;
      add(road.tail[d]);
      add(head_of(graph_, road.arc[d]));
    }
    return 0.0;
  });
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Place Places::nearest(Point point, double limit, const std::function<bool(ArcIndex)>& open) const {
  const CoordinateKind kind = graph_.coordinate_kind();
  const bool degrees = kind == CoordinateKind::kDegrees;
  const auto no_road = [&](const std::string& why) {
    return Error("no road near " + number_text(point.x) + "," + number_text(point.y) + ": " + why);
  };
  if (index_->items.empty()) throw no_road("the graph has no arcs");
  Point scale{1, 1};
  if (degrees) {
    scale = {kMetresPerDegree * std::cos(point.y * 3.14159265358979323846 / 180), kMetresPerDegree};
  }
  const double tolerance = degrees ? kOnJunction : 0;
  // A junction at the point goes before roads that only pass by, on a bridge above it for example:
  // its rank is below 0. In the plane it must be the point itself, as far as offsets can tell.
  const auto junction_rank = [&](Offset end, Point seen) {
    const double dx = (end.x - seen.x) * scale.x, dy = (end.y - seen.y) * scale.y;
    const double square = dx * dx + dy * dy;
    const bool same =
        degrees ? square <= tolerance * tolerance
                : end.x == static_cast<float>(seen.x) && end.y == static_cast<float>(seen.y);
    return same ? square - 1 : kInfinity;
  };
  double best = kInfinity;  // the square of a distance, or the rank of a junction
  Point asked = point;
  std::uint32_t best_road = 0;
  std::size_t best_piece = 0;
  const auto closed = [&](const Road& road) {
    return open && !open(road.arc[0]) && (road.arc[1] == kNoArc || !open(road.arc[1]));
  };
  const auto search = [&](Point q) {
    index_->tree.nearest(q, scale, [&](std::uint32_t i) {
      const Box& box = index_->tree.leaf(i);
      const Point seen{q.x - box.low_x, q.y - box.low_y};
      const Offset* offset = index_->points.data() + index_->first[i];
      const std::uint32_t pieces = index_->first[i + 1] - index_->first[i] - 1;
      for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        const Point a{offset[piece].x, offset[piece].y};
        const Point b{offset[piece + 1].x, offset[piece + 1].y};
        double rank = foot_on(a, b, seen, scale).square;
        const Item item = index_->items[i];
        if (item.begin + piece == 0) rank = std::min(rank, junction_rank(offset[0], seen));
        if (item.last && piece + 1 == pieces) {
          rank = std::min(rank, junction_rank(offset[pieces], seen));
        }
        // Of equally near roads the first counts, whatever the tree looks like.
        if (rank > best || (rank == best && item.road >= best_road)) continue;
        if (closed(index_->roads[item.road])) break;
        best = rank;
        best_road = item.road;
        best_piece = item.begin + piece;
        asked = q;
      }
      // Where the nearest roads are closed, those beyond the limit are not looked at.
      return std::max(open ? std::min(best, limit * limit) : best, tolerance * tolerance);
    });
  };
  search(point);
  // Beyond the 180th meridian the map goes on at the other side.
  if (degrees && std::abs(point.x) > 179) search({point.x + (point.x > 0 ? -360 : 360), point.y});

  if (best == kInfinity) throw no_road("all roads within the limit are closed");
  const Road& road = index_->roads[best_road];
  const auto line = line_of<Index::Line>(graph_, shape_, road);
  Place place;
  place.asked = point;
  const Point a = line.at(best_piece), b = line.at(best_piece + 1);
  const Foot foot = foot_on(a, b, asked, scale);  // now to the last digit
  double behind = 0, length = 0;
  for (std::size_t i = 0; i < line.pieces(); ++i) {
    const double piece = distance_between(kind, line.at(i), line.at(i + 1));
    if (i < best_piece) behind += piece;
    if (i == best_piece) behind += foot.along * piece;
    length += piece;
  }
  behind = std::min(behind, length);
  double share = length > 0 ? behind / length : 0;
  place.at = {a.x + foot.along * (b.x - a.x), a.y + foot.along * (b.y - a.y)};
  place.distance = std::sqrt(foot.square);
  if (std::min(behind, length - behind) <= tolerance) {
    share = behind <= length - behind ? 0 : 1;
    const NodeId node = share == 0 ? line.tail : line.head;
    place.at = graph_.points()[node];
    place.distance = std::hypot((place.at.x - asked.x) * scale.x, (place.at.y - asked.y) * scale.y);
    place.nodes = junction_of(node);
  }
  if (place.distance > limit) {
    const std::string unit = degrees ? " m" : "";
    throw no_road("the nearest is " + number_text(std::round(place.distance)) + unit +
                  " away, the limit is " + number_text(limit) + unit);
  }
  for (int d = 0; d < 2; ++d) {
    if (road.arc[d] == kNoArc) continue;
    place.side[static_cast<std::size_t>(place.sides++)] = {
        road.tail[d], head_of(graph_, road.arc[d]), road.arc[d], weight_of(graph_, road.arc[d]),
        d == 0 ? share : 1 - share};
  }
  if (!shape_.empty()) place.street = shape_.street(shape_.segment(road.arc[0]));
  return place;
}

}  // namespace lodestar
